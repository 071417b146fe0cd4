package attempt

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Leak is a response that is still open when the next attempt begins.
type Leak struct {
	Pos token.Pos // of the call that got it
	// Deferred says that it is closed when the function returns, after all
	// attempts.
	Deferred bool
}

// leak finds a way from a response to the next attempt on which nothing closes
// it. Whatever is given to code out of sight, kept or read to its end counts as
// closed.
func (c *Code) leak() *Leak {
	for _, call := range c.sending() {
		got := results(call)
		resp := got[0]
		if resp == nil || c.isHead(call.Common()) {
			continue
		}
		p := newPath(call)
		p.response = resp
		p.isNil[resp] = false
		if err := got[1]; err != nil {
			p.isNil[err] = true
		}
		l := &Leak{Pos: call.Pos()}
		t := &tracer{budget: maxTrace}
		t.instr = func(p *path, i ssa.Instruction) step {
			switch i := i.(type) {
			case *ssa.Call:
				if i == call {
					if c.Loop != nil && !c.possible(p, map[string]interval{}) {
						return leave
					}
					return c.leaked(p, l)
				}
			case *ssa.Extract:
				if i.Tuple == ssa.Value(call) { // what was assumed of them
					p.isNil[i] = i.Index == 1
				}
			case *ssa.Return:
				if c.Loop != nil || !c.fails(p, i) || c.handsOut(p, i, resp) {
					return leave
				}
				p.begin(c.Operation) // the next attempt may close what the last one left
				return goOn
			}
			switch c.closes(p, i, resp) {
			case closed:
				return leave
			case later:
				if c.Loop == nil {
					return leave // when the attempt ends
				}
				p.flags |= deferred
			}
			return goOn
		}
		t.edge = func(p *path, to *ssa.BasicBlock) step {
			if c.Loop != nil && !c.Loop.Has(to) {
				return leave
			}
			c.turn(p, to)
			return goOn
		}
		if t.trace(p) {
			return l
		}
	}
	return nil
}

// isHead reports whether a call asks for headers alone: there is no body to close.
func (c *Code) isHead(common *ssa.CallCommon) bool {
	if symbol(common).Name == "Head" {
		return true
	}
	x, ok := c.unwrapped(request(common)).(*ssa.Extract)
	if !ok {
		return false
	}
	made, ok := x.Tuple.(*ssa.Call)
	if !ok {
		return false
	}
	for _, a := range made.Call.Args {
		if k, ok := a.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String && constant.StringVal(k.Value) == "HEAD" {
			return true
		}
	}
	return false
}

func (c *Code) leaked(p *path, l *Leak) step {
	l.Deferred = p.flags&deferred != 0
	return found
}

// fails reports whether an operation that returns here is surely run again: with an
// error, or without one when it is asked whether it is done.
func (c *Code) fails(p *path, ret *ssa.Return) bool {
	n := len(ret.Results)
	if n == 0 || !value.IsError(ret.Results[n-1].Type()) {
		return false
	}
	isNil, known := p.nilness(p.value(ret.Results[n-1]))
	if !c.Asks {
		return known && !isNil
	}
	done, ok := p.value(ret.Results[0]).(*ssa.Const)
	return known && isNil && ok && n == 2 && done.Value != nil && done.Value.Kind() == constant.Bool && !constant.BoolVal(done.Value)
}

// handsOut reports whether the response is among what is returned.
func (c *Code) handsOut(p *path, ret *ssa.Return, resp ssa.Value) bool {
	for _, r := range ret.Results {
		if p.value(r) == resp {
			return true
		}
	}
	return false
}

// turn notes that a path comes to the next turn of the loop.
func (c *Code) turn(p *path, to *ssa.BasicBlock) {
	if c.Loop != nil && to == c.Loop.Header() {
		p.earlier, p.holds = p.holds, map[ssa.Value]bool{}
		p.flags |= turned
	}
}

// What an instruction does to a response.
type closing int

const (
	open closing = iota
	closed
	later // when the function returns
)

// closes says what an instruction does to the response, or to its body.
func (c *Code) closes(p *path, i ssa.Instruction, resp ssa.Value) closing {
	switch i := i.(type) {
	case *ssa.Store:
		switch i.Addr.(type) {
		case *ssa.Alloc:
			return open
		case *ssa.FreeVar:
			if p.value(i.Val) == resp && c.seenElsewhere(i.Addr.(*ssa.FreeVar)) {
				return closed
			}
			return open
		}
		if p.holdsResponse(i.Val, resp) {
			return closed // kept
		}
	case *ssa.MapUpdate:
		if p.holdsResponse(i.Value, resp) {
			return closed
		}
	case *ssa.Send:
		if p.holdsResponse(i.X, resp) {
			return closed
		}
	case *ssa.MakeClosure:
		for _, b := range i.Bindings {
			if p.holdsResponse(b, resp) || p.cells[b] != nil && p.holdsResponse(p.cells[b], resp) {
				return closed
			}
		}
	case *ssa.Defer:
		if c.callCloses(p, &i.Call, resp) != open {
			return later
		}
	case *ssa.Go:
		return c.callCloses(p, &i.Call, resp)
	case *ssa.Call:
		return c.callCloses(p, &i.Call, resp)
	}
	return open
}

// seenElsewhere reports whether another closure, such as a hook, has the variable
// too: it may close what it holds.
func (c *Code) seenElsewhere(free *ssa.FreeVar) bool {
	closures := 0
	for _, ref := range refs(c.cell(free)) {
		if _, ok := ref.(*ssa.MakeClosure); ok {
			closures++
		}
	}
	return closures != 1
}

// holdsResponse reports whether v is the response or its body.
func (p *path) holdsResponse(v, resp ssa.Value) bool {
	v = p.value(v)
	return v == resp || p.isBody(v, resp)
}

func (p *path) isBody(v, resp ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	return ok && value.FieldName(field) == "Body" && p.value(field.X) == resp
}

// callCloses says what a call does to the response. What is read to its end needs
// no Close to set the connection free.
func (c *Code) callCloses(p *path, common *ssa.CallCommon, resp ssa.Value) closing {
	if common.IsInvoke() && p.isBody(p.value(common.Value), resp) {
		if common.Method.Name() == "Close" {
			return closed
		}
		return open
	}
	for i, a := range common.Args {
		v := p.value(a)
		switch {
		case p.isBody(v, resp):
			if reads(symbol(common)) {
				return open
			}
			return closed
		case v == resp:
			if symbol(common).Recv == "Response" && symbol(common).Pkg == "net/http" {
				continue // Cookies, Location
			}
			fn := c.inSight(common)
			if fn == nil || i >= len(fn.Params) || !onlyLooks(fn.Params[i], 3) {
				return closed
			}
		}
	}
	return open
}

// reads reports whether a function makes a reader of a body, which leaves it open
// and may leave some of it unread.
func reads(sym model.Symbol) bool {
	switch sym.Pkg {
	case "encoding/json", "encoding/xml":
		return sym.Name == "NewDecoder"
	case "bufio":
		return sym.Name == "NewReader" || sym.Name == "NewScanner"
	case "io":
		return sym.Name == "LimitReader"
	}
	return false
}

// onlyLooks reports whether a function reads nothing of a response that it is
// given but its status and its headers, and keeps it nowhere.
func onlyLooks(param ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, ref := range refs(param) {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr:
			if name := value.FieldName(ref); name == "Body" {
				return false
			}
		case *ssa.Call:
			if sym := symbol(ref.Common()); sym.Recv == "Response" && sym.Pkg == "net/http" {
				continue
			}
			fn := ref.Common().StaticCallee()
			if fn == nil || len(fn.Blocks) == 0 {
				return false
			}
			for i, a := range ref.Common().Args {
				if a == param && (i >= len(fn.Params) || !onlyLooks(fn.Params[i], depth-1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
