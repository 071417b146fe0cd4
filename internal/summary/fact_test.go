package summary_test

import (
	"bytes"
	"encoding/gob"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/summary"
	"github.com/resilint/resilint/rules"
)

// told are the facts of one package by the object's name.
type told map[string]analysis.Fact

// read runs the analyzer over a package of the test module that uses the real
// libraries. Nothing is known of its dependencies but their models.
func read(t *testing.T, pkg *packages.Package) told {
	t.Helper()
	out := told{}
	a := summary.New(model.NewSet(rules.Models(), rules.ModelIndex()))
	pass := &analysis.Pass{
		Analyzer: a, Fset: pkg.Fset, Files: pkg.Syntax, Pkg: pkg.Types, TypesInfo: pkg.TypesInfo,
		TypesSizes: pkg.TypesSizes, ResultOf: map[*analysis.Analyzer]any{}, ReadFile: os.ReadFile,
		Module:            &analysis.Module{Path: pkg.Module.Path},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportPackageFact: func(analysis.Fact) {},
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			name := obj.Name()
			if fn, ok := obj.(*types.Func); ok {
				name = strings.TrimPrefix(fn.FullName(), pkg.PkgPath+".")
			}
			out[name] = fact
		},
	}
	result, err := a.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	if errs := result.(*summary.Package).Errors; len(errs) > 0 {
		t.Fatalf("internal errors: %v", errs)
	}
	return out
}

func load(t *testing.T) *packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes |
			packages.NeedSyntax | packages.NeedImports | packages.NeedModule,
		Dir: "../../analyzers/testdata/libs",
		Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"),
	}, "./style/again")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatalf("%v", pkgs[0].Errors)
	}
	return pkgs[0]
}

func encode(t *testing.T, fact analysis.Fact) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(fact); err != nil {
		t.Fatalf("%T: %v", fact, err)
	}
	return buf.Bytes()
}

// TestFacts: facts survive gob, are the same bytes when a package is read
// again, and are small.
func TestFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the real libraries")
	}
	pkg := load(t)
	facts, again := read(t, pkg), read(t, pkg)
	if len(facts) != len(again) {
		t.Errorf("%d facts, then %d", len(facts), len(again))
	}
	var names []string
	for name := range facts {
		names = append(names, name)
	}
	slices.Sort(names)
	total := 0
	for _, name := range names {
		fact := facts[name]
		data := encode(t, fact)
		total += len(data)
		t.Logf("%s: %d bytes: %s", name, len(data), fact)
		if other := again[name]; other == nil || !bytes.Equal(data, encode(t, other)) {
			t.Errorf("%s has other bytes when read again", name)
		}
		var decoded analysis.Fact = new(summary.Function)
		if _, ok := fact.(*summary.Variable); ok {
			decoded = new(summary.Variable)
		}
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(decoded); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := decoded.(interface{ String() string }).String(), fact.(interface{ String() string }).String(); got != want {
			t.Errorf("%s is decoded as %s, was %s", name, got, want)
		}
		if !bytes.Equal(data, encode(t, decoded)) {
			t.Errorf("%s has other bytes when encoded again", name)
		}
		if len(data) > 8<<10 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	t.Logf("%d facts, %d bytes", len(names), total)
}

// TestFactsSay: what callers in other packages need is told.
func TestFactsSay(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the real libraries")
	}
	facts := read(t, load(t))
	for name, want := range map[string]string{
		"Do":          "Do > call #1",
		"Times":       "Do > call #1",
		"Get":         "DoWithData > call #0",
		"Options":     "Attempts(#0)",
		"Backoff":     "WithMaxRetries(",
		"Patient":     "WithMaxRetries(",
		"MaxAttempts": "6",
		"Policy":      "Attempts(4)",
	} {
		fact, ok := facts[name]
		if !ok {
			t.Errorf("nothing is told of %s", name)
			continue
		}
		if got := fact.(interface{ String() string }).String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s in it", name, got, want)
		}
	}
}
