package attempt

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Deaf wait goes on when the context is done.
type Deaf struct {
	Pos token.Pos // of the wait
	By  string    // time.Sleep, or the library
	// Context is what is at hand: ctx, req.Context().
	Context string
	// Used says that the attempts make use of a context from outside of them.
	Used bool
	// Tested says that each turn asks whether the context is done.
	Tested bool
}

// deaf finds a wait of the loop, or of the library, that ignores a context in
// scope. Whether the library was given one is for its policies to say.
func (c *Code) deaf() *Deaf {
	name := c.context()
	if name == "" {
		return nil
	}
	if c.Loop == nil {
		if c.Asks && c.pollsAny() {
			return nil // a wait for a state, which ends by itself
		}
		return &Deaf{Pos: c.Call.Pos(), By: symbol(c.Call.Common()).String(), Context: name, Tested: c.testsContext(), Used: c.given().caller}
	}
	for _, b := range c.blocks() {
		if !c.Loop.Turns(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if by := c.sleeps(instr); by != "" {
				return &Deaf{Pos: instr.Pos(), By: by, Context: name, Tested: c.testsContext()}
			}
		}
	}
	return nil
}

// sleeps names what lets time pass whatever happens.
func (c *Code) sleeps(instr ssa.Instruction) string {
	switch instr := instr.(type) {
	case *ssa.Call:
		common := instr.Common()
		if sym := symbol(common); sym == (model.Symbol{Pkg: "time", Name: "Sleep"}) {
			return "time.Sleep"
		}
		if fn := c.inSight(common); fn != nil && !c.retried(instr) && c.sleepsAlways(fn) {
			return fn.Name()
		}
	case *ssa.UnOp:
		if instr.Op == token.ARROW && isTimer(instr.X) {
			return "a timer"
		}
	}
	return ""
}

// sleepsAlways reports whether a helper waits, once, and does nothing that could
// take notice of a context: it selects nothing, and asks none.
func (c *Code) sleepsAlways(fn *ssa.Function) bool {
	if asksContext(fn) {
		return false
	}
	sleeps := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Select, *ssa.Go, *ssa.Send:
				return false
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					if !isTimer(instr.X) {
						return false
					}
					sleeps = sleeps || !value.Turns(b)
				}
			case *ssa.Call:
				if symbol(instr.Common()) == (model.Symbol{Pkg: "time", Name: "Sleep"}) {
					sleeps = sleeps || !value.Turns(b)
				}
			}
		}
	}
	return sleeps
}

// isTimer reports whether a channel is the one of a timer.
func isTimer(ch ssa.Value) bool {
	switch ch := ch.(type) {
	case *ssa.Call:
		sym := symbol(ch.Common())
		return sym == model.Symbol{Pkg: "time", Name: "After"}
	case *ssa.UnOp:
		field, ok := ch.X.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		return model.TypeSymbol(field.X.Type()) == model.Symbol{Pkg: "time", Name: "Timer"}
	}
	return false
}

// context names a context that the waits could listen to, empty when there is
// none, or when the attempts themselves are kept apart from it on purpose.
func (c *Code) context() string {
	given := c.given()
	param := c.parameter()
	switch {
	case given.detached && !given.caller:
		return ""
	case param != "":
		return param
	case given.name != "":
		return given.name
	}
	return ""
}

// parameter is a parameter of the function around that is a context. A closure
// has it when it makes use of it.
func (c *Code) parameter() string {
	for fn := c.Around; fn != nil; fn = fn.Parent() {
		for _, p := range fn.Params {
			if value.IsContext(p.Type()) && p.Name() != "_" && p.Name() != "" && (fn == c.Around || c.captured(p)) {
				return p.Name()
			}
		}
	}
	return ""
}

// captured reports whether the function with the site, or the operation, makes
// use of a parameter of a function around it.
func (c *Code) captured(p *ssa.Parameter) bool {
	for _, fn := range []*ssa.Function{c.Around, c.Operation} {
		if fn == nil {
			continue
		}
		for _, free := range fn.FreeVars {
			if c.origin(free) == ssa.Value(p) {
				return true
			}
			if cell, ok := c.cell(free).(*ssa.Alloc); ok {
				for _, s := range stores(cell) {
					if s.Val == ssa.Value(p) {
						return true
					}
				}
			}
		}
	}
	return false
}

// contexts are what the calls of an attempt are given as contexts.
type contexts struct {
	detached bool   // some are of context.Background
	caller   bool   // some come from outside of the attempts
	name     string // one of those
}

func (c *Code) given() (out contexts) {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || call == c.Call && c.Loop == nil {
				continue
			}
			for _, a := range call.Common().Args {
				c.note(a, &out)
			}
		}
	}
	return out
}

// note takes in one argument.
func (c *Code) note(a ssa.Value, out *contexts) {
	v := c.origin(a)
	switch {
	case value.IsContext(a.Type()):
		root := c.rootContext(v)
		call, made := root.(*ssa.Call)
		switch {
		case made && isBackground(call):
			out.detached = true
		case made && isContextOf(call) != nil:
			c.note(isContextOf(call), out)
		default:
			if _, isConst := root.(*ssa.Const); isConst || c.within(root) {
				return
			}
			out.caller = true
			if p, ok := root.(*ssa.Parameter); ok && !c.owns(p) {
				out.name = p.Name()
			}
		}
	case isRequest(a.Type()):
		if p, ok := v.(*ssa.Parameter); ok && !c.owns(p) && p.Name() != "_" && !c.alwaysBare(p) {
			out.caller = true
			if out.name == "" {
				out.name = p.Name() + ".Context()"
			}
		}
	}
}

// alwaysBare reports whether all callers of a function are in sight and pass, as
// one of its parameters, requests that have no context.
func (c *Code) alwaysBare(p *ssa.Parameter) bool {
	fn := p.Parent()
	calls := c.Evaluator.Calls(fn)
	index := slices.Index(fn.Params, p)
	for _, call := range calls {
		if index >= len(call.Common().Args) {
			return false
		}
		x, ok := c.origin(call.Common().Args[index]).(*ssa.Extract)
		if !ok {
			return false
		}
		made, ok := x.Tuple.(*ssa.Call)
		if !ok || symbol(made.Common()) != (model.Symbol{Pkg: "net/http", Name: "NewRequest"}) {
			return false
		}
	}
	return len(calls) > 0
}

// owns reports whether a parameter is one of the operation: the library passes it.
func (c *Code) owns(p *ssa.Parameter) bool {
	return c.Loop == nil && p.Parent() == c.Operation
}

// rootContext is the context that another is derived from.
func (c *Code) rootContext(v ssa.Value) ssa.Value {
	for range 20 {
		v = c.origin(v)
		if x, ok := v.(*ssa.Extract); ok {
			v = x.Tuple
		}
		call, ok := v.(*ssa.Call)
		if !ok || isBackground(call) || len(call.Call.Args) == 0 || !value.IsContext(call.Call.Args[0].Type()) {
			return v
		}
		if symbol(call.Common()) == (model.Symbol{Pkg: "context", Name: "WithoutCancel"}) {
			return v
		}
		v = call.Call.Args[0]
	}
	return v
}

// isBackground reports whether a call makes a context that nothing ends.
func isBackground(call *ssa.Call) bool {
	sym := symbol(call.Common())
	return sym.Pkg == "context" && (sym.Name == "Background" || sym.Name == "TODO" || sym.Name == "WithoutCancel")
}

// isContextOf is the request whose context a call returns.
func isContextOf(call *ssa.Call) ssa.Value {
	if symbol(call.Common()) == (model.Symbol{Pkg: "net/http", Recv: "Request", Name: "Context"}) {
		return call.Call.Args[0]
	}
	return nil
}

// testsContext reports whether some code of the attempts asks whether a context
// is done.
func (c *Code) testsContext() bool {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			if asksDone(common) {
				return true
			}
			if fn := c.inSight(common); fn != nil && asksContext(fn) {
				return true
			}
		}
	}
	return false
}

// asksContext reports whether a helper in sight asks whether a context is done.
func asksContext(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && asksDone(call.Common()) {
				return true
			}
		}
	}
	return false
}

// asksDone reports whether a call asks a context whether it is done.
func asksDone(common *ssa.CallCommon) bool {
	return common.IsInvoke() && value.IsContext(common.Value.Type()) && (common.Method.Name() == "Err" || common.Method.Name() == "Done")
}
