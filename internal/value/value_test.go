package value

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// modelled says that functions of the package strings are modelled: their calls
// stay terms.
type modelled struct{}

func (modelled) Tracks(Symbol) bool { return false }

func (modelled) Fresh(Symbol) bool { return false }

func (modelled) Configured(s Symbol) bool { return s.Pkg == "strings" && s.Name == "Builder" }

func (modelled) Call(c *ssa.CallCommon) (Use, bool) {
	for _, sym := range CalleeSymbols(c) {
		if sym.Pkg == "strings" {
			return Use{Symbol: sym, Mutates: sym.Recv == "Builder"}, true
		}
	}
	return Use{}, false
}

// The standard library is read once.
var (
	fset    = token.NewFileSet()
	imports = importer.ForCompiler(fset, "source", nil)
)

// evaluator reads a package whose declarations are given.
func evaluator(t *testing.T, decls string) *Evaluator {
	t.Helper()
	src := "package p\n\nimport (\n\"strings\"\n\"time\"\n)\n\nvar _ = strings.ToUpper\nvar _ = time.Second\n" + decls
	file, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: imports},
		fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var functions []*ssa.Function
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if fn.Pkg == pkg {
			functions = append(functions, fn)
		}
	}
	return New(pkg, functions, modelled{}, nil)
}

// TestReturns evaluates the result of f in small packages: what the code fixes,
// and what it does not.
func TestReturns(t *testing.T) {
	for _, c := range []struct{ name, decls, want string }{
		{"constant", `func f() int { return 3 }`, "3"},
		{"named constant", `const n = 2; func f() int { return n * n }`, "4"},
		{"local", `func f() int { x := 3; x++; return x*2 + 1 }`, "9"},
		{"duration", `func f() time.Duration { n := 5; return time.Duration(n) * time.Second }`, "5000000000"},
		{"integer division", `func f() int { n := 7; return n / 2 }`, "3"},
		{"float division", `func f() float64 { n := 7.0; return n / 2 }`, "7/2"},
		{"whole float divided", `func f() float64 { n := 1.0; return n / 4 }`, "1/4"},
		{"truncation towards zero", `func f() int { x := -2.5; return int(x) }`, "-2"},
		{"float of int divided", `func f() float64 { n := 1; return float64(n) / 4 }`, "1/4"},
		{"shift", `func f() int { n := 4; return 1 << n }`, "16"},
		{"bits", `func f() int { n := 12; return n & 10 | 1 }`, "9"},
		{"remainder", `func f() int { n := 12; return n % 5 }`, "2"},
		{"min", `func f() int { n := 12; return min(n, 5, 7) }`, "5"},
		{"max", `func f() int { n := 12; return max(n, 5, 7) }`, "12"},
		{"comparison", `func f() bool { n := 12; return n > 5 }`, "true"},
		{"parameter", `func f(n int) int { return n * 2 }`, "(#0 * 2)"},
		{"receiver counts", `type T int; func (t T) f(n int) int { return n }; func f(n int) int { return T(0).f(n) }`, "#0"},
		{"branches", `func f(b bool) int { n := 1; if b { n = 2 }; return n }`, "{1, 2}"},
		{"operator over branches", `func f(b bool) int { n := 1; if b { n = 2 }; return n * 10 }`, "{10, 20}"},
		{"same on both branches", `func f(b bool) int { n := 1; if b { n = 1 }; return n }`, "1"},
		{"helper", `func g(n int) int { return n + 1 }; func f() int { return g(2) }`, "3"},
		{"helper of helper", `func h(n int) int { return n * 3 }; func g(n int) int { return h(n) + 1 }; func f() int { return g(2) }`, "7"},
		{"closure", `func f() int { n := 2; g := func() int { return n }; return g() }`, "2"},
		{"generic helper", `func g[T any](v T) T { return v }; func f() int { return g(4) }`, "4"},
		{"package variable", `var n = 5; func f() int { return n }`, "5"},
		{"package variable set in init", `var n int; func init() { n = 6 }; func f() int { return n }`, "6"},
		{"package variable set elsewhere", `var n = 5; func g() { n = 7 }; func f() int { return n }`, "{5, 7}"},
		{"slice", `func f() []int { s := []int{1, 2}; return append(s, 3) }`, "[1, 2, 3]"},
		{"slice spread", `func f() []int { a := []int{1}; b := []int{2, 3}; return append(a, b...) }`, "[1, 2, 3]"},
		{"slice of nil", `func f() []int { var s []int; return append(s, 1) }`, "[1]"},
		{"slice on some paths", `func f(b bool) []int { s := []int{1}; if b { s = append(s, 2) }; return s }`, "{[1], [1, 2]}"},
		{"length", `func f() int { s := []int{1, 2}; return len(append(s, 3)) }`, "3"},
		{"element", `func f() int { s := []int{4, 5}; return s[1] }`, "5"},
		{"modelled call", `func f() string { return strings.ToUpper("a") }`, `strings.ToUpper("a")`},
		{"map", `func f() int { m := map[string]int{"a": 1}; return m["a"] }`, "?(it comes from a map)"},
		{"loop", `func f() int { n := 1; for range 3 { n *= 2 }; return n }`, "{1, 2, ?(it changes in a loop)}"},
		{"interface method", `type i interface{ n() int }; func f(v i) int { return v.n() }`, "?(the result of n, an interface method)"},
		{"recursion", `func f() int { return f() + 1 }`, "?(the result of p.f)"},
		{"default of a parameter", `func g(n int) int { if n == 0 { n = 12 }; return n }; func f() int { return g(0) }`, "12"},
		{"default of a parameter that is set", `func g(n int) int { if n == 0 { n = 12 }; return n }; func f() int { return g(3) }`, "3"},
		{"default of a parameter that is not known", `func f(n int) int { if n <= 0 { n = 12 }; return n }`, "if<=(#0, 0, 12)"},
		{"default in the other branch", `func g(n int) int { if n > 0 { return n }; return 12 }; func f() int { return g(3) }`, "{3, 12}"},
		{"upper bound", `func g(n int) int { if n > 5 { n = 5 }; return n }; func f() int { return g(9) }`, "5"},
		{"default of an unknown value", `func f(m map[string]int) int { n := m["a"]; if n == 0 { n = 12 }; return n }`, "{?(it comes from a map), 12}"},
		{"result with an error left out", `func g(b bool) (int, error) { if b { return 0, err }; return 4, nil }; var err error; func f(b bool) int { n, _ := g(b); return n }`, "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := evaluator(t, c.decls)
			fn := e.Package.Func("f")
			got := e.Outline(fn).Returns[0].String()
			if got != c.want {
				t.Errorf("f returns %s, want %s", got, c.want)
			}
		})
	}
}

// TestFields selects a field of an object after what was done to the object.
func TestFields(t *testing.T) {
	const types = `
type inner struct{ n int; s []int }
type obj struct{ a, b int; in inner; p *inner }
func set(o *obj) { o.a = 7 }
type opt func(*obj)
func withA(n int) opt { return func(o *obj) { o.a = n } }
func make1(opts ...opt) *obj { o := &obj{a: 1}; for _, f := range opts { f(o) }; return o }
`
	for _, c := range []struct{ name, decls, want string }{
		{"literal", `func f() int { o := &obj{a: 3}; return o.a }`, "3"},
		{"zero of the literal", `func f() int { o := &obj{a: 3}; return o.b }`, "0"},
		{"written later", `func f() int { o := &obj{a: 3}; o.a = 4; return o.a }`, "4"},
		{"written after the use", `func f() int { o := &obj{a: 3}; n := o.a; o.a = 4; return n }`, "3"},
		{"written on one path", `func f(b bool) int { o := &obj{a: 3}; if b { o.a = 4 }; return o.a }`, "{3, 4}"},
		{"nested", `func f() int { o := obj{in: inner{n: 3}}; return o.in.n }`, "3"},
		{"nested and written later", `func f() int { o := obj{in: inner{n: 3}}; o.in.n = 5; return o.in.n }`, "5"},
		{"inner replaced", `func f() int { o := obj{in: inner{n: 3}}; o.in = inner{}; return o.in.n }`, "0"},
		{"behind a pointer", `func f() int { o := &obj{p: &inner{n: 6}}; return o.p.n }`, "6"},
		{"copied", `func f() int { o := obj{a: 3}; c := o; o.a = 4; return c.a }`, "3"},
		{"written by a helper", `func f() int { o := &obj{a: 3}; set(o); return o.a }`, "7"},
		{"written in a closure that runs", `func f() int { o := &obj{a: 3}; func() { o.a = 4 }(); return o.a }`, "{3, 4}"},
		{"option", `func f() int { return make1(withA(5)).a }`, "5"},
		{"two options", `func f() int { return make1(withA(5), withA(6)).a }`, "6"},
		{"no option", `func f() int { return make1().a }`, "1"},
		{"of a parameter", `func f(o *obj) int { return o.a }`, "#0.a"},
		{"either object", `func f(b bool) int { o := &obj{a: 1}; if b { o = &obj{a: 2} }; return o.a }`, "{1, 2}"},
		{"default for zero", `func f() int { o := &obj{}; if o.a == 0 { o.a = 12 }; return o.a }`, "12"},
		{"default for what is set", `func f() int { o := &obj{a: 3}; if o.a == 0 { o.a = 12 }; return o.a }`, "3"},
		{"default by a method", `func (o *obj) fill() { if o.a <= 0 { o.a = 12 }; if o.b == 0 { o.b = 1 } }; func f() int { o := obj{b: 2}; o.fill(); return o.a + o.b }`, "14"},
		{"default by a method called on one path", `func (o *obj) fill() { if o.a <= 0 { o.a = 12 } }; func f(b bool) int { o := obj{}; if b { o.fill() }; return o.a }`, "{0, 12}"},
		{"default after what was compared changed", `func f() int { o := &obj{}; n := o.a; o.a = 5; if n == 0 { o.a = 12 }; return o.a }`, "12"},
		{"default under another condition, too", `func f(b bool) int { o := &obj{}; if b { if o.a == 0 { o.a = 12 } }; return o.a }`, "{0, 12}"},
		{"default for nil", `func f() int { o := &obj{}; if o.p == nil { o.p = &inner{n: 2} }; return o.p.n }`, "2"},
		{"address given away", `func g(*int); func f() int { o := &obj{a: 3}; g(&o.a); return o.a }`, "?(the address of field a is taken)"},
		{"address of a local given away", `func g(*int); func f() int { n := 3; g(&n); return n }`, "?(p.g may set it)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := evaluator(t, types+c.decls)
			got := e.Outline(e.Package.Func("f")).Returns[0].String()
			if got != c.want {
				t.Errorf("f returns %s, want %s", got, c.want)
			}
		})
	}
}
