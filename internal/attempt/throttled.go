package attempt

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Throttled retry sends again what was answered with a status that asks to come
// later, and never reads when.
type Throttled struct {
	Pos    token.Pos // of the call that is answered
	Status int
}

// throttled finds a status among 429 and 503 that is told from other failures and
// sent again, in code that never reads Retry-After.
func (c *Code) throttled() *Throttled {
	out := c.again()
	if out == nil || c.readsAfter() || c.showsResponse() {
		return nil
	}
	return out
}

// again is the status that is told from others and leads to the next attempt.
func (c *Code) again() *Throttled {
	if c.Loop != nil {
		for _, call := range c.Loop.Calls {
			if !sends(call.Common()) {
				continue
			}
			for _, status := range []int{429, 503} {
				if c.Loop.Resends(call, status) {
					return &Throttled{Pos: call.Pos(), Status: status}
				}
			}
		}
		return nil
	}
	for _, call := range c.sending() {
		resp := results(call)[0]
		if resp == nil {
			continue
		}
		for _, status := range []int{429, 503} {
			p := newPath(call)
			p.response = resp
			p.isNil[resp] = false
			t := &tracer{budget: maxTrace}
			t.instr = func(p *path, i ssa.Instruction) step {
				switch i := i.(type) {
				case *ssa.Extract:
					if i.Tuple == ssa.Value(call) {
						p.isNil[i] = i.Index == 1
					}
				case *ssa.Return:
					if p.status.has(status) && !p.status.has(404) && !p.status.has(451) && (status == 429 || !p.status.has(500)) && c.fails(p, i) {
						return found
					}
					return leave
				}
				return goOn
			}
			if t.trace(p) {
				return &Throttled{Pos: call.Pos(), Status: status}
			}
		}
	}
	return nil
}

// readsAfter reports whether code in sight reads the header, or something that is
// named after it.
func (c *Code) readsAfter() bool {
	seen := map[*ssa.Function]bool{}
	if c.mentionsAfter(value.Outermost(c.Around), 5, seen) {
		return true
	}
	return c.Operation != nil && c.mentionsAfter(c.Operation, 5, seen)
}

func (c *Code) mentionsAfter(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) bool {
	if seen[fn] || depth == 0 {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(nil) {
				if *op == nil {
					continue
				}
				if isAfter(*op) {
					return true
				}
				if callee, ok := (*op).(*ssa.Function); ok && callee.Pkg == c.Evaluator.Package && c.mentionsAfter(callee, depth-1, seen) {
					return true
				}
			}
			switch i := instr.(type) {
			case *ssa.FieldAddr:
				if soundsLikeAfter(value.FieldName(i)) {
					return true
				}
			case ssa.CallInstruction:
				if soundsLikeAfter(symbol(i.Common()).Name) {
					return true
				}
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		if c.mentionsAfter(anon, depth, seen) {
			return true
		}
	}
	return false
}

// isAfter reports whether a value is the header's name, or a variable named after it.
func isAfter(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && v.Value.Kind() == constant.String && soundsLikeAfter(constant.StringVal(v.Value))
	case *ssa.Global:
		return soundsLikeAfter(v.Name())
	}
	return false
}

// soundsLikeAfter reports whether a text names the header, or another one that says
// when to come back.
func soundsLikeAfter(s string) bool {
	s = strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
	for _, name := range []string{"retryafter", "ratelimitreset", "ratelimit"} {
		if strings.Contains(s, name) {
			return true
		}
	}
	return false
}

// showsResponse reports whether the response, or its headers, go to code out of
// sight, which may read the header for the code at hand.
func (c *Code) showsResponse() bool {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			sym := symbol(common)
			if c.inSight(common) != nil || isStandard(sym) {
				continue
			}
			for _, a := range common.Args {
				if value.IsResponse(a.Type()) || model.TypeSymbol(a.Type()) == (model.Symbol{Pkg: "net/http", Name: "Header"}) {
					return true
				}
			}
		}
	}
	return false
}
