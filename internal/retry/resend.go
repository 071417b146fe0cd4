package retry

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// resendsBlindly reports whether fn, which others can call, sends again whatever
// request it is given, and looks neither at its method nor at a key of it.
func (f *Finder) resendsBlindly(fn *ssa.Function) bool {
	fn = value.Outermost(fn)
	if !token.IsExported(fn.Name()) || !takesRequest(fn.Signature) {
		return false
	}
	return !f.looks(fn, maxMarkerDepth, map[*ssa.Function]bool{})
}

// takesRequest reports whether a function is given a request, or the method of
// one.
func takesRequest(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if isRequest(p.Type()) || p.Name() == "method" {
			return true
		}
	}
	return false
}

func isRequest(t types.Type) bool {
	sym := model.TypeSymbol(t)
	return sym.Name == "Request" && (sym.Pkg == "net/http" || strings.HasSuffix(sym.Pkg, "http"))
}

// looks reports whether code of fn, or of what it calls in this package, tests the
// method of a request, or reads a header that may be its key.
func (f *Finder) looks(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) bool {
	if seen[fn] || depth == 0 {
		return false
	}
	seen[fn] = true
	for _, body := range WithClosures(fn) {
		for _, b := range body.Blocks {
			for _, instr := range b.Instrs {
				switch i := instr.(type) {
				case *ssa.BinOp:
					if isMethod(i.X) || isMethod(i.Y) {
						return true
					}
				case *ssa.Lookup:
					if isMethod(i.Index) {
						return true
					}
				case ssa.CallInstruction:
					if readsKey(i.Common()) || f.tests(i.Common()) {
						return true
					}
					callee := i.Common().StaticCallee()
					if callee != nil && callee.Pkg == f.Evaluator.Package && f.looks(callee, depth-1, seen) {
						return true
					}
				}
			}
		}
	}
	return false
}

// tests reports whether a call decides by the method of a request.
func (f *Finder) tests(c *ssa.CallCommon) bool {
	sig := c.Signature()
	if sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
		return false
	}
	for _, a := range c.Args {
		if isMethod(a) {
			return true
		}
	}
	return false
}

// isMethod reports whether v is the method of a request.
func isMethod(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		addr, ok := v.X.(*ssa.FieldAddr)
		return ok && value.FieldName(addr) == "Method" && isRequest(addr.X.Type())
	case *ssa.Parameter:
		return v.Name() == "method"
	case *ssa.Call:
		for _, a := range v.Common().Args { // strings.ToUpper(req.Method)
			if isMethod(a) {
				return true
			}
		}
	}
	return false
}

// readsKey reports whether a call reads a header that may hold a key.
func readsKey(c *ssa.CallCommon) bool {
	syms := value.CalleeSymbols(c)
	if len(syms) == 0 || syms[0].Recv != "Header" || syms[0].Name != "Get" && syms[0].Name != "Values" {
		return false
	}
	name, ok := c.Args[len(c.Args)-1].(*ssa.Const)
	return ok && name.Value != nil && effect.IsKey(strings.Trim(name.Value.ExactString(), `"`))
}
