package retry

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// endsRetry reports whether no attempt follows one in which the call at pos was
// made: each way from it to the end of op returns nil or an error that is marked
// as permanent, or that is not marked where only marked ones are retried.
func (f *Finder) endsRetry(op *ssa.Function, pos token.Pos, optIn bool) bool {
	from := callAt(op, pos)
	if from == nil || !canFail(op.Signature) {
		return false
	}
	marks := optIn
	seen := make([]bool, len(op.Blocks))
	work := []*ssa.BasicBlock{from.Block()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b.Index] {
			continue
		}
		seen[b.Index] = true
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			work = append(work, b.Succs...)
			continue
		}
		err := ret.Results[len(ret.Results)-1]
		if optIn {
			if f.mayRetry(err, map[ssa.Value]bool{}) {
				return false
			}
			continue
		}
		final, marked := f.final(err, map[ssa.Value]bool{})
		if !final {
			return false
		}
		marks = marks || marked
	}
	return marks
}

// retriesMarkedOnly reports whether only errors marked as retryable are retried.
func retriesMarkedOnly(lib *model.Library, ps []*Policy) bool {
	if !slices.ContainsFunc(lib.Markers, func(m model.Marker) bool { return m.Means == "retryable" }) {
		return false // it retries listed errors
	}
	for _, p := range ps {
		if set, ok := p.Get("predicate"); !ok || set.Word != "opt-in" {
			return false
		}
	}
	return len(ps) > 0
}

// callAt is the call of fn that stands at pos.
func callAt(fn *ssa.Function, pos token.Pos) ssa.Instruction {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && call.Pos() == pos {
				return instr
			}
		}
	}
	return nil
}

// final reports whether an error ends a retry whatever the policy, as nil does,
// and whether it is marked to do so.
func (f *Finder) final(err ssa.Value, seen map[ssa.Value]bool) (final, marked bool) {
	if seen[err] {
		return true, false
	}
	seen[err] = true
	switch err := err.(type) {
	case *ssa.Const:
		return err.IsNil(), false
	case *ssa.Phi:
		for _, edge := range err.Edges {
			ok, m := f.final(edge, seen)
			if !ok {
				return false, false
			}
			marked = marked || m
		}
		return true, marked
	case *ssa.MakeInterface:
		ok := f.permanent(model.TypeSymbol(err.X.Type()))
		if call, isCall := err.X.(*ssa.Call); isCall && !ok { // *PermanentError as a result
			return f.final(call, seen)
		}
		return ok, ok
	case *ssa.Call:
		for _, sym := range value.CalleeSymbols(err.Common()) {
			if f.permanent(sym) {
				return true, true
			}
		}
	}
	return false, false
}

func (f *Finder) permanent(sym model.Symbol) bool {
	e := f.Catalogue.Lookup(sym)
	return e != nil && e.Marker != nil && e.Marker.Means == "permanent"
}

// mayRetry reports whether an error may be marked as one to retry on.
func (f *Finder) mayRetry(err ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[err] {
		return false
	}
	seen[err] = true
	switch err := err.(type) {
	case *ssa.Const:
		return false
	case *ssa.Phi:
		return slices.ContainsFunc(err.Edges, func(edge ssa.Value) bool { return f.mayRetry(edge, seen) })
	case *ssa.Extract:
		return f.mayRetry(err.Tuple, seen)
	case *ssa.Call:
		for _, sym := range value.CalleeSymbols(err.Common()) {
			if e := f.Catalogue.Lookup(sym); e != nil && e.Marker != nil {
				return true
			} else if e != nil && e.Sender != nil {
				return false
			}
		}
		// Errors of the standard library are as good as what they wrap.
		callee := err.Common().StaticCallee()
		if callee == nil || callee.Pkg == f.Evaluator.Package && len(callee.Blocks) > 0 {
			return callee == nil || !f.noMarkers(callee, maxMarkerDepth, map[*ssa.Function]bool{})
		}
		obj := value.Object(callee)
		return obj == nil || obj.Pkg() == nil || strings.Contains(obj.Pkg().Path(), ".") || obj.Pkg().Path() == "fmt"
	}
	return true
}
