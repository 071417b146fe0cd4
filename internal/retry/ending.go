package retry

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// An ending says what follows when an attempt ends in one of its ways.
type ending int

const (
	failed   ending = iota // another attempt, because something failed
	answered               // another attempt, because of what an answer contains
	waiting                // likewise, because it tells a state that is still to change
	done                   // none: it returns no error
	marked                 // none: its error is marked as permanent, or not as retryable
)

// endings are the ways in which an attempt may end.
type endings [5]bool

// An ender finds out how attempts end under one policy.
type ender struct {
	f *Finder
	// optIn says that only errors that are marked as retryable are retried.
	optIn bool
	// says is set where the operation says by a bool whether it is done.
	says bool
}

// endsRetry reports whether no attempt follows because the call at pos failed:
// each way from it to the end of op returns nil, or an error that is marked as
// permanent (where only marked ones are retried: that is not marked), or comes of
// what the answer says.
func (r ender) endsRetry(op *ssa.Function, pos token.Pos) bool {
	from := r.callAt(op, pos)
	if from == nil || !r.f.canFail(op.Signature) {
		return false
	}
	ends := r.from(from.Block())
	return !ends[failed] && (ends[marked] || r.optIn)
}

// polls reports whether op asks again for a state that has not come yet, whatever
// else makes it ask again, or only because of what it was answered: a failure
// ends it then.
func (r ender) polls(op *ssa.Function) bool {
	if len(op.Blocks) == 0 || !r.f.canFail(op.Signature) {
		return false
	}
	ends := r.function(op)
	return ends[waiting] || ends[answered] && !ends[failed]
}

// never reports whether the operation of the site is seen to end in no way after
// which another attempt is made.
func (r ender) never(s *Site) bool {
	op := s.Operation
	if op == nil || op.Function() == nil || len(op.Function().Blocks) == 0 || !r.f.canFail(op.Function().Signature) {
		return false
	}
	for _, p := range s.Policies {
		// What code of the user's decides, it may decide by the other results.
		set, ok := p.Get("predicate")
		byError := ok && (set.Is("opt-in") || set.Is("opt-out") || set.Is("catch-all"))
		if !byError && (set.Is("caller") || op.Function().Signature.Results().Len() > 1) {
			return false
		}
	}
	ends := r.function(op.Function())
	return !ends[failed] && !ends[answered] && !ends[waiting] && (ends[done] || ends[marked])
}

// callAt is the call of fn that stands at pos.
func (r ender) callAt(fn *ssa.Function, pos token.Pos) ssa.Instruction {
	if call := callAt(fn, pos); call != nil {
		return call
	}
	for _, anon := range fn.AnonFuncs {
		if syntax := anon.Syntax(); syntax == nil || pos < syntax.Pos() || pos >= syntax.End() {
			continue
		}
		as, uses := r.f.Evaluator.Uses(anon)
		if len(uses) != 1 {
			return nil
		}
		if call, ok := uses[0].(ssa.CallInstruction); ok && call.Common().Value != as && call.Parent() == fn && anon.Signature.Results().Len() > 0 {
			return call
		}
		return nil
	}
	return nil
}

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

// function is how fn ends, found out once.
func (r ender) function(fn *ssa.Function) endings {
	key := endKey{fn, r.optIn, r.says}
	if known, ok := r.f.ends[key]; ok {
		return known
	}
	r.f.ends[key] = endings{failed: true} // for a call of itself
	out := endings{}
	if r.says && saysDone(fn.Signature) {
		out = r.asks(fn)
	} else {
		out = r.from(fn.Blocks[0])
	}
	r.f.ends[key] = out
	return out
}

// saysDone reports whether a function says by a bool that no attempt shall follow,
// and by an error that none can.
func saysDone(sig *types.Signature) bool {
	res := sig.Results()
	return res.Len() == 2 && types.Identical(res.At(0).Type(), types.Typ[types.Bool]) && value.IsError(res.At(1).Type())
}

// asks is how a function ends that says by a bool whether it is done: another
// attempt follows when it is not, and there is no error.
func (r ender) asks(fn *ssa.Function) (out endings) {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		is, err := ret.Results[0], ret.Results[1]
		c, isConst := err.(*ssa.Const)
		switch callee := r.inSight(err); {
		case isTrue(is), isConst && !c.IsNil(), !isConst && isFalse(is):
			out[done] = true
		case !isConst && callee != nil && saysDone(callee.Signature):
			for e, holds := range r.function(callee) {
				out[e] = out[e] || holds
			}
		case !isConst:
			out[failed] = true // as far as anyone can tell
		case isFalse(is):
			out[reason(b, map[*ssa.BasicBlock]bool{})] = true
		default:
			var q question
			q.ask(is)
			if why := q.asks(); why != done {
				out[why] = true
			} else {
				out[failed] = true
			}
		}
	}
	return out
}

func isTrue(v ssa.Value) bool  { return isBool(v, true) }
func isFalse(v ssa.Value) bool { return isBool(v, false) }

func isBool(v ssa.Value, is bool) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) == is
}

type endKey struct {
	fn    *ssa.Function
	optIn bool
	says  bool
}

// from is how the function ends from a block on.
func (r ender) from(block *ssa.BasicBlock) (out endings) {
	seen := make([]bool, len(block.Parent().Blocks))
	work := []*ssa.BasicBlock{block}
	var returns []*ssa.Return
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b.Index] {
			continue
		}
		seen[b.Index] = true
		work = append(work, b.Succs...)
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			returns = append(returns, ret)
		}
	}
	for _, ret := range returns {
		r.returned(result(ret), ret.Block(), seen, map[ssa.Value]bool{}, &out)
	}
	return out
}

// result is the error of a return. Where calls are deferred it passes through a
// variable, so that they can change it.
func result(ret *ssa.Return) ssa.Value {
	err := ret.Results[len(ret.Results)-1]
	load, ok := err.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != ret.Block() {
		return err
	}
	for _, instr := range ret.Block().Instrs {
		if instr == ssa.Instruction(load) {
			break
		}
		if s, ok := instr.(*ssa.Store); ok && s.Addr == load.X {
			err = s.Val
		}
	}
	return err
}

// returned adds what it comes to that err is returned, on ways through the blocks
// that are seen, the last of which is at.
func (r ender) returned(err ssa.Value, at *ssa.BasicBlock, seen []bool, visited map[ssa.Value]bool, out *endings) {
	if visited[err] {
		return
	}
	if phi, ok := err.(*ssa.Phi); ok {
		visited[err] = true
		for i, edge := range phi.Edges {
			if from := phi.Block().Preds[i]; seen[from.Index] {
				r.returned(edge, from, seen, visited, out)
			}
		}
		return
	}
	if c, ok := err.(*ssa.Const); ok && c.IsNil() {
		out[done] = true
		return
	}
	switch callee := r.inSight(err); {
	case r.optIn && !r.f.mayRetry(err, map[ssa.Value]bool{}), !r.optIn && (r.f.isPermanent(err) || r.f.isEnded(at)):
		out[marked] = true
	case callee != nil:
		for e, is := range r.function(callee) {
			if ending(e) == waiting {
				e = int(answered) // deep below, a state is one answer among others
			}
			out[e] = out[e] || is
		}
	case r.f.isMade(err) || r.f.wrapsNothing(err, at):
		out[reason(at, map[*ssa.BasicBlock]bool{})] = true
	default:
		out[failed] = true
	}
}

// inSight is the function of this package whose error err is.
func (r ender) inSight(err ssa.Value) *ssa.Function {
	if x, ok := err.(*ssa.Extract); ok {
		err = x.Tuple
	}
	call, ok := err.(*ssa.Call)
	if !ok {
		return nil
	}
	callee := call.Common().StaticCallee()
	if callee == nil || callee.Pkg != r.f.Evaluator.Package || len(callee.Blocks) == 0 || !r.f.canFail(callee.Signature) {
		return nil
	}
	return callee
}

// isPermanent reports whether an error is marked to end a retry.
func (f *Finder) isPermanent(err ssa.Value) bool {
	if made, ok := err.(*ssa.MakeInterface); ok {
		if f.marksPermanent(model.TypeSymbol(made.X.Type())) {
			return true
		}
		err = made.X // *PermanentError as a result
	}
	call, ok := err.(*ssa.Call)
	return ok && slices.ContainsFunc(value.CalleeSymbols(call.Common()), f.marksPermanent)
}

// isEnded reports whether a call that ends the retry was made on all ways to the
// block: r.Break().
func (f *Finder) isEnded(b *ssa.BasicBlock) bool {
	for ; b != nil; b = b.Idom() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && call.Common().Signature().Results().Len() == 0 && slices.ContainsFunc(value.CalleeSymbols(call.Common()), f.marksPermanent) {
				return true
			}
		}
	}
	return false
}

func (f *Finder) marksPermanent(sym model.Symbol) bool {
	e := f.Catalogue.Lookup(sym)
	return e != nil && e.Marker != nil && e.Marker.Means == "permanent"
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
				return e.Marker.Means != "permanent"
			} else if e != nil && e.Sender != nil {
				return false
			}
		}
		callee := err.Common().StaticCallee()
		if callee == nil {
			return true
		}
		if callee.Pkg == f.Evaluator.Package && len(callee.Blocks) > 0 {
			return !f.noMarkers(callee, maxMarkerDepth, map[*ssa.Function]bool{})
		}
		// Errors of the standard library are as good as what they wrap.
		obj := value.Object(callee)
		return obj == nil || obj.Pkg() == nil || !effect.IsStandard(obj.Pkg().Path()) || obj.Pkg().Path() == "fmt"
	}
	return true
}

// isMade reports whether an error is made where it is returned, rather than
// handed on from a call that failed.
func (f *Finder) isMade(err ssa.Value) bool {
	switch err := err.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp: // a variable that holds it
		_, ok := err.X.(*ssa.Global)
		return ok && err.Op == token.MUL
	case *ssa.Call:
		for _, sym := range value.CalleeSymbols(err.Common()) {
			if e := f.Catalogue.Lookup(sym); e != nil && e.Marker != nil && len(err.Common().Args) > 0 {
				return f.isMade(err.Common().Args[0])
			}
		}
		return isLocal(err.Common())
	}
	return false
}

// wrapsNothing reports whether an error is marked that is known to be nil where that
// is done: what failed is not a call.
func (f *Finder) wrapsNothing(err ssa.Value, at *ssa.BasicBlock) bool {
	call, ok := err.(*ssa.Call)
	if !ok || len(call.Common().Args) == 0 {
		return false
	}
	inner := call.Common().Args[0]
	for b := at; b != nil; b = b.Idom() {
		dom := b.Idom()
		if dom == nil {
			return false
		}
		branch, ok := dom.Instrs[len(dom.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cmp.X != inner {
			continue
		}
		if c, ok := cmp.Y.(*ssa.Const); ok && c.IsNil() {
			return cmp.Op == token.NEQ && dom.Succs[1] == b || cmp.Op == token.EQL && dom.Succs[0] == b
		}
	}
	return false
}

// isLocal reports whether a call is known to stay in the process.
func isLocal(c *ssa.CallCommon) bool {
	fn := c.Method
	if !c.IsInvoke() {
		callee := c.StaticCallee()
		if callee == nil {
			return false
		}
		if fn = value.Object(callee); fn == nil {
			return false
		}
	}
	return fn.Pkg() != nil && effect.StaysInside(fn.Pkg().Path())
}

// onlyPolls reports whether the site only asks again and again for a state: what its
// operation was answered decides, and no write is sent again because it failed.
func (r ender) onlyPolls(s *Site) bool {
	op := s.Operation
	if op == nil || op.Function() == nil {
		return false
	}
	if slices.ContainsFunc(s.Sends, func(send Send) bool { return send.Write() && send.Repeats() }) {
		return false
	}
	return r.polls(op.Function())
}
