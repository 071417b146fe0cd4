package value

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
)

// What several rooms ask of the intermediate form.

// Outermost is the declared function around fn, or fn itself.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Unboxed is what v converts without making another value of it; ok is false when v
// is no such conversion.
func Unboxed(v ssa.Value) (inner ssa.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X, true
	case *ssa.ChangeInterface:
		return v.X, true
	case *ssa.ChangeType:
		return v.X, true
	}
	return v, false
}

// Turns reports whether control comes back to the block.
func Turns(b *ssa.BasicBlock) bool {
	seen := make([]bool, len(b.Parent().Blocks))
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		if next == b {
			return true
		}
		if !seen[next.Index] {
			seen[next.Index] = true
			work = append(work, next.Succs...)
		}
	}
	return false
}

// IsError reports whether t is the type error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// IsContext reports whether t is context.Context.
func IsContext(t types.Type) bool {
	return model.TypeSymbol(t) == model.Symbol{Pkg: "context", Name: "Context"}
}

// IsResponse reports whether t is http.Response, or a pointer to one.
func IsResponse(t types.Type) bool {
	return model.TypeSymbol(t) == model.Symbol{Pkg: "net/http", Name: "Response"}
}
