package policy_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/resilint/resilint/policy"
)

var (
	_ sql.Scanner   = (*policy.Key)(nil)
	_ driver.Valuer = policy.Key{}
)

// The keys of stored orders must not change with a release: these are forever.
func TestDerivedKeysAreForever(t *testing.T) {
	for want, got := range map[string]policy.Key{
		"d1ed8ba4-73d1-5cb3-ac02-89aae85c3c8b": policy.DeriveKey("shop/register-payment", "order-1"),
		"4964cc19-fd3c-55f6-a589-77db7860ef4e": policy.DeriveKey("shop/register-payment", "order-1", "2"),
		"56335096-d790-5795-afff-c3392f19482b": policy.DeriveKey("shop/refund", "order-1"),
	} {
		if got.String() != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if id, err := uuid.Parse(got.String()); err != nil || id.Version() != 5 {
			t.Errorf("%s is not a UUIDv5", got)
		}
	}
}

func TestDerivedKeysDiffer(t *testing.T) {
	keys := map[policy.Key]string{}
	for name, k := range map[string]policy.Key{
		"a bc":       policy.DeriveKey("n", "a", "bc"),
		"ab c":       policy.DeriveKey("n", "ab", "c"),
		"abc":        policy.DeriveKey("n", "abc"),
		"other name": policy.DeriveKey("m", "abc"),
	} {
		if other, ok := keys[k]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[k] = name
	}
}

// A key that many writes would share is none.
func TestNothingToDeriveFrom(t *testing.T) {
	for name, k := range map[string]policy.Key{
		"no parts":     policy.DeriveKey("n"),
		"no namespace": policy.DeriveKey("", "a"),
		"empty part":   policy.DeriveKey("n", "a", ""),
	} {
		if !k.IsZero() {
			t.Errorf("%s: %s, want the empty key", name, k)
		}
	}
}

func TestNewKey(t *testing.T) {
	a, b := policy.NewKey(), policy.NewKey()
	if a == b {
		t.Errorf("twice %s", a)
	}
	if id, err := uuid.Parse(a.String()); err != nil || id.Version() != 7 {
		t.Errorf("%s is not a UUIDv7", a)
	}
}

func TestParseKey(t *testing.T) {
	for _, text := range []string{"a", strings.Repeat("k", 255), "order-1:~!", "0198c0de-0000-7000-8000-000000000000"} {
		if k, err := policy.ParseKey(text); err != nil || k.String() != text {
			t.Errorf("%q: %v, %v", text, k, err)
		}
	}
	if _, err := policy.ParseKey(""); !errors.Is(err, policy.ErrEmptyKey) {
		t.Errorf("empty: %v", err)
	}
	for text, want := range map[string]string{
		"a b":                    "idempotency key has a character at position 1 that is not visible ASCII",
		"a\r\nX-Admin: 1":        "idempotency key has a character at position 1 that is not visible ASCII",
		"ключ":                   "idempotency key has a character at position 0 that is not visible ASCII",
		strings.Repeat("k", 256): "idempotency key of 256 characters is longer than 255",
	} {
		if _, err := policy.ParseKey(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestKeyInJSON(t *testing.T) {
	type order struct {
		Key policy.Key `json:"key,omitzero"`
	}
	for _, k := range []policy.Key{policy.NewKey(), {}} {
		text, err := json.Marshal(order{k})
		if err != nil {
			t.Fatal(err)
		}
		var back order
		if err := json.Unmarshal(text, &back); err != nil || back.Key != k {
			t.Errorf("%s comes back as %v, %v", text, back.Key, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"key":"a b"}`), new(order)); err == nil {
		t.Error("a bad key is accepted")
	}
	if err := json.Unmarshal([]byte(`{"key":""}`), new(order)); err != nil {
		t.Errorf("an empty key: %v", err)
	}
}

func TestKeyInSQL(t *testing.T) {
	k := policy.DeriveKey("n", "a")
	stored, err := k.Value()
	if err != nil || stored != k.String() {
		t.Fatalf("stored as %v, %v", stored, err)
	}
	id := uuid.MustParse(k.String())
	for name, column := range map[string]any{"text": stored, "bytes": []byte(k.String()), "uuid": [16]byte(id)} {
		var back policy.Key
		if err := back.Scan(column); err != nil || back != k {
			t.Errorf("%s: %v, %v, want %v", name, back, err, k)
		}
	}
	if stored, err := (policy.Key{}).Value(); stored != nil || err != nil {
		t.Errorf("the empty key is stored as %v, %v, want NULL", stored, err)
	}
	back := k
	if err := back.Scan(nil); err != nil || !back.IsZero() {
		t.Errorf("NULL: %v, %v, want the empty key", back, err)
	}
	if err := back.Scan(42); err == nil {
		t.Error("a number is accepted")
	}
	if err := back.Scan("a b"); err == nil {
		t.Error("a bad key is accepted")
	}
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"", "a", "a b", "\x00", "ключ", strings.Repeat("k", 256), policy.NewKey().String()} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := policy.ParseKey(text)
		if err != nil {
			if !k.IsZero() {
				t.Errorf("%q: key %v beside an error", text, k)
			}
			return
		}
		if strings.ContainsAny(text, " \t\r\n\x00") || len(text) > 255 {
			t.Errorf("%q would not survive a header", text)
		}
		var back policy.Key
		if encoded, err := json.Marshal(k); err != nil {
			t.Error(err)
		} else if err := json.Unmarshal(encoded, &back); err != nil || back != k {
			t.Errorf("%q comes back from JSON as %q, %v", k, back, err)
		}
	})
}

// Two different lists of parts never have one key.
func FuzzDeriveKey(f *testing.F) {
	f.Add("a", "bc", "ab", "c")
	f.Add("", "a", "a", "")
	f.Add("a\x01b", "c", "a", "b\x01c")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		one, two := policy.DeriveKey("n", a, b), policy.DeriveKey("n", c, d)
		if (a == "" || b == "") != one.IsZero() {
			t.Errorf("%q, %q: %v", a, b, one)
		}
		if same := a == c && b == d; !one.IsZero() && (one == two) != same {
			t.Errorf("%q, %q and %q, %q: %v and %v", a, b, c, d, one, two)
		}
	})
}
