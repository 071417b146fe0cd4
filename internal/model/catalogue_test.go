package model

import (
	"go/types"
	"testing"

	"github.com/resilint/resilint/rules"
)

// pkg makes a package that declares functions, and types with methods given as
// Type.Method.
func pkg(path string, imports []*types.Package, names ...string) *types.Package {
	p := types.NewPackage(path, "p")
	typ := map[string]*types.Named{}
	sig := func(recv *types.Var) *types.Signature { return types.NewSignatureType(recv, nil, nil, nil, nil, false) }
	for _, name := range names {
		sym := symbolOf(name)
		if sym.Recv == "" {
			p.Scope().Insert(types.NewFunc(0, p, sym.Name, sig(nil)))
			continue
		}
		if typ[sym.Recv] == nil {
			obj := types.NewTypeName(0, p, sym.Recv, nil)
			typ[sym.Recv] = types.NewNamed(obj, types.NewStruct(nil, nil), nil)
			p.Scope().Insert(obj)
		}
		typ[sym.Recv].AddMethod(types.NewFunc(0, p, sym.Name, sig(types.NewVar(0, p, "", typ[sym.Recv]))))
	}
	p.SetImports(imports)
	p.MarkComplete()
	return p
}

func symbolOf(name string) Symbol {
	lib := Library{Packages: []Package{{Alias: "-"}}}
	_, rn, _ := lib.symbol(name)
	return Symbol{Recv: rn[0], Name: rn[1]}
}

func importing(imports ...*types.Package) *types.Package {
	return pkg("example.com/user", imports)
}

func TestLookup(t *testing.T) {
	set := NewSet(rules.Models(), rules.ModelIndex())
	const path = "github.com/cenkalti/backoff/v4"
	if !set.Has(path) || set.Has("net/http") {
		t.Error("Has is wrong about what the catalogue speaks of")
	}
	c := set.For(importing(pkg(path, nil)))
	retry := c.Lookup(Symbol{Pkg: path, Name: "Retry"})
	if retry == nil || retry.Retry == nil || retry.Library.ID != "cenkalti-backoff-v4" {
		t.Errorf("Retry: %+v", retry)
	}
	if e := c.Lookup(Symbol{Pkg: path, Recv: "ExponentialBackOff", Name: "NextBackOff"}); e == nil || e.Retry == nil || e.Retry.Kind != "delay" {
		t.Errorf("ExponentialBackOff.NextBackOff: %+v", e)
	}
	// Libraries of one file that are not at hand answer under their own paths only.
	if e := c.Lookup(Symbol{Pkg: path, Name: "WithMaxTries"}); e != nil {
		t.Errorf("WithMaxTries is of v5: %+v", e)
	}
	// A fact may speak of a library that the package does not import.
	if e := set.For(importing()).Lookup(Symbol{Pkg: path, Name: "Retry"}); e == nil || e.Library.ID != "cenkalti-backoff-v4" {
		t.Errorf("not imported, Retry is %+v", e)
	}
	if err := c.Err(); err != nil {
		t.Error(err)
	}
}

func TestPackagesWithOneAPI(t *testing.T) {
	set := NewSet(rules.Models(), rules.ModelIndex())
	c := set.For(importing(pkg("github.com/gojektech/heimdall/v6/hystrix", nil)))
	if e := c.Lookup(Symbol{Pkg: "github.com/gojektech/heimdall/v6/hystrix", Name: "NewClient"}); e == nil || e.Value == nil || e.Value.Role != "client" {
		t.Errorf("hystrix.NewClient: %+v", e)
	}
}

func TestVersionsOfOnePath(t *testing.T) {
	set := NewSet(rules.Models(), rules.ModelIndex())
	const path = "github.com/failsafe-go/failsafe-go"
	for _, test := range []struct{ api, id string }{
		{"Executor.RunAsyncWithExecution", "failsafe-go-v0.9"},
		{"Executor.RunWithExecutionAsync", "failsafe-go-v0.8"},
	} {
		c := set.For(importing(pkg(path, nil, test.api)))
		if e := c.Lookup(Symbol{Pkg: path, Recv: "Executor", Name: "Run"}); e == nil || e.Library.ID != test.id {
			t.Errorf("with %s: Executor.Run is of %+v", test.api, e)
		}
	}
	// Not at hand, it is the version named first, the newest.
	if e := set.For(importing()).Lookup(Symbol{Pkg: path, Recv: "Executor", Name: "Run"}); e == nil || e.Library.ID != "failsafe-go-v0.9" {
		t.Errorf("not at hand: Executor.Run is of %+v", e)
	}
}

func TestWhenLacks(t *testing.T) {
	lib := Library{Packages: []Package{{Path: "p"}}, When: &When{Lacks: "New"}}
	for _, test := range []struct {
		name string
		pkg  *types.Package
		want bool
	}{
		{"declares it", pkg("p", nil, "New"), false},
		{"does not", pkg("p", nil), true},
		{"is known in part", types.NewPackage("p", "p"), false},
	} {
		if got := lib.applies(map[string]*types.Package{"p": test.pkg}); got != test.want {
			t.Errorf("%s: applies = %v", test.name, got)
		}
	}
}
