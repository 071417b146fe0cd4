package value

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
)

// call is result number n of the call.
func (e *Evaluator) call(call *ssa.Call, n int) *Term {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return e.builtin(b.Name(), common.Args, call)
	}
	if use, ok := e.Library.Call(common); ok {
		receiver := Receiver(common)
		if use.Fluent && receiver != nil && n == 0 {
			return e.Value(receiver, call).with(e.thisCall(common, call, use))
		}
		t := &Term{Kind: Call, Sym: use.Symbol, Index: n, pos: call.Pos(), fn: call.Parent(), by: call}
		if receiver != nil {
			t.Args = append(t.Args, e.Value(receiver, call))
		}
		for _, a := range arguments(common) {
			if use.Edits {
				t.Args = append(t.Args, e.shallow(a, call))
				continue
			}
			t.Args = append(t.Args, e.Value(a, call))
		}
		return t
	}
	fn := common.StaticCallee()
	if fn == nil {
		if !common.IsInvoke() && returnsFunction(common, n) {
			return e.result(e.Value(common.Value, call), common, call)
		}
		if common.IsInvoke() {
			return unknown(call.Pos(), "the result of %s, an interface method", common.Method.Name())
		}
		return unknown(call.Pos(), "the result of a function value")
	}
	outline, owner := e.outline(fn)
	if outline == nil || n >= len(outline.Returns) {
		if outline == nil && Object(fn) != nil && returnsFunction(common, n) {
			return e.result(e.function(fn, nil), common, call)
		}
		return unknown(call.Pos(), "the result of %s", calleeName(fn))
	}
	result := e.brought(outline.Returns[n], call)
	if owner == nil && result.Kind == Func && result.Sym.Name == "" && returnsFunction(common, n) {
		return e.result(e.function(fn, nil), common, call) // a closure of another package
	}
	closure := result.Kind == Func && owner != nil && result.fn != nil && result.fn.Parent() == owner
	if !result.Symbolic(owner) && !closure {
		return result
	}
	args := make([]*Term, len(common.Args))
	for i, a := range common.Args {
		args[i] = e.shallow(a, call)
	}
	return Returned(result, owner, args)
}

// Returned is what fn returned, given args: a closure of it keeps them.
func Returned(result *Term, fn *ssa.Function, args []*Term) *Term {
	result = Subst(result, fn, args)
	if result.Kind == Func && fn != nil && result.fn != nil && result.fn.Parent() == fn {
		result = result.copy()
		result.outer = args
	}
	return result
}

// returnsFunction reports whether result n, the first one, is a function.
func returnsFunction(c *ssa.CallCommon, n int) bool {
	results := c.Signature().Results()
	if n != 0 || results.Len() == 0 {
		return false
	}
	_, ok := results.At(0).Type().Underlying().(*types.Signature)
	return ok
}

// result is what a call of f, which is not seen through, returns.
func (e *Evaluator) result(f *Term, common *ssa.CallCommon, call *ssa.Call) *Term {
	t := &Term{Kind: Result, Args: []*Term{f}, pos: call.Pos()}
	for _, a := range common.Args {
		t.Args = append(t.Args, e.Value(a, call))
	}
	return t
}

// shallow evaluates an argument; a closure keeps the changes that it makes to
// its own parameter, so that a callee that calls it can be followed.
func (e *Evaluator) shallow(v ssa.Value, at ssa.Instruction) *Term {
	return e.withEffects(e.Value(v, at))
}

// withEffects gives the function values in t the changes they make to their
// first parameter.
func (e *Evaluator) withEffects(t *Term) *Term {
	switch t.Kind {
	case Func:
		if t.fn == nil || len(t.Changes) > 0 || t.Open || !optionShaped(t.fn.Signature) {
			return t
		}
		c := t.copy()
		outline, owner := e.outline(t.fn)
		if outline == nil {
			c.Open = true
			return c
		}
		for _, p := range outline.Changes {
			if p.Index == optionParam(t.fn.Signature) && owner == t.fn {
				c.Changes = p.Changes
			}
		}
		return c
	case List, Alt, Elem:
		args := make([]*Term, len(t.Args))
		same := true
		for i, a := range t.Args {
			args[i] = e.withEffects(a)
			same = same && args[i] == a
		}
		if same {
			return t
		}
		c := t.copy()
		c.Args = args
		return c
	}
	return t
}

// optionShaped reports whether functions of this signature can be options or
// editors: one parameter is a pointer to a struct, and it returns no more than
// an error.
func optionShaped(sig *types.Signature) bool {
	return sig.Results().Len() <= 1 && optionParam(sig) >= 0
}

// optionParam is the only parameter of sig that is a pointer to a struct, or -1.
func optionParam(sig *types.Signature) int {
	found := -1
	for i := range sig.Params().Len() {
		p, ok := sig.Params().At(i).Type().Underlying().(*types.Pointer)
		if !ok {
			continue
		}
		if _, ok := p.Elem().Underlying().(*types.Struct); ok {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// thisCall is the change that a fluent call makes to its receiver.
func (e *Evaluator) thisCall(common *ssa.CallCommon, call *ssa.Call, use Use) []Change {
	if !use.Mutates {
		return nil
	}
	c := Change{Sym: use.Symbol, pos: call.Pos()}
	for _, a := range arguments(common) {
		c.Args = append(c.Args, e.Value(a, call))
	}
	return []Change{c}
}

// Receiver is the receiver of a method call, or nil.
func Receiver(c *ssa.CallCommon) ssa.Value {
	switch {
	case c.IsInvoke():
		return c.Value
	case bound(c) != nil:
		return bound(c)
	case c.Signature().Recv() != nil && len(c.Args) > 0:
		return c.Args[0]
	}
	return nil
}

// bound is the receiver of a method value that is called, as in f := r.Do; f(op).
func bound(c *ssa.CallCommon) ssa.Value {
	closure, ok := c.Value.(*ssa.MakeClosure)
	if !ok || len(closure.Bindings) != 1 {
		return nil
	}
	fn := closure.Fn.(*ssa.Function)
	if obj := Object(fn); obj == nil || obj.Signature().Recv() == nil || fn.Parent() != nil {
		return nil
	}
	return closure.Bindings[0]
}

// arguments are the arguments of a call without its receiver.
func arguments(c *ssa.CallCommon) []ssa.Value {
	if !c.IsInvoke() && c.Signature().Recv() != nil {
		return c.Args[1:]
	}
	return c.Args
}

// Arguments are the arguments of a call, receiver first, at the call.
func (e *Evaluator) Arguments(call ssa.CallInstruction) []*Term {
	var out []*Term
	if common := call.Common(); common.IsInvoke() {
		out = append(out, e.Value(common.Value, call))
	} else if recv := bound(common); recv != nil {
		out = append(out, e.Value(recv, call))
	}
	return append(out, e.argsOf(call)...)
}

func calleeName(fn *ssa.Function) string {
	if obj := Object(fn); obj != nil {
		return model.FuncSymbol(obj).String()
	}
	return fn.Name()
}

func (e *Evaluator) builtin(name string, args []ssa.Value, call *ssa.Call) *Term {
	switch name {
	case "append":
		elems := []*Term{elem(e.Value(args[0], call))}
		if len(args) > 1 {
			elems = append(elems, elem(e.Value(args[1], call)))
		}
		return appended(elems, call.Pos())
	case "len", "cap":
		if l := e.Value(args[0], call); l.Kind == List && !l.Open && !spreads(l) {
			return &Term{Kind: Const, Text: itoa(len(l.Args)), pos: call.Pos()}
		}
	case "min", "max":
		return e.minmax(name, args, call)
	}
	return unknown(call.Pos(), "the result of %s", name)
}

// appended is the list of the elements of several lists, each of which can be
// one of several: what is appended on some paths only.
func appended(elems []*Term, pos token.Pos) *Term {
	for i, s := range elems {
		list := s.Args[0]
		if list.Kind != Alt {
			continue
		}
		var out []*Term
		for _, alt := range list.Args {
			next := slices.Clone(elems)
			next[i] = elem(alt)
			out = append(out, appended(next, pos))
		}
		return Join(out...)
	}
	return flatten(elems, false, pos)
}

func spreads(list *Term) bool {
	for _, a := range list.Args {
		if a.Kind == Elem {
			return true
		}
	}
	return false
}

func (e *Evaluator) minmax(name string, args []ssa.Value, call *ssa.Call) *Term {
	best := e.Value(args[0], call)
	for _, a := range args[1:] {
		t := e.Value(a, call)
		less := fold("<", []*Term{t, best}, call.Pos())
		isLess, ok := less.Bool()
		if !ok {
			return unknown(call.Pos(), "a %s of values that are not fixed", name)
		}
		if isLess == (name == "min") {
			best = t
		}
	}
	return best
}

// hasOutline reports whether fn is read: it is of this package, or a fact
// tells of it.
func (e *Evaluator) hasOutline(fn *ssa.Function) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if len(fn.Blocks) > 0 && fn.Pkg == e.Package {
		return true
	}
	obj := Object(fn)
	return obj != nil && e.Facts != nil && e.Facts.Outline(obj) != nil
}

// Outline is what a call to fn, a function of this package, returns and does
// to its arguments. It is nil for functions without a body.
func (e *Evaluator) Outline(fn *ssa.Function) *Outline {
	o, _ := e.outline(fn)
	return o
}

// outline is the outline of fn and the function whose parameters it speaks of,
// which is nil when it comes from a fact.
func (e *Evaluator) outline(fn *ssa.Function) (*Outline, *ssa.Function) {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != e.Package && fn.Parent() == nil || len(fn.Blocks) == 0 {
		if obj := Object(fn); obj != nil && e.Facts != nil {
			return e.Facts.Outline(obj), nil
		}
		return nil, nil
	}
	if o, ok := e.outlines[fn]; ok {
		return o, fn
	}
	if e.active[fn] {
		return nil, nil // recursion
	}
	e.active[fn] = true
	defer delete(e.active, fn)
	o := &Outline{}
	e.returns(fn, o)
	for i, p := range fn.Params {
		if !isHandle(p.Type()) {
			continue
		}
		if changes := e.changesOf(p, nil); len(changes) > 0 {
			o.Changes = append(o.Changes, ParamChanges{Index: i, Changes: changes})
		}
	}
	e.outlines[fn] = o
	return o, fn
}

// returns evaluates the results of fn, leaving out those that come with an
// error where others do not: whoever uses the value had none.
func (e *Evaluator) returns(fn *ssa.Function, o *Outline) {
	n := fn.Signature.Results().Len()
	values := make([][]*Term, n)
	for _, b := range successes(fn) {
		ret := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		for i, r := range ret.Results {
			if i < n {
				values[i] = append(values[i], e.withEffects(e.Value(r, ret)))
			}
		}
	}
	for i := range values {
		if len(values[i]) == 0 {
			o.Returns = append(o.Returns, unknown(token.NoPos, "%s does not return", fn.Name()))
			continue
		}
		o.Returns = append(o.Returns, Join(values[i]...))
	}
}

// Parameters are the parameters of fn as terms, the receiver first.
func Parameters(fn *ssa.Function) []*Term {
	out := make([]*Term, len(fn.Params))
	for i, p := range fn.Params {
		out[i] = &Term{Kind: Param, Index: i, Text: p.Name(), fn: fn, pos: p.Pos()}
	}
	return out
}

// Opaque is a value of which nothing is known, for the reason given.
func Opaque(why string) *Term { return &Term{Kind: Unknown, Text: why} }

// Free is parameter i of no function in particular.
func Free(i int) *Term { return &Term{Kind: Param, Index: i} }

// Text is the constant string s.
func Text(s string) *Term { return &Term{Kind: Const, Text: strconv.Quote(s)} }

// Like is t, written where other is.
func Like(t, other *Term) *Term {
	c := t.copy()
	c.pos = other.pos
	return c
}
