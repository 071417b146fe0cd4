package retry

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

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
}

// endsRetry reports whether no attempt follows because the call at pos failed:
// each way from it to the end of op returns nil, or an error that is marked as
// permanent (where only marked ones are retried: that is not marked), or comes of
// what the answer says.
func (r ender) endsRetry(op *ssa.Function, pos token.Pos) bool {
	from := callAt(op, pos)
	if from == nil || !canFail(op.Signature) {
		return false
	}
	ends := r.from(from.Block(), maxMarkerDepth)
	return !ends[failed] && (ends[marked] || r.optIn)
}

// polls reports whether op asks again for a state that has not come yet, whatever
// else makes it ask again, or only because of what it was answered: a failure
// ends it then.
func (r ender) polls(op *ssa.Function) bool {
	if len(op.Blocks) == 0 || !canFail(op.Signature) {
		return false
	}
	ends := r.from(op.Blocks[0], maxMarkerDepth)
	return ends[waiting] || ends[answered] && !ends[failed]
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

// from is how the function ends from a block on.
func (r ender) from(block *ssa.BasicBlock, depth int) (out endings) {
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
		r.returned(result(ret), ret.Block(), seen, map[ssa.Value]bool{}, depth, &out)
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
func (r ender) returned(err ssa.Value, at *ssa.BasicBlock, seen []bool, visited map[ssa.Value]bool, depth int, out *endings) {
	if visited[err] {
		return
	}
	if phi, ok := err.(*ssa.Phi); ok {
		visited[err] = true
		for i, edge := range phi.Edges {
			if from := phi.Block().Preds[i]; seen[from.Index] {
				r.returned(edge, from, seen, visited, depth, out)
			}
		}
		return
	}
	if c, ok := err.(*ssa.Const); ok && c.IsNil() {
		out[done] = true
		return
	}
	switch callee := r.inSight(err); {
	case r.optIn && !r.f.mayRetry(err, map[ssa.Value]bool{}), !r.optIn && r.f.isPermanent(err):
		out[marked] = true
	case callee != nil && depth > 0:
		for e, is := range r.from(callee.Blocks[0], depth-1) {
			if ending(e) == waiting {
				e = int(answered) // deep below, a state is one answer among others
			}
			out[e] = out[e] || is
		}
	case r.f.isMade(err):
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
	if callee == nil || callee.Pkg != r.f.Evaluator.Package || len(callee.Blocks) == 0 || !canFail(callee.Signature) {
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
				return true
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

// reason is why control is at the block, where an error is made: what was asked
// last, on all ways to it.
func reason(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) ending {
	seen[b] = true
	out := failed
	first := true
	for _, from := range b.Preds {
		if seen[from] {
			continue // decided by the ways into the loop
		}
		why := failed
		if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
			var q question
			q.ask(branch.Cond)
			why = q.asks()
			if why == done { // of a computation alone, such as parsing
				why = reason(from, seen)
			}
		} else {
			why = reason(from, seen)
		}
		switch {
		case why == failed:
			return failed
		case first || why == answered:
			out = why
		}
		first = false
	}
	return out
}

// A question is what a condition asks about.
type question struct {
	failure bool // whether something failed
	answer  bool // what a call that may fail, and did not, returned
	state   bool // a state by its name
	local   bool // whether a computation failed, such as parsing
	seen    map[ssa.Value]bool
}

// asks is what a positive answer leads to; done when that is not known yet.
func (q *question) asks() ending {
	switch {
	case q.failure:
		return failed
	case q.answer && q.state:
		return waiting
	case q.answer:
		return answered
	case q.local:
		return done
	}
	return failed
}

// maxQuestion bounds how many values a condition is followed through.
const maxQuestion = 60

func (q *question) ask(v ssa.Value) {
	if q.seen == nil {
		q.seen = map[ssa.Value]bool{}
	}
	if q.seen[v] {
		return
	}
	if q.seen[v] = true; len(q.seen) > maxQuestion {
		q.failure = true // as far as anyone can tell
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		return
	case *ssa.BinOp:
		q.compare(v)
	case *ssa.FieldAddr:
		q.named(value.FieldName(v))
		q.failure = q.failure || isEnvelope(v.X.Type())
	case *ssa.Field:
		q.named(v.X.Type().Underlying().(*types.Struct).Field(v.Field).Name())
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			q.result(call, v.Type())
			return
		}
	case *ssa.Call:
		if isError(v.Type()) {
			q.result(v, v.Type())
			return
		}
		q.called(v)
		return
	case *ssa.UnOp:
		if v.Op == token.MUL {
			q.stored(v)
		}
	}
	if instr, ok := v.(ssa.Instruction); ok {
		for _, op := range instr.Operands(nil) {
			if *op != nil {
				q.ask(*op)
			}
		}
	}
}

// compare notes comparisons that ask for success: with nil, with a number that is
// an HTTP status, or with a word for it.
func (q *question) compare(v *ssa.BinOp) {
	for _, operand := range []ssa.Value{v.X, v.Y} {
		c, ok := operand.(*ssa.Const)
		if !ok {
			continue
		}
		b, isBasic := c.Type().Underlying().(*types.Basic)
		switch {
		case c.IsNil() && !isError(v.X.Type()):
			q.failure = true
		case isBasic && b.Info()&types.IsInteger != 0 && c.Int64() >= 100 && c.Int64() < 600:
			q.failure = true
		case isBasic && b.Info()&types.IsString != 0:
			q.failure = q.failure || slices.Contains(successes, strings.ToLower(constant.StringVal(c.Value)))
		}
	}
}

// successes are words by which answers say that the request succeeded.
var successes = []string{"success", "ok", "200", "0"}

// isEnvelope reports whether t is what carries an answer, not the answer itself.
func isEnvelope(t types.Type) bool {
	return model.TypeSymbol(t) == model.Symbol{Pkg: "net/http", Name: "Response"}
}

// result notes a result of a call that says when it failed.
func (q *question) result(call *ssa.Call, typ types.Type) {
	local := isLocal(call.Common())
	switch {
	case isError(typ) && local:
		q.local = true
	case isError(typ):
		q.failure = true
	case local:
		q.args(call)
	case canFail(call.Common().Signature()):
		q.answer = true
	default:
		q.args(call)
	}
}

// called notes a call that never fails: it asks about what it is given.
func (q *question) called(call *ssa.Call) {
	common := call.Common()
	if common.IsInvoke() {
		q.named(common.Method.Name())
	} else if callee := common.StaticCallee(); callee != nil {
		q.named(callee.Name())
	}
	q.args(call)
}

func (q *question) args(call *ssa.Call) {
	common := call.Common()
	if common.IsInvoke() {
		q.ask(common.Value)
	}
	for _, a := range common.Args {
		q.ask(a)
	}
}

// stored notes what is written to the variable that load reads.
func (q *question) stored(load *ssa.UnOp) {
	switch load.X.(type) {
	case *ssa.FreeVar, *ssa.Alloc:
		for _, ref := range *load.X.Referrers() {
			if s, ok := ref.(*ssa.Store); ok && s.Addr == load.X {
				q.ask(s.Val)
			}
		}
	}
}

// failures are names under which answers say whether the request succeeded.
var failures = []string{
	"statuscode", "httpstatuscode", "httpstatus", "code", "errcode", "errorcode", "errno", "retcode", "resultcode",
	"iserror", "issuccess", "success", "ok", "error", "errors", "err", "errmsg", "fail", "failed", "failure",
}

// states are names, or their ends, under which answers tell a state.
var states = []string{"status", "state", "phase", "complete", "completed", "done", "ready", "finished", "pending", "progress", "synced"}

// named notes the name of a field or function that is asked.
func (q *question) named(name string) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	q.failure = q.failure || slices.Contains(failures, name)
	q.state = q.state || slices.ContainsFunc(states, func(s string) bool { return strings.HasSuffix(name, s) })
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
