package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

const everything = `
preset: guide
min-severity: note
only: [X1, retryidempotent, R-RES-RE-3]
disable: [RE-2]
severities: {RE-4: note, retrybackoff: error}
overrides:
  - packages: [example.com/shop/legacy/..., example.com/shop/old]
    disable: [RE-3]
    severities: {X1: warning}
  - packages: [example.com/shop/legacy]
    severities: {x1: note}
strict: true
contracts: optional
carriers:
  keys: [x-operation-id]
  correlation: [X-Client-Token]
systems:
  bank:
    match:
      hosts: [API.bank.example, "*.pay.example"]
      imports: [example.com/shop/bank/...]
      types: [example.com/shop/pay.Client]
    dedup: promised
    contract: https://bank.example/docs
    key_ttl: 36h
    carrier: X-Bank-Key
    reads: [POST /status, "PUT /a/*/b", POST /search/...]
  post:
    match: {imports: [example.com/post]}
    dedup: none
`

var everythingMeans = Config{
	Preset: "guide", MinSeverity: finding.Note,
	Only: []Rule{"R-RES-RE-X1", "R-RES-RE-1", "R-RES-RE-3"}, Disable: []Rule{"R-RES-RE-2"},
	Severities: Severities{"R-RES-RE-4": finding.Note, "R-RES-RE-X3": finding.Error},
	Overrides: []Override{
		{Packages: []Pattern{"example.com/shop/legacy/...", "example.com/shop/old"}, Disable: []Rule{"R-RES-RE-3"}, Severities: Severities{"R-RES-RE-X1": finding.Warning}},
		{Packages: []Pattern{"example.com/shop/legacy"}, Severities: Severities{"R-RES-RE-X1": finding.Note}},
	},
	Strict: true, Contracts: "optional",
	Carriers: Carriers{Keys: []Header{"X-Operation-Id"}, Correlation: []Header{"X-Client-Token"}},
	Systems: Systems{
		"bank": {
			Match: Match{Hosts: []Host{"api.bank.example", "*.pay.example"}, Imports: []Pattern{"example.com/shop/bank/..."}, Types: []Type{"example.com/shop/pay.Client"}},
			Dedup: "promised", Contract: "https://bank.example/docs", KeyTTL: Duration(36 * 3600e9), Carrier: "X-Bank-Key",
			Reads: []Endpoint{"POST /status", "PUT /a/*/b", "POST /search/..."},
		},
		"post": {Match: Match{Imports: []Pattern{"example.com/post"}}, Dedup: "none"},
	},
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, yaml string
		want       Config
	}{
		{"nothing", "", Default()},
		{"comments", "# nothing\n", Default()},
		{"keys without values", "only:\nsystems:\npreset:\n", Default()},
		{"everything", everything, everythingMeans},
		{"an alias", "only: &a [X1]\ndisable: *a\n", Config{Preset: "recommended", MinSeverity: finding.Warning, Only: []Rule{"R-RES-RE-X1"}, Disable: []Rule{"R-RES-RE-X1"}}},
	} {
		got := Default()
		if err := got.Parse("x.yml", []byte(test.yaml)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n%+v, want\n%+v", test.name, got, test.want)
		}
	}
}

// What is otherwise in a package counts there alone, and the last that says so.
func TestOverrides(t *testing.T) {
	cfg := everythingMeans
	cfg.Only = nil
	for _, test := range []struct {
		rule, pkg string
		want      finding.Severity
		off       bool
	}{
		{"X1", "example.com/shop", finding.Error, false},
		{"X1", "example.com/shop/legacy", finding.Note, false},
		{"X1", "example.com/shop/legacy/pay", finding.Warning, false},
		{"X1", "example.com/shop/old", finding.Warning, false},
		{"X1", "example.com/shop/older", finding.Error, false},
		{"RE-4", "example.com/shop/old", finding.Note, false},
		{"RE-3", "example.com/shop", finding.Error, false},
		{"RE-3", "example.com/shop/legacy/pay", finding.Error, true},
		{"RE-2", "example.com/shop", finding.Warning, true},
	} {
		rule, err := rules.Find(test.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.Severity(rule, rule.Tiers[0].Name, test.pkg); got != test.want {
			t.Errorf("%s in %s is a %s, want %s", test.rule, test.pkg, got, test.want)
		}
		if off := !cfg.Enabled(rule.ID, test.pkg); off != test.off {
			t.Errorf("%s in %s is off: %t", test.rule, test.pkg, off)
		}
	}
}

func TestErrors(t *testing.T) {
	system := func(lines string) string {
		return "systems:\n  bank:\n    match: {hosts: [bank.example]}\n" + lines
	}
	for _, test := range []struct{ yaml, want string }{
		{"preset: guide\npresets: guide", `x.yml:2: there is no key "presets"; did you mean preset?`},
		{"xyzzyxyzzy: 1", `x.yml:1: there is no key "xyzzyxyzzy"`},
		{"preset: guided", `x.yml:1: preset: "guided" is none of recommended, guide; did you mean guide?`},
		{"preset: [guide]", `x.yml:1: preset: one value is needed, not several`},
		{"min-severity: warn", `x.yml:1: min-severity: severity "warn" is none of note, warning, error`},
		{"only:\n  - X1\n  - retrywrit", `x.yml:3: only: no rule is called "retrywrit"; did you mean retrywrite?`},
		{"only: X1", `x.yml:1: only: a list is needed: [...]`},
		{"severities: {retrywrit: note}", `x.yml:1: severities.retrywrit: no rule is called "retrywrit"; did you mean retrywrite?`},
		{"severities:\n  X1: off", `x.yml:2: severities.X1: severity "off" is none of note, warning, error`},
		{"overrides:\n  - disable: [X1]", `x.yml:2: overrides: packages is needed: nothing says where it is otherwise`},
		{"overrides:\n  - package: [a]", `x.yml:2: there is no key "overrides.package"; did you mean packages?`},
		{"overrides:\n  - packages: [a.test/a]\n    disable: [X11]", `x.yml:3: overrides.disable: no rule is called "X11"; did you mean X1?`},
		{"overrides:\n  - packages: [./a]", `x.yml:2: overrides.packages: "./a" is no import path: example.com/pay and example.com/pay/... are`},
		{"strict: perhaps", `x.yml:1: strict: true or false is needed`},
		{"strict: \"true\"", `x.yml:1: strict: true or false is needed`},
		{"contracts: require", `x.yml:1: contracts: "require" is none of optional, required; did you mean required?`},
		{"carriers: [X-Key]", `x.yml:1: carriers: a mapping is needed: key: value`},
		{"carriers:\n  key: [X-Key]", `x.yml:2: there is no key "carriers.key"; did you mean keys?`},
		{"carriers:\n  keys: [\"X Key\"]", `x.yml:2: carriers.keys: "X Key" is no name of a header`},
		{"carriers:\n  keys: [X-Key]\n  correlation: [x-key]", `x.yml:2: carriers: X-Key is in keys and in correlation`},
		{"systems:\n  bank: {}", `x.yml:2: systems.bank: match needs hosts, imports or types: nothing says which requests go there`},
		{system("    dedup: promise"), `x.yml:4: systems.bank.dedup: "promise" is none of unknown, promised, none; did you mean promised?`},
		{system("    dedup: promised"), `x.yml:3: systems.bank: dedup promised needs contract: say where the promise is written`},
		{system("    contract: http://x"), `x.yml:3: systems.bank: contract needs dedup promised: it says where that is written`},
		{system("    key_ttl: 7d"), `x.yml:4: systems.bank.key_ttl: "7d" is no duration: 90s, 15m and 24h are`},
		{system("    key_ttl: 24"), `x.yml:4: systems.bank.key_ttl: "24" is no duration: 90s, 15m and 24h are`},
		{system("    key_ttl: -1h"), `x.yml:4: systems.bank.key_ttl: -1h is no time at all`},
		{system("    key-ttl: 1h"), `x.yml:4: there is no key "systems.bank.key-ttl"; did you mean key_ttl?`},
		{system("    reads: [/search]"), `x.yml:4: systems.bank.reads: "/search" is no method and path: POST /search is`},
		{system("    reads: [\"POST /a[\"]"), `x.yml:4: systems.bank.reads: the brackets of the path do not match`},
		{system("  post:\n    match: {hosts: [bank.example]}"), `x.yml:2: systems: bank.example matches both bank and post`},
		{system("  bank:\n    dedup: none"), `x.yml:4: systems.bank is in line 2 already`},
		{"systems:\n  a:\n    match:\n      hosts: [\"https://bank.example\"]", `x.yml:4: systems.a.match.hosts: "https://bank.example" is no host: bank.example and *.bank.example are`},
		{"systems:\n  a:\n    match:\n      imports: [\"...\"]", `x.yml:4: systems.a.match.imports: "..." is no import path: example.com/pay and example.com/pay/... are`},
		{"systems:\n  a:\n    match:\n      types: [Client]", `x.yml:4: systems.a.match.types: "Client" is no type: example.com/pay.Client is`},
		{"preset: guide\n\tstrict: true", `x.yml:2: found a tab character that violates indentation`},
		{"[preset]", `x.yml:1: a mapping is needed: key: value`},
	} {
		cfg := Default()
		err := cfg.Parse("x.yml", []byte(test.yaml))
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\n%v, want\n%s", test.yaml, err, test.want)
		}
	}
}

const ourModels = `preset: guide
models:
  # the house's own
  - id: again
    name: again
    source: m.test/again@v1
    packages: [{path: m.test/again}]
    retries:
      - func: Do
        operation: {arg: 0}
        sets: {attempts: 4, backoff: none}
        source: "again.go:3"
min-severity: note
`

func TestModels(t *testing.T) {
	cfg := Default()
	if err := cfg.Parse("x.yml", []byte(ourModels)); err != nil {
		t.Fatal(err)
	}
	if f := cfg.Models.Family; f == nil || len(f.Libraries) != 1 || f.Libraries[0].Retries[0].Func != "Do" || cfg.MinSeverity != finding.Note {
		t.Fatalf("%+v", cfg)
	}
	var b bytes.Buffer
	f := File{Config: cfg}
	if err := f.Write(&b, f.Origin); err != nil {
		t.Fatal(err)
	}
	again := Default()
	if err := again.Parse("printed", b.Bytes()); err != nil || !reflect.DeepEqual(again.Models.Family, cfg.Models.Family) {
		t.Errorf("%v in\n%s", err, &b)
	}
	for _, test := range []struct{ old, new, want string }{
		{"func: Do", "fun: Do", `x.yml:9: models: field fun not found`},
		{"attempts: 4", "atempts: 4", `x.yml:11: models: "atempts" is no setting of a policy`},
		{"operation: {arg: 0}", "operation: 0", `x.yml:10: models: `},
		{`source: "again.go:3"`, "why: no reason", `x.yml:2: models: again: retry Do: no source`},
		{"- id: again", "- ids: again", `x.yml:4: models: field ids not found`},
	} {
		cfg := Default()
		err := cfg.Parse("x.yml", []byte(strings.Replace(ourModels, test.old, test.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\n%v, want\n%s", test.new, err, test.want)
		}
	}
}

// What is printed is a file that means the same.
func TestWrite(t *testing.T) {
	guide := Default()
	guide.Preset = "guide"
	for _, test := range []struct {
		config    Config
		contracts Contracts
	}{
		{Default(), "optional"}, {guide, "required"}, {everythingMeans, "optional"},
	} {
		want := test.config
		var b bytes.Buffer
		f := File{Config: want}
		if err := f.Write(&b, f.Origin); err != nil {
			t.Fatal(err)
		}
		var got Config
		if err := got.Parse("printed", b.Bytes()); err != nil {
			t.Fatalf("%v in\n%s", err, &b)
		}
		want.Contracts = test.contracts // which is told, too
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nmeans %+v, want %+v", &b, got, want)
		}
	}
}

// The file to start from says nothing as it is, and everything without the
// signs before its keys.
func TestStart(t *testing.T) {
	cfg := Default()
	if err := cfg.Parse("start.yml", []byte(Start())); err != nil || !reflect.DeepEqual(cfg, Default()) {
		t.Errorf("%v, %+v", err, cfg)
	}
	var lines []string
	for line := range strings.Lines(Start()) {
		if prose := strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#  "); !prose {
			lines = append(lines, strings.TrimPrefix(line, "#"))
		}
	}
	full := strings.Join(lines, "")
	if err := cfg.Parse("start.yml", []byte(full)); err != nil {
		t.Fatalf("%v in\n%s", err, full)
	}
	eachKey(reflect.TypeFor[Config](), func(f reflect.StructField) {
		if key := f.Tag.Get("yaml"); !regexp.MustCompile(`(?m)^ *` + key + `:`).MatchString(full) {
			t.Errorf("the file to start from has no %s", key)
		}
	})
}

// Every key has a name and words for its users.
func TestKeys(t *testing.T) {
	eachKey(reflect.TypeFor[Config](), func(f reflect.StructField) {
		if f.Tag.Get("yaml") == "" || f.Tag.Get("doc") == "" {
			t.Errorf("%s has no name or no documentation", f.Name)
		}
	})
}

func eachKey(t reflect.Type, yield func(reflect.StructField)) {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		eachKey(t.Elem(), yield)
	case reflect.Struct:
		if t == reflect.TypeFor[Models]() {
			return // developing.md has their schema
		}
		for i := range t.NumField() {
			yield(t.Field(i))
			eachKey(t.Field(i).Type, yield)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		got, want bool
		what      string
	}{
		{Host("bank.example").Matches("bank.example"), true, "host"},
		{Host("bank.example").Matches("pay.bank.example"), false, "another host"},
		{Host("*.bank.example").Matches("pay.bank.example"), true, "host below"},
		{Host("*.bank.example").Matches("*.bank.example"), true, "host below, in part unknown"},
		{Host("*.bank.example").Matches("bank.example"), false, "the host above"},
		{Host("*.bank.example").Matches("mybank.example"), false, "a host that ends alike"},
		{Pattern("a.b/c").Matches("a.b/c"), true, "package"},
		{Pattern("a.b/c").Matches("a.b/c/d"), false, "package below"},
		{Pattern("a.b/c/...").Matches("a.b/c"), true, "tree"},
		{Pattern("a.b/c/...").Matches("a.b/c/d/e"), true, "below a tree"},
		{Pattern("a.b/c/...").Matches("a.b/cd"), false, "beside a tree"},
		{Endpoint("POST /search").Matches("POST", "/search"), true, "path"},
		{Endpoint("POST /search").Matches("PUT", "/search"), false, "method"},
		{Endpoint("POST /search").Matches("POST", ""), false, "no path"},
		{Endpoint("POST /a/*/b").Matches("POST", "/a/*/b"), true, "unknown element"},
		{Endpoint("POST /a/*/b").Matches("POST", "/a/1/2/b"), false, "two elements"},
		{Endpoint("POST /a/1").Matches("POST", "/a/*"), false, "a path that may be another"},
		{Endpoint("POST /a/...").Matches("POST", "/a/b/c"), true, "path below"},
		{Endpoint("POST /a/...").Matches("POST", "/a"), true, "path at"},
		{Endpoint("POST /a/...").Matches("POST", "/ab/c"), false, "path beside"},
		{Endpoint("POST /*/search/...").Matches("POST", "/*/search/x"), true, "unknown element above"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %t", test.what, test.got)
		}
	}
}

func TestFind(t *testing.T) {
	t.Setenv("GOWORK", "")
	dir := t.TempDir()
	write := func(names ...string) {
		t.Helper()
		for _, name := range names {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	find := func(from, want string) {
		t.Helper()
		got, err := Find(filepath.Join(dir, from))
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got != want {
			t.Errorf("from %s: %q, want %q", from, got, want)
		}
	}
	write(".git/HEAD", "one/go.mod", "one/pay/pay.go", "two/go.mod")
	find("one/pay", "")
	write(Name)
	find("one/pay", Name)
	write("one/pay/" + Name) // not at the root of a module: nobody's
	find("one/pay", Name)
	write("one/" + Name)
	find("one/pay", "one/"+Name)
	find("two", Name)
	write("go.work")
	find("one/pay", Name)
	t.Setenv("GOWORK", "off")
	find("one/pay", "one/"+Name)
	t.Setenv("GOWORK", filepath.Join(dir, "two", "go.work"))
	write("two/" + Name)
	find("one/pay", "two/"+Name)
	// Above the repository is another's business.
	t.Setenv("GOWORK", "")
	write("one/.git", "inner/.git", "inner/go.mod")
	if err := os.Remove(filepath.Join(dir, "go.work")); err != nil {
		t.Fatal(err)
	}
	find("inner", "")
}
