package retry

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

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
		if value.IsError(v.Type()) {
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
		case c.IsNil() && !value.IsError(v.X.Type()):
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
	case value.IsError(typ) && local:
		q.local = true
	case value.IsError(typ):
		q.failure = true
	case local:
		q.args(call)
	case returnsError(call.Common().Signature()):
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
