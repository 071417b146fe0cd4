package model

import (
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/resilint/resilint/rules"
)

// head is a library that is right up to where the tests add to it.
const head = `family: f
libraries:
  - id: lib
    name: lib
    source: example.com/lib@v1.0.0
    packages: [{path: example.com/lib}]
`

// The errors are what users read when a model of their own is wrong: the file,
// the library, the entry, and what is the matter with it.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		name, data, want string
	}{
		{"unknown key of the family", "family: f\nfamilies: []\n",
			"x.yaml: yaml: unmarshal errors:\n  line 2: field families not found in type model.Family"},
		{"unknown key of an entry", head + "    retries:\n      - {func: Do, operaton: {arg: 0}, source: a.go:1}\n",
			"x.yaml: yaml: unmarshal errors:\n  line 8: field operaton not found in type model.Retry"},
		{"unknown key of an expression", head + "    values:\n      - {func: Tries, sets: {attempts: {arg: 0, zeros: never}}, source: a.go:1}\n",
			"x.yaml: line 8: field zeros not found"},
		{"two documents", head + "---\n" + head,
			"x.yaml: more than one document"},
		{"no name", "libraries: []\n",
			"x.yaml: the family has no name"},
		{"library twice", head + strings.TrimPrefix(head, "family: f\nlibraries:\n"),
			"x.yaml: library lib occurs twice"},
		{"library without source", "family: f\nlibraries:\n  - {id: lib, name: lib, packages: [{path: example.com/lib}]}\n",
			"x.yaml: lib: no source"},
		{"library without packages", "family: f\nlibraries:\n  - {id: lib, name: lib, source: s}\n",
			"x.yaml: lib: no packages"},
		{"not resolved without reason", "family: f\nlibraries:\n  - {id: lib, name: lib, source: s, packages: [{path: p, resolve: \"no\"}]}\n",
			"x.yaml: lib: package p: not resolved, and no reason why"},
		{"condition on nothing", head + "    when: {}\n",
			"x.yaml: lib: when needs either has or lacks"},
		{"entry twice", head + "    values:\n      - {func: Tries, source: a.go:1}\n      - {func: Tries, source: a.go:2}\n",
			"x.yaml: lib: value Tries occurs twice"},
		{"entry of two libraries", head + "    values: [{func: Tries, source: a.go:1}]\n  - id: other\n    name: lib\n    source: s\n    packages: [{path: example.com/lib}]\n    values: [{func: Tries, source: a.go:1}]\n",
			"x.yaml: other: value Tries of example.com/lib is in lib too, and no condition tells them apart"},
		{"entry without source", head + "    values:\n      - {func: Tries}\n",
			"x.yaml: lib: value Tries: no source"},
		{"entry of nothing", head + "    values:\n      - {source: a.go:1}\n",
			"x.yaml: lib: a value entry names nothing"},
		{"entry too deep", head + "    values:\n      - {func: a.b.c.d, source: a.go:1}\n",
			`x.yaml: lib: value a.b.c.d: "a.b.c.d" is not [package.][Type.]Name`},
		{"no operation", head + "    retries:\n      - {func: Do, source: a.go:1}\n",
			"x.yaml: lib: retry Do: no operation"},
		{"document without a place", head + "    values:\n      - {func: Config, json: {arg: 0}, source: a.go:1}\n",
			"x.yaml: lib: value Config: json needs arg and at"},
		{"names without source", "family: f\nnames: {keys: [token]}\n",
			"x.yaml: names: no source"},
		{"name in the wrong form", "family: f\nnames: {source: s, keys: [ClientToken]}\n",
			`x.yaml: names: "ClientToken" is not written in lower case, without underscores`},
		{"name twice", "family: f\nnames: {source: s, reads: [get, list, get]}\n",
			`x.yaml: names: "get" occurs twice`},
		{"breaker without operation", head + "    breakers:\n      - {func: Execute, source: a.go:1}\n",
			"x.yaml: lib: breaker Execute: no operation"},
		{"open error unknown", head + "    breakers:\n      - {func: Execute, operation: {arg: 0}, open: [ErrOpen], source: a.go:1}\n",
			"x.yaml: lib: breaker Execute: open: ErrOpen is not among the errors"},
		{"unknown setting", head + "    values:\n      - {func: Tries, sets: {tries: {arg: 0}}, source: a.go:1}\n",
			`x.yaml: line 8: "tries" is no setting of a policy (there are apply, attempts, backoff, breaker, cap, cap_ends, context, deadline, delay, delays, elapsed, elapsed_rule, initial, jitter, jitter_amount, jitter_from, max, methods, multiplier, predicate, repeat_last, retry_after, step, timeout)`},
		{"unknown setting in short form", head + "    values:\n      - {type: Config, fields: {Tries: tries}, source: a.go:1}\n",
			`x.yaml: line 8: "tries" is no setting of a policy (there are apply, attempts, backoff, breaker, cap, cap_ends, context, deadline, delay, delays, elapsed, elapsed_rule, initial, jitter, jitter_amount, jitter_from, max, methods, multiplier, predicate, repeat_last, retry_after, step, timeout)`},
		{"unknown word", head + "    values:\n      - {func: Fixed, sets: {backoff: fixed}, source: a.go:1}\n",
			`x.yaml: line 8: backoff: "fixed" is none of none, constant, linear, exponential, fibonacci, custom`},
		{"wrong count", head + "    values:\n      - {func: Tries, sets: {attempts: {arg: 0, zero: forever}}, source: a.go:1}\n",
			`x.yaml: line 8: attempts: "forever" is no count`},
		{"wrong duration", head + "    values:\n      - {func: Delay, sets: {initial: 100}, source: a.go:1}\n",
			`x.yaml: line 8: initial: "100" is no duration`},
		{"wrong statuses", head + "    values:\n      - {func: P, sets: {predicate: \"status:5xx\"}, source: a.go:1}\n",
			`x.yaml: line 8: predicate: "5xx" is no status or range of statuses`},
		{"no formula", head + "    values:\n      - {func: Exp, sets: {delay: \"initial*(n+1\"}, source: a.go:1}\n",
			`x.yaml: line 8: delay: formula "initial*(n+1": 1:13: expected ')', found newline`},
		{"formula of unknown variables", head + "    values:\n      - {func: Exp, sets: {delay: \"if(n, base, 1s)\"}, source: a.go:1}\n",
			`x.yaml: line 8: delay: "if(n, base, 1s)": base is no variable of a formula (there are n, initial, max, step, multiplier, jitter_amount)`},
		{"formula of unknown functions", head + "    values:\n      - {func: Exp, sets: {delay: \"exp(n)\"}, source: a.go:1}\n",
			`x.yaml: line 8: delay: "exp(n)": exp with 1 arguments in a formula`},
		{"wrong unit", head + "    values:\n      - {func: Delay, sets: {initial: {arg: 0, unit: sec}}, source: a.go:1}\n",
			`x.yaml: line 8: initial: unit is "sec", not ns, ms or s`},
		{"wrong role", head + "    values:\n      - {func: New, role: braker, source: a.go:1}\n",
			`x.yaml: lib: value New: role "braker" is none of policy, breaker, bulkhead, timeout, fallback, hedge, client, carrier, request, compose, other`},
		{"wrong kind", head + "    retries:\n      - {func: Do, kind: polling, operation: {arg: 0}, source: a.go:1}\n",
			`x.yaml: lib: retry Do: kind "polling" is none of poll, startup, cas, delay`},
		{"reference to nothing", head + "    values:\n      - {func: New, base: {}, source: a.go:1}\n",
			"x.yaml: lib: value New: a reference needs arg, rest, field, receiver or value"},
		{"reference to no value", head + "    values:\n      - {func: New, base: {value: Default}, source: a.go:1}\n",
			"x.yaml: lib: value New: value: Default is not among the values"},
		{"affects no setting", head + "    values:\n      - {func: Backoff, policy: [{arg: 0, affects: [shape]}], source: a.go:1}\n",
			`x.yaml: lib: value Backoff: affects: "shape" is no setting of a policy`},
		{"fields of a function", head + "    values:\n      - {func: New, fields: {Max: max}, source: a.go:1}\n",
			"x.yaml: lib: value New: only a type has fields"},
		{"wrong case", head + "    values:\n      - {type: Config, if: [{field: Max, is: 0s, sets: {backoff: constant}}], source: a.go:1}\n",
			`x.yaml: lib: value Config: "Max" is no setting of a policy (there are apply, attempts, backoff, breaker, cap, cap_ends, context, deadline, delay, delays, elapsed, elapsed_rule, initial, jitter, jitter_amount, jitter_from, max, methods, multiplier, predicate, repeat_last, retry_after, step, timeout)`},
		{"wrong meaning", head + "    markers:\n      - {func: Stop, means: stop, source: a.go:1}\n",
			`x.yaml: lib: marker Stop: means "stop" is none of permanent, retryable`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(test.data))
			if err == nil {
				t.Fatal("no error")
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	f, err := Parse("x.yaml", []byte(head+`    retries:
      - {func: Do, operation: {arg: 0}, policy: [{rest: 1}], sets: {attempts: 10}, source: a.go:1}
    values:
      - {func: Tries, sets: {attempts: {arg: 0, counts: retries, zero: unbounded}}, source: a.go:2}
      - {type: Config, fields: {Max: max, Min: {initial: {self: true, zero: 1s}}}, source: a.go:3}
`))
	if err != nil {
		t.Fatal(err)
	}
	lib := f.Libraries[0]
	if got := lib.Packages[0].Alias; got != "lib" {
		t.Errorf("alias %q, want the last path element", got)
	}
	if e := lib.Retries[0].Sets["attempts"]; e.Literal != "10" || e.Self {
		t.Errorf("attempts of Do: %+v", e)
	}
	if e := lib.Values[0].Sets["attempts"]; e.Arg == nil || *e.Arg != 0 || e.Counts != "retries" || e.Zero != "unbounded" || e.Self {
		t.Errorf("attempts of Tries: %+v", e)
	}
	fields := lib.Values[1].Fields
	if e := fields["Max"]["max"]; !e.Self {
		t.Errorf("Max: %+v", e)
	}
	if e := fields["Min"]["initial"]; !e.Self || e.Zero != "1s" {
		t.Errorf("Min: %+v", e)
	}
}

func TestParseFS(t *testing.T) {
	fsys := fstest.MapFS{"good.yaml": {Data: []byte(head)}, "bad.yaml": {Data: []byte("family: [")}}
	if _, err := ParseFS(fsys, "good.yaml"); err != nil {
		t.Error(err)
	}
	if _, err := ParseFS(fsys, "good.yaml", "bad.yaml"); err == nil || !strings.HasPrefix(err.Error(), "bad.yaml: ") {
		t.Errorf("the error does not name the file: %v", err)
	}
	if _, err := ParseFS(fsys, "none.yaml"); err == nil {
		t.Error("no error for a file that is not there")
	}
}

// catalogue reads all models that are shipped.
func catalogue(t testing.TB) []*Family {
	t.Helper()
	var names []string
	for _, pattern := range []string{"models/*.yaml", "models/*/*.yaml"} {
		found, err := fs.Glob(rules.Models(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	families, err := ParseFS(rules.Models(), names...)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

func TestCatalogue(t *testing.T) {
	families := catalogue(t)
	if len(families) == 0 {
		t.Fatal("no models")
	}
	family, library := map[string]string{}, map[string]string{}
	for _, f := range families {
		if want := f.Family + ".yaml"; path.Base(f.File) != want {
			t.Errorf("family %s is in %s, not in %s", f.Family, f.File, want)
		}
		if other := family[f.Family]; other != "" {
			t.Errorf("family %s is in %s and in %s", f.Family, other, f.File)
		}
		family[f.Family] = f.File
		for _, lib := range f.Libraries {
			if other := library[lib.ID]; other != "" {
				t.Errorf("library %s is in %s and in %s", lib.ID, other, f.File)
			}
			library[lib.ID] = f.File
		}
	}
}

// FuzzParse looks for input on which reading a model panics. What was read
// without an error must have symbols: lookups rely on it. The seeds are small,
// since the fuzzer spends its time on shrinking large ones.
func FuzzParse(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte(head + `    when: {has: New}
    retries:
      - {func: Do, operation: {arg: 0}, context: {arg: 1}, policy: [{rest: 2, affects: [initial]}], sets: {attempts: 10, predicate: "status:429,500-599"}, source: s}
      - {func: T.Next, loop: true, kind: delay, policy: [{receiver: true}], source: s}
    values:
      - {type: C, sets: {delay: "min(initial*pow(2, n), 1s)"}, fields: {A: &a max, B: *a, C: {apply: {self: true, affects: [backoff]}}}, if: [{field: max, is: 0s, sets: {backoff: constant}}], source: s}
      - {func: lib.Tries, base: {value: C}, sets: {attempts: {arg: 0, counts: retries, zero: ignored, negative: never}}, source: s}
    breakers: [{func: B.Execute, operation: {arg: 0}, open: [ErrOpen], source: s}]
    predicates: [{func: P, statuses: "429", errors: none, source: s}]
    markers: [{func: Stop, means: permanent, unwraps: true, source: s}]
    errors: [{var: ErrOpen, means: open, source: s}]
`))
	f.Fuzz(func(t *testing.T, data []byte) {
		family, err := Parse("x.yaml", data)
		if err != nil {
			return
		}
		for i := range family.Libraries {
			add(&family.Libraries[i], map[Symbol]*Entry{})
		}
	})
}

func TestNames(t *testing.T) {
	names := &Names{Keys: []string{"clienttoken"}, Reads: []string{"get"}, Makes: []string{"create"}, Repeatable: []string{"delete", "un"}, Leading: []string{"batch"}}
	for name, want := range map[string]bool{"ClientToken": true, "client_token": true, "clientToken": true, "Token": false, "ClientTokens": false} {
		if got := names.IsKey(name); got != want {
			t.Errorf("%s: key %t", name, got)
		}
	}
	for name, want := range map[string]Act{
		"GetZone": Reads, "Get": Reads, "Getaway": Writes, "BatchGetZones": Reads, "Batch": Writes, "DeleteZone": Repeats,
		"BatchDeleteZones": Repeats, "UnBindEip": Repeats, "CreateGetter": Makes, "HTTPGet": Writes, "": Writes,
	} {
		if got := names.Act(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
