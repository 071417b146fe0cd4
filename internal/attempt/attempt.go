// Package attempt reads the code that is run for each attempt of a retry: the
// body of a loop, or the operation that a library is given. It follows the ways
// from one attempt to the next, and tells what is seen there: a wait that no
// context ends, a response that nobody closes, a cause that is dropped. It says
// what is proved alone; rules judge.
package attempt

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/loop"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Code is the code of the attempts of one site.
type Code struct {
	Evaluator *value.Evaluator
	Effects   *effect.Reader
	// DefaultTouched reports whether the package changes http.DefaultClient.
	DefaultTouched func() bool

	// Around is the function in which the site stands, Call the call there that
	// retries, or is retried by the loop.
	Around *ssa.Function
	Call   ssa.CallInstruction
	// Loop is the loop, when it is one; else Operation is the code of one attempt,
	// nil when it is not seen.
	Loop      *loop.Loop
	Operation *ssa.Function
	// Helper says that the call is of a helper, which is a site of its own.
	Helper bool
	// Asks says that the operation returns whether it is done, and is run again
	// when it is not.
	Asks bool
}

// Facts are what is seen between the attempts of a site.
type Facts struct {
	Deaf      *Deaf      // a wait that ignores a context
	Lost      *Lost      // a cause that is dropped after the last attempt
	Throttled *Throttled // a status that asks to come later, and is not listened to
	Leak      *Leak      // a response that is not closed
	Spent     *Spent     // a body that is read once and sent again
	Endless   *Endless   // an attempt without a limit of time
}

// Read tells all facts of the code. How a helper waits, and what it returns, is
// told where it is.
func Read(c Code) Facts {
	f := Facts{Leak: c.leak(), Spent: c.spent(), Endless: c.endless()}
	if !c.Helper {
		f.Deaf = c.deaf()
	}
	if !c.Helper || c.Asks {
		f.Lost = c.lost()
	}
	if !c.Helper || c.inSight(c.Call.Common()) != nil {
		f.Throttled = c.throttled()
	}
	return f
}

// blocks lists the code that is run anew for each attempt.
func (c *Code) blocks() []*ssa.BasicBlock {
	if c.Loop == nil {
		if c.Operation == nil {
			return nil
		}
		return c.Operation.Blocks
	}
	var out []*ssa.BasicBlock
	for _, b := range c.Around.Blocks {
		if c.Loop.Has(b) {
			out = append(out, b)
		}
	}
	return out
}

// within reports whether v is made anew for each attempt.
func (c *Code) within(v ssa.Value) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || instr.Block() == nil {
		return false
	}
	if c.Loop == nil {
		for fn := v.Parent(); fn != nil; fn = fn.Parent() {
			if fn == c.Operation {
				return true
			}
		}
		return false
	}
	return v.Parent() == c.Around && c.Loop.Has(instr.Block())
}

// inSight is the code of a call of a function of this package.
func (c *Code) inSight(common *ssa.CallCommon) *ssa.Function {
	fn := common.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Pkg != nil && fn.Pkg != c.Evaluator.Package {
		return nil
	}
	return fn
}

// symbol names the function that a call runs.
func symbol(common *ssa.CallCommon) model.Symbol {
	if syms := value.CalleeSymbols(common); len(syms) > 0 {
		return syms[len(syms)-1]
	}
	return model.Symbol{}
}

// origin is where v comes from: through conversions, captured variables and
// variables that are written once.
func (c *Code) origin(v ssa.Value) ssa.Value {
	for range 20 {
		if inner, ok := value.Unboxed(v); ok {
			v = inner
			continue
		}
		switch x := v.(type) {
		case *ssa.FreeVar:
			if bound := bound(x); bound != nil {
				v = bound
				continue
			}
			return v
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			cell := x.X
			if free, ok := cell.(*ssa.FreeVar); ok {
				cell = c.cell(free)
			}
			alloc, ok := cell.(*ssa.Alloc)
			if !ok {
				return v
			}
			stored := onlyStore(alloc)
			if stored == nil {
				return v
			}
			v = stored
			continue
		}
		return v
	}
	return v
}

// cell is the variable that a closure captured, through all closures around it.
func (c *Code) cell(free *ssa.FreeVar) ssa.Value {
	var v ssa.Value = free
	for range 10 {
		f, ok := v.(*ssa.FreeVar)
		if !ok {
			break
		}
		b := bound(f)
		if b == nil {
			break
		}
		v = b
	}
	return v
}

// bound is what a closure captured as its variable, when it is made at one place.
func bound(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	if fn.Parent() == nil {
		return nil
	}
	var made *ssa.MakeClosure
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if m, ok := instr.(*ssa.MakeClosure); ok && m.Fn == ssa.Value(fn) {
				if made != nil {
					return nil
				}
				made = m
			}
		}
	}
	if made == nil {
		return nil
	}
	for i, fv := range fn.FreeVars {
		if fv == free {
			return made.Bindings[i]
		}
	}
	return nil
}

// stores lists what is written to a variable, in closures that captured it too.
func stores(cell ssa.Value) []*ssa.Store {
	var out []*ssa.Store
	for _, ref := range refs(cell) {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == cell {
				out = append(out, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == cell {
					out = append(out, stores(ref.Fn.(*ssa.Function).FreeVars[i])...)
				}
			}
		}
	}
	return out
}

// onlyStore is what a variable holds that is written once.
func onlyStore(a *ssa.Alloc) ssa.Value {
	if all := stores(a); len(all) == 1 {
		return all[0].Val
	}
	return nil
}

func refs(v ssa.Value) []ssa.Instruction {
	if r := v.Referrers(); r != nil {
		return *r
	}
	return nil
}

func isRequest(t types.Type) bool {
	return model.TypeSymbol(t) == model.Symbol{Pkg: "net/http", Name: "Request"}
}
