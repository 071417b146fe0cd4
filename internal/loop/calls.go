package loop

import (
	"go/types"
	"math"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// call runs a call: the watched one ends as assumed, helpers in sight are run,
// and of others it is known at best what they are computed from.
func (f *frame) call(instr *ssa.Call, c *ssa.CallCommon, watched bool) (val, bool) {
	if watched {
		return f.result(instr), false
	}
	args := make([]val, 0, len(c.Args)+1)
	if c.IsInvoke() {
		args = append(args, f.value(c.Value))
	}
	for _, a := range c.Args {
		args = append(args, f.value(a))
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), instr, args), false
	}
	sym := calleeSymbol(c)
	if ends(sym.Name) {
		return val{}, true
	}
	if out, ok := f.clock(instr); ok {
		return out, false
	}
	if out, ok := f.standard(sym, instr, args); ok {
		return out, false
	}
	if body, bound := f.body(c); body != nil && f.depth < maxHelpers && f.worthRunning(body, args) {
		helper := &frame{m: f.m, st: f.st, env: map[ssa.Value]val{}, fn: body, depth: f.depth + 1, id: hash(f.id, f.m.reader.id(instr))}
		helper.args = f.terms(instr)
		for i, p := range body.Params {
			if i < len(args) {
				helper.env[p] = args[i]
			}
		}
		for i, fv := range body.FreeVars {
			if i < len(bound) {
				helper.env[fv] = bound[i]
			}
		}
		if out, ended := helper.run(); out.kind != opaque || f.m.reader.sleeps(body, maxHelpers) {
			if ended {
				return out, true
			}
			if out.kind != opaque {
				return out, false
			}
			return f.unknown(instr, c, args, sym), false
		}
	}
	return f.unknown(instr, c, args, sym), false
}

// maxHelpers bounds how deep helpers are run, maxTests on how many tests in one both
// ways are taken.
const (
	maxHelpers = 4
	maxTests   = 5
)

// terms are the arguments of a call over the parameters of the function with the
// loop.
func (f *frame) terms(call *ssa.Call) []*value.Term {
	terms := f.m.reader.Evaluator.Arguments(call)
	if f.depth > 0 {
		for i, t := range terms {
			terms[i] = value.Subst(t, f.fn, f.args)
		}
	}
	return terms
}

func calleeSymbol(c *ssa.CallCommon) model.Symbol {
	if syms := value.CalleeSymbols(c); len(syms) > 0 {
		return syms[len(syms)-1]
	}
	if fn := c.StaticCallee(); fn != nil {
		return model.Symbol{Name: fn.Name()}
	}
	return model.Symbol{Name: nameOf(c.Value)}
}

// nameOf is the name under which a function value is kept.
func nameOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		return nameOf(v.X)
	case *ssa.FieldAddr:
		return value.FieldName(v)
	case *ssa.Parameter, *ssa.Global, *ssa.FreeVar:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	}
	return ""
}

// body is the code of a call in sight, and what its closure captured.
func (f *frame) body(c *ssa.CallCommon) (*ssa.Function, []val) {
	if fn := c.StaticCallee(); fn != nil {
		if len(fn.Blocks) == 0 || fn.Pkg != f.m.reader.Evaluator.Package && fn.Pkg != nil {
			return nil, nil
		}
		if made, ok := c.Value.(*ssa.MakeClosure); ok {
			return fn, f.value(made).parts
		}
		return fn, nil
	}
	if c.IsInvoke() {
		return nil, nil
	}
	if v := f.value(c.Value); v.kind == function && len(v.fn.Blocks) > 0 {
		return v.fn, v.parts
	}
	return nil, nil
}

// worthRunning reports whether a helper may say what matters: a test of the
// outcome, a number, or a wait.
func (f *frame) worthRunning(fn *ssa.Function, args []val) bool {
	if f.m.reader.sleeps(fn, maxHelpers) {
		return true
	}
	results := fn.Signature.Results()
	if results.Len() == 0 {
		return false
	}
	judges, counts := false, false
	for i, a := range args {
		judges = judges || a.of() || a.kind == null && i < len(fn.Params) && value.IsError(fn.Params[i].Type())
		counts = counts || a.kind == number
	}
	for i := range results.Len() {
		switch t := results.At(i).Type(); {
		case isDuration(t), counts && isNumber(t):
			return true
		case judges && (isBool(t) || value.IsError(t) || isNumber(t)):
			return true
		}
	}
	return false
}

// run is what the function of the frame returns; ended says that it waits for
// what only comes when all is over.
func (f *frame) run() (out val, ended bool) { return f.from(f.fn.Blocks[0], nil, maxTests) }

func (f *frame) from(b, prev *ssa.BasicBlock, open int) (out val, ended bool) {
	for {
		f.phis(b, prev)
		var next *ssa.BasicBlock
		for _, instr := range b.Instrs {
			if f.m.steps++; f.m.steps > maxSteps {
				return val{}, false
			}
			switch i := instr.(type) {
			case *ssa.Phi, *ssa.DebugRef:
			case *ssa.Jump:
				next = b.Succs[0]
			case *ssa.If:
				cond := f.value(i.Cond)
				if cond.kind == boolean {
					next = b.Succs[1]
					if cond.b {
						next = b.Succs[0]
					}
					break
				}
				if open == 0 {
					return val{}, false
				}
				return f.both(b, open-1)
			case *ssa.Return:
				return f.returned(i), false
			case *ssa.Panic:
				return val{}, true
			default:
				if f.exec(instr) {
					return val{}, true
				}
			}
		}
		if next == nil {
			return val{}, false
		}
		b, prev = next, b
	}
}

// both takes both ways of a test that is not known: what they agree on is known.
// Of the waits the longer counts.
func (f *frame) both(b *ssa.BasicBlock, open int) (val, bool) {
	one, other := *f, *f
	one.st, other.st = f.st.clone(), f.st.clone()
	one.env, other.env = cloned(f.env), cloned(f.env)
	x, xEnded := one.from(b.Succs[0], b, open)
	y, yEnded := other.from(b.Succs[1], b, open)
	env := f.st.env // of the function with the loop, which runs on
	if yEnded && !xEnded || xEnded == yEnded && one.st.hi >= other.st.hi {
		*f.st = *one.st
	} else {
		*f.st = *other.st
	}
	f.st.env = env
	switch {
	case xEnded && yEnded:
		return val{}, true
	case xEnded:
		return y, false
	case yEnded:
		return x, false
	}
	return agreed(x, y), false
}

func cloned(env map[ssa.Value]val) map[ssa.Value]val {
	out := make(map[ssa.Value]val, len(env))
	for k, v := range env {
		out[k] = v
	}
	return out
}

// agreed is what two values have in common.
func agreed(x, y val) val {
	if x.kind == tuple && y.kind == tuple && len(x.parts) == len(y.parts) {
		for i := range x.parts {
			x.parts[i] = agreed(x.parts[i], y.parts[i])
		}
		return x
	}
	if x.kind == y.kind && x.b == y.b && x.s == y.s && x.lo == y.lo && x.hi == y.hi {
		return x
	}
	return val{id: hash(x.id, y.id)}.from(x, y)
}

func (f *frame) returned(ret *ssa.Return) val {
	if len(ret.Results) == 1 {
		return f.value(ret.Results[0])
	}
	out := val{kind: tuple, id: f.m.reader.id(ret.Block().Parent())}
	for _, r := range ret.Results {
		out.parts = append(out.parts, f.value(r))
	}
	return out
}

// result is how the watched call ends.
func (f *frame) result(instr *ssa.Call) val {
	results := instr.Common().Signature().Results()
	id := hash(f.m.reader.id(instr), uint64(len(f.st.arrived)))
	part := func(i int) val {
		t := results.At(i).Type()
		pid := hash(id, uint64(i))
		switch {
		case value.IsError(t) && f.m.ends.fails:
			return val{kind: failure, id: pid}
		case value.IsError(t):
			return val{kind: null, id: pid}
		}
		if f.m.ends.fails {
			return zeroOf(t, pid)
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info() > 0 {
			return val{id: pid}
		}
		return val{kind: answer, id: pid}
	}
	if results.Len() == 1 {
		return part(0)
	}
	out := val{kind: tuple, id: id}
	for i := range results.Len() {
		out.parts = append(out.parts, part(i))
	}
	return out
}

func zeroOf(t types.Type, id uint64) val {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return truth(id, false)
		case u.Info()&types.IsNumeric != 0:
			return num(id, 0)
		case u.Info()&types.IsString != 0:
			return val{kind: text, id: id}
		}
	case *types.Struct, *types.Array:
		return val{kind: answer, id: id}
	}
	return val{kind: null, id: id}
}

// unknown is the result of a call that is not run: where it says when it failed,
// it did not.
func (f *frame) unknown(instr *ssa.Call, c *ssa.CallCommon, args []val, sym model.Symbol) val {
	parts := []uint64{f.m.reader.id(instr)}
	out := val{}
	var ofFailure, ofAnswer bool
	for _, a := range args {
		parts = append(parts, a.id)
		out = out.from(a)
		ofFailure = ofFailure || a.kind == failure
		ofAnswer = ofAnswer || a.kind == answer
		out = out.from(f.content(a))
	}
	out.id = hash(parts...)
	out.timed = false
	if f.depth == 0 && mayFail(c.Signature()) && len(f.m.reader.events(instr)) > 0 {
		out.answers = true
	}
	std := effect.StaysInside(sym.Pkg)
	if out.varies && !std && !pauses(sym.Name) {
		f.st.items = true
	}
	if isFresh(sym.Name) && sym.Pkg != "io" && sym.Pkg != "fmt" && !isNumber(c.Signature().Results()) {
		f.m.reader.made++
		out.id, out.varies = hash(out.id, f.m.reader.made), true
		f.st.items = true
	}
	for _, a := range args {
		if a.kind != address || std && sym.Name != "As" && !computes(sym.Name) {
			continue
		}
		// It may write there.
		if _, held := f.st.mem[a.at]; held || ofFailure || std {
			f.st.mem[a.at] = val{id: hash(out.id, a.id), judged: ofFailure || ofAnswer, answers: out.answers}
		}
	}
	if out.varies {
		for _, a := range args {
			if !a.varies && (a.kind == address || a.kind == opaque) {
				f.st.altered[a.id] = true
			}
		}
	}
	if !std && renews(sym.Name) && !strings.HasPrefix(plain(sym.Name), "is") {
		f.st.renewed = true
	}
	if !std && pauses(sym.Name) {
		f.pausesOutOfSight(c, args)
	}
	results := c.Signature().Results()
	if results.Len() == 1 {
		if arg, ok := copies(c, results.At(0).Type()); ok {
			out.id = args[arg].id
		}
		return f.resultOf(results.At(0).Type(), out, sym, ofFailure, ofAnswer, args)
	}
	t := val{kind: tuple, id: out.id}
	for i := range results.Len() {
		p := out
		p.id = hash(out.id, uint64(i))
		if arg, ok := copies(c, results.At(i).Type()); ok {
			p.id = args[arg].id
		}
		t.parts = append(t.parts, f.resultOf(results.At(i).Type(), p, sym, ofFailure, ofAnswer, args))
	}
	return t
}

// resultOf is one result of a call that is not run.
func (f *frame) resultOf(t types.Type, out val, sym model.Symbol, ofFailure, ofAnswer bool, args []val) val {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		if ofFailure {
			if holds, known := errorTest(sym.Name); known {
				return truth(out.id, holds)
			}
		}
		if ofAnswer && !ofFailure && contains(sym.Name, "retry", "retriable") {
			return truth(out.id, !f.m.ends.good())
		}
	}
	if len(args) > 0 && (args[0].kind == answer || args[0].kind == failure) {
		if p := f.part(args[0], sym.Name, t, out.id); p.kind != answer && p.kind != opaque {
			return p
		}
		if len(args) == 1 && args[0].kind == answer && !value.IsError(t) {
			return val{kind: answer, id: out.id}.from(out)
		}
	}
	if value.IsError(t) {
		if ofFailure {
			return val{kind: failure, id: out.id} // wrapped
		}
		if madeError(sym) {
			return val{kind: failure, id: out.id}
		}
		return val{kind: null, id: out.id}
	}
	if ofFailure && plain(sym.Name) == "code" && isInteger(t) {
		return num(out.id, 14) // UNAVAILABLE
	}
	if value.IsContext(t) {
		return val{id: out.id}
	}
	return out
}

// copies reports whether a call makes a copy of a request that it is given, or adds
// to it: it is that request. The argument is its index.
func copies(c *ssa.CallCommon, result types.Type) (arg int, ok bool) {
	if model.TypeSymbol(result).Name != "Request" {
		return 0, false
	}
	offset := 0
	if c.IsInvoke() {
		if types.Identical(c.Value.Type(), result) {
			return 0, true
		}
		offset = 1
	}
	for i, a := range c.Args {
		if types.Identical(a.Type(), result) {
			return i + offset, true
		}
	}
	return 0, false
}

// madeError reports whether a function makes an error of its own.
func madeError(sym model.Symbol) bool {
	return sym.Pkg == "errors" && sym.Name == "New" || sym.Pkg == "fmt" && sym.Name == "Errorf" || strings.HasSuffix(sym.Pkg, "/errors") ||
		sym.Name == "Errorf"
}

// pausesOutOfSight lets the time pass that a function by its name waits.
func (f *frame) pausesOutOfSight(c *ssa.CallCommon, args []val) {
	offset := 0
	if c.IsInvoke() {
		offset = 1
	}
	for i, a := range c.Args {
		if isDuration(a.Type()) {
			if v := args[i+offset]; v.kind == number {
				f.st.wait(v.lo, v.hi, false)
				return
			}
		}
	}
	for _, a := range c.Args {
		if value.IsContext(a.Type()) || isDuration(a.Type()) || isInteger(a.Type()) {
			f.st.wait(0, 0, true)
			return
		}
	}
	if c.Signature().Params().Len() == 0 && c.Signature().Results().Len() == 0 {
		f.st.wait(0, 0, true)
	}
}

func (f *frame) builtin(name string, instr *ssa.Call, args []val) val {
	id := f.m.reader.id(instr)
	parts := []uint64{id}
	out := val{}
	for _, a := range args {
		parts = append(parts, a.id)
		out = out.from(a)
	}
	out.id = hash(parts...)
	switch name {
	case "min", "max":
		lo, hi := math.Inf(1), math.Inf(1)
		if name == "max" {
			lo, hi = math.Inf(-1), math.Inf(-1)
		}
		for _, a := range args {
			if a.kind != number {
				return out
			}
			if name == "min" {
				lo, hi = math.Min(lo, a.lo), math.Min(hi, a.hi)
			} else {
				lo, hi = math.Max(lo, a.lo), math.Max(hi, a.hi)
			}
		}
		out.kind, out.lo, out.hi = number, lo, hi
	case "len", "cap":
		if n, ok := f.m.reader.tableLen(instr.Common().Args[0]); ok {
			return num(out.id, float64(n)).from(out)
		}
		if len(args) == 1 && (args[0].kind == opaque || args[0].kind == address) && !args[0].varies && f.depth == 0 {
			return f.leaf(instr, out.id)
		}
	}
	return out
}

// clock is a call of the package time.
func (f *frame) clock(call *ssa.Call) (val, bool) {
	c := call.Common()
	sym := calleeSymbol(c)
	if sym.Pkg != "time" {
		return val{}, false
	}
	id := f.m.reader.id(call)
	arg := func(i int) val { return f.value(c.Args[i]) }
	duration := func(i int) (val, bool) {
		v := arg(i)
		return v, v.kind == number
	}
	now := f.st.lo
	since := now
	if f.depth == 0 && !f.m.loop.has(call.Block()) {
		since = 0 // made before the loop began
	}
	switch sym.Recv + "." + sym.Name {
	case ".Now":
		return val{kind: instant, id: id, lo: since, timed: true}, true
	case ".Sleep":
		v, ok := duration(0)
		if ok {
			f.st.wait(v.lo, v.hi, false)
		} else {
			f.st.wait(0, 0, true)
		}
		return val{id: id}, true
	case ".After", ".Tick":
		if v, ok := duration(0); ok {
			return val{kind: alarm, id: id, lo: v.lo, hi: v.hi, once: sym.Name == "After", since: since}, true
		}
		return val{kind: alarm, id: id, s: "vague"}, true
	case ".NewTimer", ".NewTicker", ".AfterFunc":
		if v, ok := duration(0); ok {
			return val{kind: timer, id: id, lo: v.lo, hi: v.hi, once: sym.Name != "NewTicker", since: since}, true
		}
		return val{kind: timer, id: id, s: "vague"}, true
	case "Timer.Reset", "Ticker.Reset":
		if t := arg(0); t.kind == timer {
			if v, ok := duration(1); ok {
				f.st.mem[cell{root: t.id, path: "C"}] = val{kind: alarm, id: t.id, lo: v.lo, hi: v.hi, once: t.once, since: now}
			}
		}
		return val{id: id}, true
	case ".Since":
		if t := arg(0); t.kind == instant {
			return val{kind: number, id: id, lo: now - t.lo, hi: now - t.lo, timed: true}, true
		}
	case ".Until":
		if t := arg(0); t.kind == instant {
			return val{kind: number, id: id, lo: t.lo - now, hi: t.lo - now, timed: true}, true
		}
	case "Time.Add":
		if t := arg(0); t.kind == instant {
			if v, ok := duration(1); ok {
				return val{kind: instant, id: id, lo: t.lo + v.mean(), timed: true}, true
			}
		}
	case "Time.Sub":
		if t, u := arg(0), arg(1); t.kind == instant && u.kind == instant {
			return val{kind: number, id: id, lo: t.lo - u.lo, hi: t.lo - u.lo, timed: true}, true
		}
	case "Time.After", "Time.Before":
		if t, u := arg(0), arg(1); t.kind == instant && u.kind == instant {
			return val{kind: boolean, id: id, b: (t.lo > u.lo) == (sym.Name == "After") && t.lo != u.lo, timed: true}, true
		}
	case "Duration.Seconds", "Duration.Milliseconds", "Duration.Minutes", "Duration.Nanoseconds", "Duration.Microseconds":
		unit := map[string]float64{"Seconds": 1e9, "Milliseconds": 1e6, "Minutes": 60e9, "Nanoseconds": 1, "Microseconds": 1e3}[sym.Name]
		if v, ok := duration(0); ok {
			return val{kind: number, id: hash(id, v.id), lo: v.lo / unit, hi: v.hi / unit}.from(v), true
		}
	}
	return val{}, false
}

// standard is a call of the standard library whose result matters here.
func (f *frame) standard(sym model.Symbol, instr *ssa.Call, args []val) (val, bool) {
	id := f.m.reader.id(instr)
	switch sym.Pkg {
	case "context":
		switch sym.Name {
		case "Done":
			return val{kind: done, id: id}, true
		case "Err", "Cause":
			return val{kind: null, id: id}, true
		}
	case "strconv":
		if sym.Name == "Itoa" && args[0].kind == number {
			return val{kind: text, id: hash(id, args[0].id), s: strconv.Itoa(int(args[0].lo))}.from(args[0]), true
		}
	case "errors":
		if len(args) < 2 || sym.Name != "Is" && sym.Name != "As" {
			break
		}
		switch {
		case args[0].kind == null:
			return truth(id, false), true
		case sym.Name == "Is" && args[0].kind == failure:
			if name := f.m.reader.sentinel[args[1].id]; name != "" {
				if holds, known := errorTest(name); known {
					return truth(id, holds), true
				}
			}
		}
	case "math":
		nums := make([]float64, 0, 2)
		for _, a := range args {
			if a.kind != number {
				return val{}, false
			}
			nums = append(nums, a.lo)
		}
		apply := func(pick func(val) float64) float64 {
			x := pick(args[0])
			switch sym.Name {
			case "Pow":
				return math.Pow(x, pick(args[1]))
			case "Min":
				return math.Min(x, pick(args[1]))
			case "Max":
				return math.Max(x, pick(args[1]))
			case "Floor":
				return math.Floor(x)
			case "Ceil":
				return math.Ceil(x)
			case "Round":
				return math.Round(x)
			case "Exp2":
				return math.Exp2(x)
			case "Exp":
				return math.Exp(x)
			case "Sqrt":
				return math.Sqrt(x)
			}
			return math.NaN()
		}
		if len(nums) == 0 {
			break
		}
		lo, hi := apply(func(v val) float64 { return v.lo }), apply(func(v val) float64 { return v.hi })
		if math.IsNaN(lo) || math.IsNaN(hi) {
			break
		}
		return val{kind: number, id: hash(id, args[0].id), lo: lo, hi: hi}.from(args...), true
	case "math/rand", "math/rand/v2":
		switch strings.TrimSuffix(sym.Name, "N") {
		case "Int63n", "Int31n", "Intn", "Int", "Int64", "Int32", "Uint64", "Uint32", "Uint":
			if n := args[len(args)-1]; len(args) > 0 && n.kind == number {
				return val{kind: number, id: hash(id, n.id), lo: 0, hi: n.hi}.from(n), true
			}
		case "Float64", "Float32":
			return val{kind: number, id: id, lo: 0, hi: 1}, true
		case "":
			if n := args[len(args)-1]; n.kind == number {
				return val{kind: number, id: hash(id, n.id), lo: 0, hi: n.hi}.from(n), true
			}
		}
	}
	return val{}, false
}

// selects is a select: a timer fires, other channels give what they give.
func (f *frame) selects(s *ssa.Select) (val, bool) {
	id := f.m.reader.id(s)
	result := func(i int) val {
		out := val{kind: tuple, id: id, parts: []val{num(hash(id, uint64(i+1)), float64(i)), truth(id, true)}}
		for j, st := range s.States {
			if st.Dir == types.RecvOnly {
				got := val{id: hash(id, uint64(j), 3)}
				if j == i && !f.isAlarm(st.Chan) {
					got = f.fresh(s)
				}
				out.parts = append(out.parts, got)
			}
		}
		return out
	}
	fires, others := -1, -1
	for i, st := range s.States {
		if st.Dir == types.SendOnly {
			others = i
			continue
		}
		switch ch := f.value(st.Chan); {
		case ch.kind == alarm:
			if fires >= 0 {
				// The one that rings first; the other is a time limit.
				f.st.byTime, f.st.counted = true, true
				first, _ := f.left(f.value(s.States[fires].Chan))
				if mine, _ := f.left(ch); mine >= first {
					continue
				}
			}
			fires = i
		case ch.kind == done:
		case isSignal(st.Chan.Type()):
		default:
			others = i
		}
	}
	switch {
	case !s.Blocking:
		return val{kind: tuple, id: id, parts: []val{num(id, -1), truth(id, false)}}, false
	case fires >= 0 && others < 0:
		f.ring(f.value(s.States[fires].Chan))
		return result(fires), false
	case others >= 0 && fires < 0:
		return result(others), false
	case others >= 0:
		// A timer beside work: a time limit, or a pause that other events cut.
		out := result(others)
		out.parts[0] = val{id: hash(id, 5)}
		return out, false
	}
	return val{}, true
}

func (f *frame) isAlarm(ch ssa.Value) bool { return f.value(ch).kind == alarm }

// isSignal reports whether a channel carries nothing but that something is over.
func isSignal(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}
