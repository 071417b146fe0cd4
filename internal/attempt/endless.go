package attempt

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// An Endless attempt may last for ever: neither its client nor its context ends
// it.
type Endless struct {
	Pos    token.Pos // of the call that sends
	Client string    // http.DefaultClient, or what stands for it
}

// endless finds an attempt that provably has no limit of time.
func (c *Code) endless() *Endless {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || c.Loop != nil && !c.retried(call) {
				continue
			}
			if by := c.endlessCall(call.Common(), 2); by != "" {
				return &Endless{Pos: call.Pos(), Client: by}
			}
		}
	}
	return nil
}

// endlessCall names the client by which a call, or a helper in sight, sends
// without a limit.
func (c *Code) endlessCall(common *ssa.CallCommon, depth int) string {
	if sends(common) {
		client := c.unlimited(common)
		if client == "" || !c.withoutContext(common) {
			return ""
		}
		return client
	}
	fn := c.inSight(common)
	if fn == nil || depth == 0 {
		return ""
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if by := c.endlessCall(call.Common(), depth-1); by != "" {
					return by
				}
			}
		}
	}
	return ""
}

// unlimited names the client that sends when it has no time limit.
func (c *Code) unlimited(common *ssa.CallCommon) string {
	if common.IsInvoke() {
		return ""
	}
	sym := symbol(common)
	if sym.Recv == "" {
		if c.DefaultTouched() {
			return ""
		}
		return sym.String()
	}
	if sym.Recv != "Client" || len(common.Args) == 0 {
		return ""
	}
	switch client := c.origin(common.Args[0]).(type) {
	case *ssa.UnOp:
		if g, ok := client.X.(*ssa.Global); ok && isDefaultClient(g) && !c.DefaultTouched() {
			return "http.DefaultClient"
		}
	case *ssa.Alloc:
		if c.bare(client) {
			return "&http.Client{}"
		}
	}
	return ""
}

// loadsUntouched reports the same of all that read a variable with the client.
func (c *Code) loadsUntouched(cell, client ssa.Value) bool {
	for _, ref := range refs(cell) {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			if !c.untouched(ref, client) {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == cell && !c.loadsUntouched(ref.Fn.(*ssa.Function).FreeVars[i], client) {
					return false
				}
			}
		}
	}
	return true
}

func isDefaultClient(g *ssa.Global) bool {
	return g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" && g.Name() == "DefaultClient"
}

// bare reports whether a client that is made here is given neither a time limit
// nor a transport, which may have one, and goes nowhere.
func (c *Code) bare(client *ssa.Alloc) bool {
	if model.TypeSymbol(client.Type()) != (model.Symbol{Pkg: "net/http", Name: "Client"}) {
		return false
	}
	return c.untouched(client, client)
}

// untouched reports whether nothing but sending is done with the client that v is.
func (c *Code) untouched(v, client ssa.Value) bool {
	for _, ref := range refs(v) {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if name := value.FieldName(ref); name == "Timeout" || name == "Transport" {
				return false
			}
		case *ssa.DebugRef, *ssa.MakeClosure:
		case *ssa.Store:
			if ref.Val == v {
				cell, local := ref.Addr.(*ssa.Alloc)
				if !local || !c.loadsUntouched(cell, client) {
					return false
				}
			} else if ref.Addr == v {
				if k, ok := ref.Val.(*ssa.Const); !ok || k.Value != nil {
					return false
				}
			}
		case *ssa.Call:
			if sym := symbol(ref.Common()); sym.Pkg != "net/http" || sym.Recv != "Client" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// TouchesDefault reports whether functions of a package change http.DefaultClient, or
// the transport behind it.
func TouchesDefault(functions []*ssa.Function) bool {
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				switch addr := store.Addr.(type) {
				case *ssa.Global:
					if addr.Pkg != nil && addr.Pkg.Pkg.Path() == "net/http" {
						return true
					}
				case *ssa.FieldAddr:
					if load, ok := addr.X.(*ssa.UnOp); ok {
						if g, ok := load.X.(*ssa.Global); ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "net/http" {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// withoutContext reports whether the request that a call sends has no context, or
// one that nothing ends.
func (c *Code) withoutContext(common *ssa.CallCommon) bool {
	req := request(common)
	if req == nil {
		return true // http.Get
	}
	for range 10 {
		switch v := c.origin(req).(type) {
		case *ssa.Call:
			sym := symbol(v.Common())
			if sym.Pkg == "net/http" && sym.Recv == "Request" && (sym.Name == "WithContext" || sym.Name == "Clone") {
				return c.endlessContext(v.Call.Args[1])
			}
			return false
		case *ssa.Extract:
			made, ok := v.Tuple.(*ssa.Call)
			if !ok {
				return false
			}
			switch symbol(made.Common()) {
			case model.Symbol{Pkg: "net/http", Name: "NewRequest"}:
				return !c.written(v)
			case model.Symbol{Pkg: "net/http", Name: "NewRequestWithContext"}:
				return c.endlessContext(made.Call.Args[0]) && !c.written(v)
			}
			return false
		default:
			return false
		}
	}
	return false
}

// written reports whether the request itself is overwritten: *req = *req.WithContext(ctx).
func (c *Code) written(req ssa.Value) bool {
	for _, ref := range refs(req) {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == req {
			return true
		}
	}
	return false
}

// endlessContext reports whether nothing ends a context: it is context.Background
// itself, or carries values alone.
func (c *Code) endlessContext(ctx ssa.Value) bool {
	for range 10 {
		call, ok := c.origin(ctx).(*ssa.Call)
		if !ok {
			return false
		}
		if isBackground(call) {
			return true
		}
		if symbol(call.Common()) != (model.Symbol{Pkg: "context", Name: "WithValue"}) {
			return false
		}
		ctx = call.Call.Args[0]
	}
	return false
}
