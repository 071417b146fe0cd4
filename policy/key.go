package policy

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
)

// Key is an idempotency key: the same for every attempt of one write, and for
// no other write. It is a comparable value, safe for concurrent use. The zero
// Key is empty, and Keyed refuses it.
//
// A key belongs to the domain. Derive it from what the write is about
// (DeriveKey), or make it once when the user acts (NewKey) and store it with
// the order or the task; a key made per attempt deduplicates nothing.
//
// Key marshals as text, and so into JSON, and is stored in SQL as text; the
// empty Key is NULL there.
type Key struct{ text string }

// maxKeyLength is what systems commonly accept (Stripe: 255 characters).
const maxKeyLength = 255

// keySpace is the root of the namespaces that DeriveKey makes: the UUIDv5 of
// this module's path in the URL namespace of RFC 9562.
func keySpace() uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://github.com/resilint/resilint/policy"))
}

// DeriveKey returns the UUIDv5 of parts within a namespace: the same parts
// always give the same key, so a crashed process that starts over sends the
// same one.
//
// The namespace says what is done and to which system ("shop/register-payment");
// the parts say to what (the order's ID, the amount's version). Parts are
// length-prefixed: ("a", "bc") and ("ab", "c") differ.
//
// The key is empty when the namespace, or any part, is empty, or when there are
// no parts: such a key would be shared by writes that have nothing in common.
func DeriveKey(namespace string, parts ...string) Key {
	if namespace == "" || len(parts) == 0 {
		return Key{}
	}
	var name []byte
	for _, part := range parts {
		if part == "" {
			return Key{}
		}
		name = binary.AppendUvarint(name, uint64(len(part)))
		name = append(name, part...)
	}
	space := uuid.NewSHA1(keySpace(), []byte(namespace))
	return Key{uuid.NewSHA1(space, name).String()}
}

// NewKey returns a new UUIDv7. Call it once per user action, where the action
// enters the system, and store the key; never where the request is sent.
func NewKey() Key {
	// uuid fails only when the system's random source does, and since Go 1.24
	// crypto/rand ends the process then.
	return Key{uuid.Must(uuid.NewV7()).String()}
}

// ParseKey accepts a key that came from elsewhere, such as a client's request
// header or a stored row: 1 to 255 visible ASCII characters, without spaces.
func ParseKey(text string) (Key, error) {
	if text == "" {
		return Key{}, ErrEmptyKey
	}
	if len(text) > maxKeyLength {
		return Key{}, fmt.Errorf("idempotency key of %d characters is longer than %d", len(text), maxKeyLength)
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return Key{}, fmt.Errorf("idempotency key has a character at position %d that is not visible ASCII", i)
		}
	}
	return Key{text}, nil
}

// String returns the key as it is sent.
func (k Key) String() string { return k.text }

// IsZero reports whether the key is empty.
func (k Key) IsZero() bool { return k.text == "" }

// MarshalText implements encoding.TextMarshaler; the empty Key is empty text.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.text), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts what ParseKey
// does, and empty text as the empty Key.
func (k *Key) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*k = Key{}
		return nil
	}
	parsed, err := ParseKey(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// Value implements driver.Valuer; the empty Key is NULL.
func (k Key) Value() (driver.Value, error) {
	if k.IsZero() {
		return nil, nil
	}
	return k.text, nil
}

// Scan implements sql.Scanner for columns of text, bytes and UUIDs that a
// driver hands over as either; NULL is the empty Key.
func (k *Key) Scan(column any) error {
	switch column := column.(type) {
	case nil:
		*k = Key{}
		return nil
	case string:
		return k.UnmarshalText([]byte(column))
	case []byte:
		return k.UnmarshalText(column)
	case [16]byte: // pgx hands over the type uuid like this
		*k = Key{uuid.UUID(column).String()}
		return nil
	}
	return fmt.Errorf("idempotency key: can't scan a column of type %T", column)
}

// KeyFrom returns the key of the Keyed call that ctx belongs to. It is false
// outside of Keyed, and within a Read or NoRetry that runs inside it: their
// requests are other requests.
func KeyFrom(ctx context.Context) (Key, bool) {
	c, _ := ctx.Value(callKey{}).(*call)
	if c == nil {
		return Key{}, false
	}
	return c.key, !c.key.IsZero()
}

// KeyHeaderFrom returns the header that carries the key to the system whose
// call ctx belongs to (Dedup.Header), or DefaultKeyHeader outside of any call.
func KeyHeaderFrom(ctx context.Context) string {
	c, _ := ctx.Value(callKey{}).(*call)
	if c == nil {
		return DefaultKeyHeader
	}
	return c.policy.settings.Writes.Header
}
