package attempt

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Lost cause is the error of an attempt of which nothing is left when the
// attempts are over.
type Lost struct {
	Pos   token.Pos // where an error is returned in its place
	Cause token.Pos // the call that failed
	// Swallowed says that the operation itself drops it: what the library returns
	// tells that the attempts are over, and no more.
	Swallowed bool
}

// lost finds a way from a failed attempt to the end of all attempts on which its
// error is tested at most, and another one is returned.
func (c *Code) lost() *Lost {
	if c.Loop == nil {
		return c.lostByLibrary()
	}
	for _, call := range c.Loop.Calls {
		err := failure(call)
		if err == nil || c.told(err) {
			continue
		}
		l := &Lost{Cause: call.Pos()}
		t := c.after(call, err, func(p *path, i ssa.Instruction) step {
			if ret, ok := i.(*ssa.Return); ok && p.flags&exited != 0 && replaces(p, ret) {
				l.Pos = ret.Pos()
				return found
			}
			return goOn
		})
		t.edge = func(p *path, to *ssa.BasicBlock) step {
			switch {
			case !c.Loop.Has(p.at):
			case !c.Loop.Has(to):
				if !c.isLast(p, to) {
					return leave
				}
				p.flags |= exited
			default:
				c.turn(p, to)
			}
			return goOn
		}
		if t.trace(failed(call, err)) {
			return l
		}
	}
	return nil
}

// after follows the failure of a call on all ways to where the function ends: judge
// says what stands there. A way on which somebody is told of it, or on which the call
// is made again, proves nothing.
func (c *Code) after(call *ssa.Call, err ssa.Value, judge func(*path, ssa.Instruction) step) *tracer {
	return &tracer{budget: maxTrace, instr: func(p *path, i ssa.Instruction) step {
		if i == ssa.Instruction(call) {
			return leave
		}
		if v, ok := i.(ssa.Value); ok && v == err {
			p.marks[err], p.isNil[err] = true, false
			return goOn
		}
		if says := judge(p, i); says != goOn {
			return says
		}
		if _, ends := i.(*ssa.Return); ends || c.escapes(p, i) {
			return leave
		}
		return goOn
	}}
}

// failed is the path that begins where a call has failed.
func failed(call *ssa.Call, err ssa.Value) *path {
	p := newPath(call)
	p.marks[err], p.isNil[err] = true, false
	return p
}

// failure is the error that a call returns, nil when it returns none, or none that
// anyone looks at.
func failure(call *ssa.Call) ssa.Value {
	res := call.Common().Signature().Results()
	n := res.Len()
	if n == 0 || !value.IsError(res.At(n-1).Type()) {
		return nil
	}
	return results(call)[n-1]
}

// lostByLibrary is the same of a library's retry: what it returns is dropped, or
// the operation returns nothing of its failure.
func (c *Code) lostByLibrary() *Lost {
	if c.Operation == nil {
		return nil
	}
	if c.Asks {
		return c.swallowed()
	}
	call, ok := c.Call.(*ssa.Call)
	if !ok || keepsError(c.Operation) || c.logs(value.Outermost(c.Operation), 3, map[*ssa.Function]bool{}) {
		return nil
	}
	err := failure(call)
	if err == nil {
		return nil
	}
	l := &Lost{Cause: call.Pos()}
	t := c.after(call, err, func(p *path, i ssa.Instruction) step {
		switch i := i.(type) {
		case *ssa.Return:
			if replaces(p, i) {
				l.Pos = i.Pos()
				return found
			}
		case *ssa.If:
			if _, _, nilTested := nilTest(i.Cond); !nilTested && c.asksOf(p, i.Cond, 6) {
				return leave // it tells causes apart
			}
		}
		return goOn
	})
	if t.trace(failed(call, err)) {
		return l
	}
	return nil
}

// keepsError reports whether an operation stores an error somewhere outside of it.
func keepsError(op *ssa.Function) bool {
	for _, b := range op.Blocks {
		for _, instr := range b.Instrs {
			switch i := instr.(type) {
			case *ssa.Store:
				if _, local := base(i.Addr).(*ssa.Alloc); !local && value.IsError(i.Val.Type()) {
					return true
				}
			case *ssa.Send, *ssa.MapUpdate:
				return true
			}
		}
	}
	return false
}

// swallowed finds a failure of which an operation that says whether it is done
// tells nothing.
func (c *Code) swallowed() *Lost {
	for _, b := range c.Operation.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || len(c.Effects.Call(call)) == 0 {
				continue
			}
			err := failure(call)
			if err == nil {
				continue
			}
			if c.polls(call, err) {
				return nil
			}
			l := &Lost{Cause: call.Pos(), Swallowed: true}
			t := c.after(call, err, func(p *path, i ssa.Instruction) step {
				if ret, ok := i.(*ssa.Return); ok && c.fails(p, ret) {
					l.Pos = ret.Pos()
					return found
				}
				return goOn
			})
			if t.trace(failed(call, err)) {
				return l
			}
		}
	}
	return nil
}

// pollsAny reports whether the operation is run again after an answer of anything
// that it calls.
func (c *Code) pollsAny() bool {
	if c.Operation == nil {
		return false
	}
	for _, b := range c.Operation.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if err := failure(call); err != nil && c.polls(call, err) {
					return true
				}
			}
		}
	}
	return false
}

// polls reports whether the operation is run again after an answer, too: then a
// failure is no more than an answer that is not there yet.
func (c *Code) polls(call *ssa.Call, err ssa.Value) bool {
	t := &tracer{budget: maxTrace}
	t.instr = func(p *path, i ssa.Instruction) step {
		switch i := i.(type) {
		case *ssa.Extract:
			if ssa.Value(i) == err {
				p.isNil[err] = true
			}
		case *ssa.Return:
			if c.fails(p, i) {
				return found
			}
			return leave
		case *ssa.Call:
			if failure(i) != nil && len(c.Effects.Call(i)) > 0 {
				return leave // another failure may follow
			}
		}
		return goOn
	}
	p := newPath(call)
	p.isNil[err] = true
	return t.trace(p)
}

// asksOf reports whether a condition is made of something marked.
func (c *Code) asksOf(p *path, cond ssa.Value, depth int) bool {
	if depth == 0 || p.marked(cond) {
		return true
	}
	instr, ok := p.value(cond).(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && c.asksOf(p, *op, depth-1) {
			return true
		}
	}
	return false
}

// replaces reports whether what is returned is an error made without the cause.
func replaces(p *path, ret *ssa.Return) bool {
	n := len(ret.Results)
	if n == 0 || !value.IsError(ret.Results[n-1].Type()) {
		return false
	}
	v := p.value(ret.Results[n-1])
	if p.marked(v) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		return makesError(v) && !anyError(v.Call.Args, map[ssa.Value]bool{})
	case *ssa.UnOp:
		g, ok := v.X.(*ssa.Global)
		return ok && v.Op == token.MUL && value.IsError(g.Type().(*types.Pointer).Elem())
	}
	return false
}

// anyError reports whether an error is among what values are made of.
func anyError(vs []ssa.Value, seen map[ssa.Value]bool) bool {
	for _, v := range vs {
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		if value.IsError(v.Type()) || implementsError(v.Type()) {
			return true
		}
		var of []ssa.Value
		if alloc, ok := v.(*ssa.Alloc); ok {
			of = written(alloc)
		} else if instr, ok := v.(ssa.Instruction); ok {
			for _, op := range instr.Operands(nil) {
				of = append(of, *op)
			}
		}
		if anyError(of, seen) {
			return true
		}
	}
	return false
}

func implementsError(t types.Type) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	_, isIface := t.Underlying().(*types.Interface)
	return !isIface && types.Implements(t, iface)
}

// written lists what is stored in a local variable, or in parts of it.
func written(of ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, ref := range refs(of) {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == of {
				out = append(out, ref.Val)
			}
		case *ssa.IndexAddr:
			out = append(out, written(ref)...)
		case *ssa.FieldAddr:
			out = append(out, written(ref)...)
		}
	}
	return out
}

func (p *path) marked(v ssa.Value) bool { return v != nil && (p.marks[v] || p.marks[p.value(v)]) }

// escapes follows what is marked, and reports whether the instruction lets it go:
// it is logged, kept or sent somewhere.
func (c *Code) escapes(p *path, instr ssa.Instruction) bool {
	if v, ok := instr.(ssa.Value); ok {
		delete(p.marks, v) // made anew
	}
	switch i := instr.(type) {
	case *ssa.Store:
		if !p.marked(i.Val) {
			if _, plain := i.Addr.(*ssa.Alloc); plain {
				delete(p.marks, i.Addr)
			}
			return false
		}
		root := base(i.Addr)
		alloc, local := root.(*ssa.Alloc)
		if !local || isCaptured(alloc) {
			return true
		}
		if root != i.Addr { // a part of it
			p.marks[alloc] = true
		}
	case *ssa.MapUpdate:
		return p.marked(i.Value)
	case *ssa.Send:
		return p.marked(i.X)
	case *ssa.Panic:
		return p.marked(i.X)
	case *ssa.Defer:
		return p.anyMarked(i.Call.Args)
	case *ssa.Go:
		return p.anyMarked(i.Call.Args)
	case *ssa.MakeClosure:
		return p.anyMarked(i.Bindings)
	case *ssa.Call:
		return c.callLetsGo(p, i)
	case *ssa.UnOp, *ssa.Extract, *ssa.TypeAssert, *ssa.Convert, *ssa.Field, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
		for _, op := range instr.Operands(nil) {
			if p.marked(*op) {
				p.marks[instr.(ssa.Value)] = true
			}
		}
	case *ssa.BinOp:
		if i.Op == token.ADD && (p.marked(i.X) || p.marked(i.Y)) {
			p.marks[i] = true
		}
	}
	return false
}

func (p *path) anyMarked(vs []ssa.Value) bool {
	for _, v := range vs {
		if p.marked(v) || p.cells[v] != nil && p.marked(p.cells[v]) {
			return true
		}
	}
	return false
}

// base is the variable of which an address is a part.
func base(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}

func isCaptured(a *ssa.Alloc) bool {
	for _, ref := range refs(a) {
		if _, ok := ref.(*ssa.MakeClosure); ok {
			return true
		}
	}
	return false
}

// callLetsGo says whether a call that is given what is marked may tell it to
// somebody. A call that only answers a question about it does not.
func (c *Code) callLetsGo(p *path, call *ssa.Call) bool {
	common := call.Common()
	given := common.Args
	if common.IsInvoke() {
		given = append([]ssa.Value{common.Value}, given...)
	}
	if !p.anyMarked(given) {
		return false
	}
	sym := symbol(common)
	if sym.Pkg == "errors" && sym.Name == "As" {
		if target, ok := p.value(common.Args[1]).(*ssa.Alloc); ok {
			p.marks[target] = true
		}
		return false
	}
	if c.silent(common, 3) {
		p.marks[call] = tells(call.Type())
		return false
	}
	if common.Signature().Results().Len() == 0 || soundsLikeLog(sym.Name) {
		return true
	}
	if c.inSight(common) != nil {
		return true
	}
	// Out of sight: a getter, or a question about this one value.
	if len(given) == 1 {
		p.marks[call] = tells(call.Type())
		return false
	}
	results := common.Signature().Results()
	basic, ok := results.At(0).Type().Underlying().(*types.Basic)
	return !(results.Len() == 1 && ok && basic.Info()&types.IsBoolean != 0)
}

// tells reports whether a value of the type may say what went wrong: a number, a
// time or a yes does not.
func tells(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return !ok || basic.Info()&types.IsString != 0
}

// quiet are packages of the standard library whose functions tell nobody.
var quiet = map[string]bool{
	"errors": true, "strings": true, "strconv": true, "regexp": true, "bytes": true, "unicode": true, "time": true, "math": true,
	"net/url": true, "sort": true, "slices": true, "maps": true, "context": true,
}

// silent reports whether a call surely tells nobody of what it is given.
func (c *Code) silent(common *ssa.CallCommon, depth int) bool {
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "len"
	}
	sym := symbol(common)
	if quiet[sym.Pkg] || sym.Pkg == "fmt" && (sym.Name == "Errorf" || strings.HasPrefix(sym.Name, "Sprint")) || makesErrorOf(sym) {
		return true
	}
	if isText(common) {
		return true
	}
	fn := c.inSight(common)
	if fn == nil || depth == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.MakeClosure:
				return false
			case *ssa.Store:
				if _, local := base(instr.Addr).(*ssa.Alloc); !local {
					return false
				}
			case *ssa.Call:
				if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
					continue
				}
				if c.silent(&instr.Call, depth-1) || onlyAsks(&instr.Call) {
					continue
				}
				return false
			}
		}
	}
	return true
}

// isText reports whether a call is of the method that makes a text of an error.
func isText(common *ssa.CallCommon) bool {
	sig := common.Signature()
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.String]) {
		return false
	}
	name := symbol(common).Name
	return name == "Error" || name == "String"
}

// onlyAsks reports whether a call of code out of sight looks like a getter, or like
// a question.
func onlyAsks(common *ssa.CallCommon) bool {
	n := len(common.Args)
	if common.IsInvoke() {
		n++
	}
	return n == 1 && common.Signature().Results().Len() > 0 && !soundsLikeLog(symbol(common).Name)
}

func makesErrorOf(sym model.Symbol) bool {
	return strings.HasSuffix(sym.Pkg, "/errors") && (strings.HasPrefix(sym.Name, "Wrap") || strings.HasPrefix(sym.Name, "With") || sym.Name == "Errorf" || sym.Name == "Cause" || sym.Name == "New")
}

// logNames are parts of names by which functions tell people of failures.
var logNames = []string{"log", "warn", "error", "debug", "info", "print", "trace", "fatal", "report", "record", "notify", "capture", "emit", "alert", "verbose"}

func soundsLikeLog(name string) bool {
	if name == "Error" || name == "Errorf" {
		return true
	}
	name = strings.ToLower(name)
	for _, part := range logNames {
		if strings.Contains(name, part) && !strings.HasPrefix(name, "is") {
			return true
		}
	}
	return false
}

// told reports whether some call in the loop that returns nothing, as logs do, is
// given something made of the error.
func (c *Code) told(err ssa.Value) bool {
	for _, b := range c.blocks() {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			if c.silent(common, 3) || common.Signature().Results().Len() > 0 && !soundsLikeLog(symbol(common).Name) {
				continue
			}
			for _, a := range common.Args {
				if madeOf(a, err, map[ssa.Value]bool{}) {
					return true
				}
			}
		}
	}
	return false
}

// madeOf reports whether v is made of another value.
func madeOf(v, of ssa.Value, seen map[ssa.Value]bool) bool {
	if v == nil || seen[v] {
		return false
	}
	if v == of {
		return true
	}
	seen[v] = true
	if !tells(v.Type()) {
		return false
	}
	if alloc, ok := v.(*ssa.Alloc); ok {
		for _, w := range written(alloc) {
			if madeOf(w, of, seen) {
				return true
			}
		}
		for _, ref := range refs(alloc) { // the target of errors.As
			if boxed, ok := ref.(*ssa.MakeInterface); ok {
				for _, use := range refs(boxed) {
					if as, ok := use.(*ssa.Call); ok && symbol(as.Common()).Pkg == "errors" && madeOf(as.Call.Args[0], of, seen) {
						return true
					}
				}
			}
		}
		return false
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if madeOf(*op, of, seen) {
			return true
		}
	}
	return false
}

// logs reports whether code in sight from fn on, closures included, may tell
// somebody of failures: it calls something that sounds like it.
func (c *Code) logs(fn *ssa.Function, depth int, seen map[*ssa.Function]bool) bool {
	if seen[fn] || depth == 0 {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			name := symbol(common).Name
			if !c.silent(common, 1) && soundsLikeLog(name) {
				return true
			}
			if callee := c.inSight(common); callee != nil && c.logs(callee, depth-1, seen) {
				return true
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		if c.logs(anon, depth, seen) {
			return true
		}
	}
	return false
}
