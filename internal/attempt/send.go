package attempt

import (
	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
)

// sends reports whether a call sends one HTTP request by the standard library, or
// by an interface shaped like its client, and returns the response as it came.
func sends(common *ssa.CallCommon) bool {
	if common.IsInvoke() {
		if _, ok := effect.Doer(common.Method); ok {
			return true
		}
	}
	sym := symbol(common)
	if sym.Pkg != "net/http" {
		return false
	}
	switch sym.Name {
	case "Do", "Get", "Head", "Post", "PostForm":
		return sym.Recv == "" || sym.Recv == "Client"
	case "RoundTrip":
		return true
	}
	return false
}

// sending lists the calls of an attempt that send a request, in its own code.
func (c *Code) sending() []*ssa.Call {
	var out []*ssa.Call
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && sends(call.Common()) && (c.Loop == nil || c.retried(call)) {
				out = append(out, call)
			}
		}
	}
	return out
}

// retried reports whether the loop makes the call again.
func (c *Code) retried(call *ssa.Call) bool {
	for _, again := range c.Loop.Calls {
		if again == call {
			return true
		}
	}
	return false
}

// results are the extracts of a call's results, by index.
func results(call *ssa.Call) map[int]ssa.Value {
	out := map[int]ssa.Value{}
	if call.Common().Signature().Results().Len() == 1 {
		out[0] = call
		return out
	}
	for _, ref := range refs(call) {
		if x, ok := ref.(*ssa.Extract); ok {
			out[x.Index] = x
		}
	}
	return out
}

// request is the request that a sending call sends, nil when the call says all.
func request(common *ssa.CallCommon) ssa.Value {
	for _, a := range common.Args {
		if isRequest(a.Type()) {
			return a
		}
	}
	return nil
}

func isStandard(sym model.Symbol) bool { return effect.IsStandard(sym.Pkg) }
