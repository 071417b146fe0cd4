package retry

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/loop"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// handwritten is what a loop that retries is a call of, as if there were such a
// function: facts and policies know loops by it.
var handwritten = model.Symbol{Name: "for"}

// The arguments of that function.
const (
	loopOperation = iota
	loopAttempts
	loopElapsed
	loopDelays
	loopBackoff
	loopInitial
	loopMultiplier
	loopStep
	loopMax
	loopJitter
	loopJitterAmount
	loopDelay // what yields the waits, a library's
	loopArguments
)

// loopEntry is the model of that function.
func loopEntry() *model.Entry {
	arg := func(i int) model.Expr { return model.Expr{Arg: &i, Nil: "ignored"} }
	operation := loopOperation
	return &model.Entry{
		Library: &model.Library{ID: "loop", Name: "loop"},
		Retry: &model.Retry{
			Func: handwritten.Name, Operation: model.Ref{Arg: &operation},
			Sets: model.Sets{
				"attempts": arg(loopAttempts), "elapsed": arg(loopElapsed), "delays": arg(loopDelays),
				"backoff": arg(loopBackoff), "initial": arg(loopInitial), "multiplier": arg(loopMultiplier),
				"step": arg(loopStep), "max": arg(loopMax), "jitter": arg(loopJitter), "jitter_amount": arg(loopJitterAmount),
			},
		},
	}
}

// entry is what is known of a function that retries, loops included.
func (f *Finder) entry(sym model.Symbol) *model.Entry {
	if sym == handwritten {
		return f.loopEntry
	}
	return f.Catalogue.Lookup(sym)
}

// loops lists the loops of fn that retry, as calls.
func (f *Finder) loops(fn *ssa.Function) []retryCall {
	var out []retryCall
	for _, l := range f.Loops.Of(fn) {
		first := l.Calls[0]
		c := retryCall{instr: first, entry: f.loopEntry, entrySym: handwritten, loop: l, sends: l.Events}
		args := make([]*value.Term, loopArguments)
		for i := range args {
			args[i] = &value.Term{Kind: value.Nil}
		}
		for _, call := range l.Calls {
			if common := call.Common(); common.StaticCallee() == nil && !common.IsInvoke() {
				args[loopOperation] = f.Evaluator.Value(common.Value, call)
				break
			}
		}
		s := &l.Schedule
		for i, t := range map[int]*value.Term{
			loopAttempts: s.Attempts, loopElapsed: s.Elapsed, loopDelays: s.Delays, loopBackoff: s.Backoff,
			loopInitial: s.Initial, loopMultiplier: s.Multiplier, loopStep: s.Step, loopMax: s.Max,
			loopJitter: s.Jitter, loopJitterAmount: s.JitterAmount,
		} {
			if t != nil {
				args[i] = t
			}
		}
		c.args = args
		f.delayed(args, l.Delay)
		if op := args[loopOperation]; op.Kind != value.Nil {
			c.operation = op
		}
		out = append(out, c)
	}
	return out
}

// delayed leaves the waits to what a library yields.
func (f *Finder) delayed(args []*value.Term, delay ssa.CallInstruction) {
	if delay == nil {
		return
	}
	e := f.modelOf(delay)
	given := f.Evaluator.Arguments(delay)
	for _, ref := range e.Retry.Policy {
		i := 0
		if ref.Arg != nil {
			i = *ref.Arg
			if value.Receiver(delay.Common()) != nil {
				i++
			}
		}
		if i >= len(given) {
			continue
		}
		for _, wait := range []int{loopDelays, loopBackoff, loopInitial, loopMultiplier, loopStep, loopMax, loopJitter, loopJitterAmount} {
			args[wait] = &value.Term{Kind: value.Nil}
		}
		if args[loopAttempts].String() == `"unbounded"` {
			args[loopAttempts] = &value.Term{Kind: value.Nil} // the library may say how often
		}
		args[loopDelay] = given[i]
	}
}

// modelOf is what is known of the function that a call runs.
func (f *Finder) modelOf(call ssa.CallInstruction) *model.Entry {
	for _, sym := range value.CalleeSymbols(call.Common()) {
		if e := f.Catalogue.Lookup(sym); e != nil && e.Retry != nil {
			return e
		}
	}
	return nil
}

// place is where a loop stands: its for statement, else its first call.
func (f *Finder) place(l *loop.Loop) (start, end token.Pos) {
	pos := l.Calls[0].Pos()
	var around []ast.Stmt // outermost first
	for _, file := range f.Files {
		if pos < file.FileStart || pos > file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				around = nil // loops around a closure are not its own
			case *ast.ForStmt:
				around = append(around, n)
			case *ast.RangeStmt:
				around = append(around, n)
			}
			return true
		})
	}
	if i := len(around) - 1 - l.Nesting; i >= 0 {
		return around[i].Pos(), around[i].End()
	}
	return f.extent(pos)
}
