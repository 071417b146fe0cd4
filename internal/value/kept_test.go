package value

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestKept follows the builder that f makes through the fields it is kept in.
func TestKept(t *testing.T) {
	const types = `
type keeper struct{ b, other *strings.Builder }
type opt func(*keeper)
func (k *keeper) tune() { k.b.Grow(2) }
`
	for _, c := range []struct{ name, decls, want string }{
		{"never told anything", `func f() *keeper { return &keeper{b: &strings.Builder{}} }`, "strings.Builder"},
		{"in the same function", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.b.Grow(3); return k }`, "strings.Builder{Grow(3)}"},
		{"in the same function, before it is kept", `func f(k *keeper) { k.b.Grow(1); k.b = &strings.Builder{}; k.b.Grow(3) }`, "strings.Builder{Grow(3)}"},
		{"under a condition", `func f(more bool) *keeper { k := &keeper{b: &strings.Builder{}}; if more { k.b.Grow(3) }; return k }`, "strings.Builder{maybe Grow(3)}"},
		{"by its first name, later", `func f() *keeper { b := &strings.Builder{}; k := &keeper{b: b}; k.b.Grow(3); b.Grow(4); return k }`, "strings.Builder{Grow(3); Grow(4)}"},
		{"another one by then", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.b = other; k.b.Grow(3); return k }; var other *strings.Builder`, "strings.Builder"},
		{"another field", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.other.Grow(3); return k }`, "strings.Builder"},
		{"another object", `func f() *keeper { k, l := &keeper{b: &strings.Builder{}}, &keeper{}; l.b.Grow(3); return k }`, "strings.Builder"},
		{"by a method", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.tune(); k.b.Grow(3); return k }`, "strings.Builder{Grow(2); Grow(3)}"},
		{"by a method that is called elsewhere, too", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.tune(); k.b.Grow(3); return k }; func g(k *keeper) { k.tune() }`, "strings.Builder{Grow(2); Grow(3); maybe Grow(2)}"},
		{"by a method that is called later", `func f() *keeper { return &keeper{b: &strings.Builder{}} }; func g(k *keeper) { k.tune() }`, "strings.Builder{maybe Grow(2)}"},
		{"by an option", `func f(opts ...opt) *keeper { k := &keeper{b: &strings.Builder{}}; for _, o := range opts { o(k) }; return k }; func With(n int) opt { return func(k *keeper) { k.b.Grow(n) } }`, "strings.Builder{maybe Grow(#0)}"},
		{"by the only caller", `func f() *keeper { return &keeper{b: &strings.Builder{}} }; func G() *keeper { k := f(); k.b.Grow(3); return k }`, "strings.Builder{Grow(3)}"},
		{"by the only caller, which passed the struct", `func f(k *keeper) { k.b = &strings.Builder{} }; func G() { k := &keeper{}; f(k); k.b.Grow(3) }`, "strings.Builder{Grow(3)}"},
		{"by one of two callers", `func f() *keeper { return &keeper{b: &strings.Builder{}} }; func G() { f().b.Grow(3) }; func H() { f() }`, "strings.Builder{maybe Grow(3)}"},
		{"by the caller that keeps it", `func f() *strings.Builder { return &strings.Builder{} }; func G() { k := &keeper{b: f()}; k.b.Grow(3) }`, "strings.Builder{Grow(3)}"},
		{"in the order of calls", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.b.Grow(1); return k }; func G() { f().b.Grow(3) }; func A(k *keeper) { k.b.Grow(4) }`, "strings.Builder{Grow(1); Grow(3); maybe Grow(4)}"},
		{"from field to field", `type wide struct { k *keeper }; func f() { k := &keeper{b: &strings.Builder{}}; k.other = k.b }; func A(w *wide) { w.k.other.Grow(4) }`, "strings.Builder{maybe Grow(4)}"},
		{"asking itself", `func f() *keeper { k := &keeper{b: &strings.Builder{}}; k.b.Grow(k.b.Len()); return k }; func A(k *keeper) { k.b.Grow(k.b.Len()) }`, "strings.Builder{Len(); Grow(strings.Builder.Len(strings.Builder)); maybe Len(); maybe Grow(strings.Builder.Len(#0.b))}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := evaluator(t, types+c.decls)
			if got := e.Kept(builderIn(e.Package.Func("f")), nil).String(); got != c.want {
				t.Errorf("the builder is %s, want %s", got, c.want)
			}
		})
	}
}

// builderIn is the first builder that fn makes.
func builderIn(fn *ssa.Function) ssa.Value {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && TypeSymbol(a.Type()).Name == "Builder" {
				return a
			}
		}
	}
	return nil
}
