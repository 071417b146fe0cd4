package retry

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/value"
)

// alwaysReturns is the bool that fn returns first, if that is always the same
// whatever it is given.
func alwaysReturns(fn *ssa.Function) (answer, always bool) {
	returns := 0
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 {
			continue
		}
		c, ok := ret.Results[0].(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Bool {
			return false, false
		}
		if one := constant.BoolVal(c.Value); returns > 0 && one != answer {
			return false, false
		} else {
			answer = one
		}
		returns++
	}
	return answer, returns > 0
}

// predicate names what the site retries. A library that retries every error
// but marked ones is a catch-all only when the operation marks none.
func (f *Finder) predicate(s *Site) string {
	out := ""
	for _, p := range s.Policies {
		name := "unknown"
		if set, ok := p.Get("predicate"); ok && set.Known() {
			switch set.Word {
			case "opt-out":
				if f.marksNothing(s.Operation) {
					name = "catch-all"
				}
			case "opt-in", "caller", "custom":
			default:
				name = set.Word
			}
		}
		if out != "" && out != name {
			return "unknown"
		}
		out = name
	}
	return out
}

// maxMarkerDepth bounds the calls followed in search of a marker.
const maxMarkerDepth = 4

// marksNothing reports whether the operation is seen to the end and marks no
// error as permanent or retryable.
func (f *Finder) marksNothing(op *value.Term) bool {
	if op == nil || op.Kind != value.Func || op.Function() == nil {
		return false
	}
	return f.noMarkers(op.Function(), maxMarkerDepth, map[*ssa.Function]bool{})
}

func (f *Finder) noMarkers(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return true
	}
	seen[fn] = true
	if depth == 0 || len(fn.Blocks) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, sym := range value.CalleeSymbols(call.Common()) {
				if e := f.Catalogue.Lookup(sym); e != nil && e.Marker != nil {
					return false
				}
			}
			// Code out of sight that returns an error may return a marked one;
			// one that is given the operation's own argument may call it.
			callee := call.Common().StaticCallee()
			if callee != nil && callee.Pkg == f.Evaluator.Package && len(callee.Blocks) > 0 {
				if !f.noMarkers(callee, depth-1, seen) {
					return false
				}
				continue
			}
			for _, arg := range call.Common().Args {
				if e := f.Catalogue.Lookup(value.TypeSymbol(arg.Type())); e != nil && e.Value != nil && fn.Parent() != nil && isParam(fn, arg) {
					return false
				}
			}
		}
	}
	return true
}

func isParam(fn *ssa.Function, v ssa.Value) bool {
	for _, p := range fn.Params {
		if p == v {
			return true
		}
	}
	return false
}
