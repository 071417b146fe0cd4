package attempt

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Spent body was read by the first attempt, and is sent again as it is.
type Spent struct {
	Pos token.Pos // of the call that sends it
	// Made is where the request, or the reader, is made: before the attempts.
	Made token.Pos
	// What is sent again: "request" or "reader".
	What string
	// Any says that whatever request callers pass is sent again: those with a body
	// are meant.
	Any bool
}

// spent finds a request, or the reader of its body, that is made before the
// attempts and sent by each of them. That a request can make its body anew
// (GetBody) helps the transport, not a second call of the client.
func (c *Code) spent() *Spent {
	if c.rewinds() {
		return nil
	}
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if s := c.spends(call); s != nil {
				s.Pos = call.Pos()
				return s
			}
		}
	}
	return nil
}

func (c *Code) spends(call *ssa.Call) *Spent {
	common := call.Common()
	retried := c.Loop == nil || c.retried(call)
	switch {
	case sendsRequest(common) && retried:
		req := c.unwrapped(request(common))
		if c.within(req) {
			return nil // judged where it is made
		}
		return c.spentRequest(req, common)
	case bodyOf(common) != nil:
		return c.spentReader(bodyOf(common), common)
	case retried && c.inSight(common) != nil:
		fn := c.inSight(common)
		for i, a := range common.Args {
			if i >= len(fn.Params) || !isReader(a.Type()) || !sendsBody(fn.Params[i], 3) {
				continue
			}
			if s := c.spentReader(a, common); s != nil {
				return s
			}
		}
	}
	return nil
}

// sendsRequest reports whether a call sends the HTTP request that it is given.
func sendsRequest(common *ssa.CallCommon) bool {
	if request(common) == nil {
		return false
	}
	if sends(common) {
		return true
	}
	sig := common.Signature()
	if sig.Results().Len() == 0 || !value.IsResponse(sig.Results().At(0).Type()) || !common.IsInvoke() {
		return false
	}
	return common.Method.Name() == "Do" || common.Method.Name() == "RoundTrip"
}

// unwrapped is the request that is sent, before it was given a context: its body
// is the same.
func (c *Code) unwrapped(req ssa.Value) ssa.Value {
	for range 10 {
		if req == nil {
			return nil
		}
		req = c.origin(req)
		call, ok := req.(*ssa.Call)
		if !ok {
			return req
		}
		sym := symbol(call.Common())
		if sym.Pkg != "net/http" || sym.Recv != "Request" || sym.Name != "WithContext" && sym.Name != "Clone" {
			return req
		}
		req = call.Call.Args[0]
	}
	return req
}

// spentRequest judges a request that is made before the attempts.
func (c *Code) spentRequest(req ssa.Value, send *ssa.CallCommon) *Spent {
	if p, ok := req.(*ssa.Parameter); ok {
		fn := p.Parent()
		if c.owns(p) || fn.Parent() != nil || !token.IsExported(fn.Name()) || fn.Name() != "Do" && fn.Name() != "RoundTrip" || c.looksAtBody(fn) {
			return nil
		}
		return &Spent{What: "request", Made: p.Pos(), Any: true}
	}
	x, ok := req.(*ssa.Extract)
	if !ok {
		return nil
	}
	made, ok := x.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	body := bodyOf(made.Common())
	if body == nil || made.Common().Signature().Results().Len() != 2 || !c.readOnce(body, map[ssa.Value]bool{}) || c.handedOn(req, send) {
		return nil
	}
	return &Spent{What: "request", Made: made.Pos()}
}

// handedOn reports whether code out of sight gets the request during an attempt,
// and may give it another body.
func (c *Code) handedOn(req ssa.Value, send *ssa.CallCommon) bool {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || call.Common() == send {
				continue
			}
			common := call.Common()
			if sym := symbol(common); sym.Pkg == "net/http" {
				continue
			}
			for _, a := range common.Args {
				if isRequest(a.Type()) && c.unwrapped(a) == req && c.inSight(common) == nil {
					return true
				}
			}
		}
	}
	return false
}

// spentReader judges a reader that each attempt makes a request with.
func (c *Code) spentReader(body ssa.Value, by *ssa.CallCommon) *Spent {
	v := c.origin(body)
	if c.within(v) || !c.readOnce(v, map[ssa.Value]bool{}) || c.usedApart(body, v, by) {
		return nil
	}
	return &Spent{What: "reader", Made: v.Pos()}
}

// usedApart reports whether an attempt does something else with the reader: it may
// wind it back, or fill it anew.
func (c *Code) usedApart(body, reader ssa.Value, by *ssa.CallCommon) bool {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && call.Common() == by {
				continue
			}
			switch instr.(type) {
			case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.DebugRef, *ssa.UnOp:
				continue
			}
			for _, op := range instr.Operands(nil) {
				if *op != nil && isReader((*op).Type()) && c.origin(*op) == reader {
					return true
				}
			}
		}
	}
	return false
}

// bodyOf is the reader of the body that a call makes a request with.
func bodyOf(common *ssa.CallCommon) ssa.Value {
	sym := symbol(common)
	if sym.Pkg != "net/http" {
		return nil
	}
	i := -1
	switch {
	case sym.Recv == "" && sym.Name == "NewRequest":
		i = 2
	case sym.Recv == "" && sym.Name == "NewRequestWithContext":
		i = 3
	case sym.Name == "Post" && sym.Recv == "":
		i = 2
	case sym.Name == "Post" && sym.Recv == "Client":
		i = 3
	}
	if i < 0 || i >= len(common.Args) {
		return nil
	}
	return common.Args[i]
}

// readOnce reports whether a reader is surely there, on some way at least, and is
// empty when it was read.
func (c *Code) readOnce(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = c.origin(v)
	if seen[v] {
		return false
	}
	seen[v] = true
	if isConcreteReader(v.Type()) {
		_, isConst := v.(*ssa.Const)
		return !isConst
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c.readOnce(e, seen) {
				return true
			}
		}
	case *ssa.Parameter:
		return c.givenReader(v)
	case *ssa.Call:
		sym := symbol(v.Common())
		return sym.Pkg == "io" && (sym.Name == "MultiReader" || sym.Name == "TeeReader" || sym.Name == "LimitReader")
	}
	return false
}

// givenReader reports whether callers in sight pass a reader as a parameter, which
// the function does not ask whether it is nil, or can be wound back.
func (c *Code) givenReader(p *ssa.Parameter) bool {
	fn := p.Parent()
	if c.owns(p) || fn.Parent() != nil || model.TypeSymbol(p.Type()) != (model.Symbol{Pkg: "io", Name: "Reader"}) {
		return false
	}
	for _, ref := range refs(p) {
		switch ref.(type) {
		case *ssa.TypeAssert, *ssa.BinOp:
			return false
		}
	}
	index := -1
	for i, param := range fn.Params {
		if param == p {
			index = i
		}
	}
	for _, call := range c.Evaluator.Calls(fn) {
		args := call.Common().Args
		if index < len(args) && c.readOnceAt(args[index]) {
			return true
		}
	}
	return false
}

// readOnceAt reports whether an argument is a reader made in its function.
func (c *Code) readOnceAt(v ssa.Value) bool {
	v = c.origin(v)
	if phi, ok := v.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if isConcreteReader(c.origin(e).Type()) {
				return true
			}
		}
	}
	_, isConst := v.(*ssa.Const)
	return !isConst && isConcreteReader(v.Type())
}

func isConcreteReader(t types.Type) bool {
	if _, ptr := t.Underlying().(*types.Pointer); !ptr {
		return false
	}
	switch model.TypeSymbol(t) {
	case model.Symbol{Pkg: "bytes", Name: "Reader"}, model.Symbol{Pkg: "bytes", Name: "Buffer"}, model.Symbol{Pkg: "strings", Name: "Reader"},
		model.Symbol{Pkg: "os", Name: "File"}, model.Symbol{Pkg: "io", Name: "PipeReader"}, model.Symbol{Pkg: "bufio", Name: "Reader"}:
		return true
	}
	return false
}

func isReader(t types.Type) bool {
	if isConcreteReader(t) {
		return true
	}
	sym := model.TypeSymbol(t)
	return sym == model.Symbol{Pkg: "io", Name: "Reader"} || sym == model.Symbol{Pkg: "io", Name: "ReadCloser"}
}

// sendsBody reports whether a function does nothing with the reader that it is
// given but send it as the body of a request.
func sendsBody(param ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	sent := false
	for _, ref := range refs(param) {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeInterface, *ssa.ChangeInterface:
			if !sendsBody(ref.(ssa.Value), depth) {
				return false
			}
			sent = true
		case *ssa.Call:
			if bodyOf(ref.Common()) == param {
				sent = true
				continue
			}
			fn := ref.Common().StaticCallee()
			if fn == nil || len(fn.Blocks) == 0 {
				return false
			}
			for i, a := range ref.Common().Args {
				if a == param && (i >= len(fn.Params) || !sendsBody(fn.Params[i], depth-1)) {
					return false
				}
			}
			sent = true
		default:
			return false
		}
	}
	return sent
}

// rewinds reports whether code of an attempt, or of what it calls in sight, sets
// the body of a request or asks for a new one, or winds something back.
func (c *Code) rewinds() bool {
	seen := map[*ssa.Function]bool{}
	for _, b := range c.blocks() {
		if c.rewindsIn(b, 3, seen) {
			return true
		}
	}
	return false
}

func (c *Code) rewindsIn(b *ssa.BasicBlock, depth int, seen map[*ssa.Function]bool) bool {
	for _, instr := range b.Instrs {
		switch i := instr.(type) {
		case *ssa.FieldAddr:
			if !isRequest(i.X.Type()) {
				continue
			}
			switch value.FieldName(i) {
			case "GetBody":
				return true
			case "Body":
				if isStored(i) {
					return true
				}
			}
		case ssa.CallInstruction:
			common := i.Common()
			switch symbol(common).Name {
			case "Seek", "Reset", "GetBody", "SetBody", "Rewind":
				return true
			}
			fn := c.inSight(common)
			if fn == nil || depth == 0 || seen[fn] {
				continue
			}
			seen[fn] = true
			for _, inner := range fn.Blocks {
				if c.rewindsIn(inner, depth-1, seen) {
					return true
				}
			}
		}
	}
	return false
}

func isStored(addr ssa.Value) bool {
	for _, ref := range refs(addr) {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == addr {
			return true
		}
	}
	return false
}

// looksAtBody reports whether a function, or what it calls in sight, looks at the
// body or the method of a request.
func (c *Code) looksAtBody(fn *ssa.Function) bool {
	return c.looks(fn, 4, map[*ssa.Function]bool{})
}

func (c *Code) looks(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) bool {
	if seen[fn] || depth == 0 {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch i := instr.(type) {
			case *ssa.FieldAddr:
				if isRequest(i.X.Type()) {
					switch value.FieldName(i) {
					case "Body", "GetBody", "Method", "ContentLength":
						return true
					}
				}
			case ssa.CallInstruction:
				common := i.Common()
				if callee := c.inSight(common); callee != nil {
					if c.looks(callee, depth-1, seen) {
						return true
					}
					continue
				}
				if sendsRequest(common) || symbol(common).Pkg == "net/http" {
					continue
				}
				for _, a := range common.Args {
					if isRequest(a.Type()) {
						return true // out of sight
					}
				}
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		if c.looks(anon, depth, seen) {
			return true
		}
	}
	return false
}
