package value

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
)

// A Use says how a modelled function treats the object it is called on.
type Use struct {
	Symbol  Symbol
	Mutates bool // changes its receiver in place
	Fluent  bool // returns its receiver
	Edits   bool // calls functions that it is given with a request
}

// Library says which functions are modelled: their calls stay terms.
type Library interface {
	// Call says how the modelled function that a call runs treats its
	// receiver; Symbol of the use is the name it is modelled under.
	Call(*ssa.CallCommon) (Use, bool)
	// Tracks reports whether objects of the type are followed wherever they
	// go: requests are decorated far from where they are made.
	Tracks(Symbol) bool
	// Configured reports whether objects of the type are clients or policies:
	// what they are told counts, wherever in the package they are told it.
	Configured(Symbol) bool
	// Fresh reports whether a modelled function returns another value each time.
	Fresh(Symbol) bool
}

// Facts says what is known of functions and variables of other packages.
type Facts interface {
	Outline(*types.Func) *Outline
	Variable(*types.Var) *Term
}

// An Outline is what a call to a function returns and does to its arguments,
// in terms of its parameters.
type Outline struct {
	Returns []*Term
	Changes []ParamChanges
}

// ParamChanges are the changes that a function makes to one of its parameters.
type ParamChanges struct {
	Index   int
	Changes []Change
}

// An Evaluator evaluates the values of one package. It is not safe for
// concurrent use.
type Evaluator struct {
	Package *ssa.Package
	Library Library
	Facts   Facts

	index    *index
	memo     map[[2]any]*Term
	active   map[any]bool
	steps    int
	cuts     int // how often an evaluation was cut short
	fields   map[*types.Var]*Term
	owners   map[*types.Var]*types.TypeName
	outlines map[*ssa.Function]*Outline
	writes   map[ssa.Value][]*write
	kept     map[ssa.Value]*Term
	steady   map[*Term]bool // terms in which nothing is made anew
}

// New returns an evaluator for pkg, whose functions are functions.
func New(pkg *ssa.Package, functions []*ssa.Function, lib Library, facts Facts) *Evaluator {
	return &Evaluator{
		Package:  pkg,
		Library:  lib,
		Facts:    facts,
		index:    &index{functions: functions},
		active:   map[any]bool{},
		memo:     map[[2]any]*Term{},
		fields:   map[*types.Var]*Term{},
		outlines: map[*ssa.Function]*Outline{},
		writes:   map[ssa.Value][]*write{},
		kept:     map[ssa.Value]*Term{},
		steady:   map[*Term]bool{},
	}
}

// Value is what v can be when control is at the instruction at. For an object
// that is its state there; with a nil at, its state after all changes in sight.
func (e *Evaluator) Value(v ssa.Value, at ssa.Instruction) *Term {
	key := [2]any{v, at}
	if t := e.memo[key]; t != nil {
		return t
	}
	if e.active[key] {
		e.cuts++
		return unknown(v.Pos(), "it changes in a loop")
	}
	if len(e.active) == 0 {
		e.steps = 0
	}
	if e.steps++; len(e.active) > maxDepth || e.steps > maxSteps {
		e.cuts++
		return unknown(v.Pos(), "too much code to follow")
	}
	e.active[key] = true
	cuts := e.cuts
	t := e.typed(v, at).bounded()
	delete(e.active, key)
	if e.cuts == cuts || len(e.active) == 0 {
		// What a cut left out depends on where the evaluation started, so
		// only what saw none is kept.
		e.memo[key] = t
	}
	return t
}

func (e *Evaluator) typed(v ssa.Value, at ssa.Instruction) *Term {
	return e.value(v, at).typed(v.Type())
}

// typed is t, with the name of the type typ when it has none.
func (t *Term) typed(typ types.Type) *Term {
	if t.Type != (Symbol{}) {
		return t
	}
	name := model.TypeSymbol(typ)
	if name == (Symbol{}) {
		return t
	}
	c := t.copy()
	c.Type = name
	return c
}

// maxDepth bounds the chain of values that one evaluation follows, maxSteps
// their number.
const (
	maxDepth = 200
	maxSteps = 5_000
)

func (e *Evaluator) value(v ssa.Value, at ssa.Instruction) *Term {
	switch v := v.(type) {
	case *ssa.Const:
		return e.constant(v)
	case *ssa.Parameter:
		return e.object(v, at, param(v))
	case *ssa.FreeVar:
		if outer, site := e.binding(v); outer != nil {
			return e.object(v, at, e.Value(outer, site))
		}
		return unknown(v.Pos(), "%s is captured where it is not seen", v.Name())
	case *ssa.Function:
		return e.function(v, nil)
	case *ssa.MakeClosure:
		return e.function(v.Fn.(*ssa.Function), v)
	case *ssa.Global:
		return e.object(v, at, e.global(v))
	case *ssa.Alloc:
		return e.object(v, at, e.made(v))
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.object(v, at, e.load(v))
		}
		return fold(v.Op.String(), []*Term{e.Value(v.X, v)}, v.Pos())
	case *ssa.FieldAddr:
		return e.field(v.X, v.Field, v.Pos(), at)
	case *ssa.Field:
		return e.field(v.X, v.Field, v.Pos(), at)
	case *ssa.IndexAddr:
		return e.element(v.X, v.Index, at)
	case *ssa.Index:
		return e.element(v.X, v.Index, at)
	case *ssa.Lookup:
		return unknown(v.Pos(), "it comes from a map")
	case *ssa.BinOp:
		return fold(v.Op.String(), []*Term{e.Value(v.X, v), e.Value(v.Y, v)}, v.Pos())
	case *ssa.Convert:
		return convert(e.Value(v.X, at), v.X.Type(), v.Type(), v.Pos())
	case *ssa.ChangeType:
		return e.Value(v.X, at)
	case *ssa.ChangeInterface:
		return e.Value(v.X, at)
	case *ssa.MakeInterface:
		return e.Value(v.X, at)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return e.Value(v.X, at)
		}
	case *ssa.Phi:
		return e.phi(v, at)
	case *ssa.Slice:
		return e.slice(v, at)
	case *ssa.MakeMap:
		return e.object(v, at, &Term{Kind: Struct, Text: "map", Type: TypeSymbol(v.Type()), pos: v.Pos()})
	case *ssa.MakeSlice:
		if n := e.Value(v.Len, v); n.Kind == Const && n.Text == "0" {
			return &Term{Kind: List, pos: v.Pos()}
		}
		return unknown(v.Pos(), "a slice filled elsewhere")
	case *ssa.Call:
		return e.object(v, at, e.made(v))
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Call:
			return e.object(v, at, e.made(v))
		case *ssa.Next:
			if r, ok := tuple.Iter.(*ssa.Range); ok && !tuple.IsString && v.Index > 0 {
				c := elem(e.Value(r.X, r))
				c.Text = [...]string{"", "key", "value"}[v.Index]
				return c
			}
		}
	}
	return unknown(v.Pos(), "a value that is not followed (%s)", describe(v))
}

// made is the object v as it is when the function at hand gets it: a variable
// or the result of a call. It is nil for any other value.
func (e *Evaluator) made(v ssa.Value) *Term {
	switch v := v.(type) {
	case *ssa.Alloc:
		return &Term{Kind: Struct, Type: model.TypeSymbol(v.Type()), pos: v.Pos()}
	case *ssa.Call:
		return e.call(v, 0)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return e.call(call, v.Index)
		}
	}
	return nil
}

func describe(v ssa.Value) string {
	switch v.(type) {
	case *ssa.MakeMap, *ssa.Lookup:
		return "a map"
	case *ssa.MakeChan:
		return "a channel"
	case *ssa.Extract, *ssa.TypeAssert:
		return "a type assertion, receive or range"
	}
	return v.Type().String()
}

func (e *Evaluator) constant(c *ssa.Const) *Term {
	if c.Value == nil {
		if _, ok := c.Type().Underlying().(*types.Struct); ok {
			return &Term{Kind: Struct, Type: model.TypeSymbol(c.Type()), pos: c.Pos()}
		}
		return &Term{Kind: Nil, pos: c.Pos()}
	}
	v := c.Value
	if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
		v = constant.ToFloat(v)
	}
	return constTerm(v, c.Pos())
}

func param(p *ssa.Parameter) *Term {
	for i, q := range p.Parent().Params {
		if p == q {
			return &Term{Kind: Param, Index: i, Text: p.Name(), fn: p.Parent(), pos: p.Pos()}
		}
	}
	return unknown(p.Pos(), "a parameter of %s", p.Parent().Name())
}

func (e *Evaluator) function(fn *ssa.Function, closure *ssa.MakeClosure) *Term {
	t := &Term{Kind: Func, fn: fn, env: closure, pos: fn.Pos()}
	if obj, ok := fn.Object().(*types.Func); ok {
		t.Sym = model.FuncSymbol(obj)
	}
	return t
}

// phi joins the values of the paths that meet. An edge that only leads back to
// itself adds nothing.
func (e *Evaluator) phi(v *ssa.Phi, at ssa.Instruction) *Term {
	if t := e.defaulted(v, at); t != nil {
		return t
	}
	var out []*Term
	for _, edge := range v.Edges {
		if edge == v {
			continue
		}
		t := e.Value(edge, at)
		if t.pos == token.NoPos {
			c := t.copy()
			c.pos = v.Pos()
			t = c
		}
		out = append(out, t)
	}
	return Join(out...)
}

// load is the value at the address that u reads, when it reads it.
func (e *Evaluator) load(u *ssa.UnOp) *Term {
	switch addr := u.X.(type) {
	case *ssa.FreeVar:
		// The address of a captured variable: the cell is the parent's.
		if outer, _ := e.binding(addr); outer != nil {
			return e.cell(outer, u)
		}
	case *ssa.Alloc:
		return e.cell(addr, u)
	case *ssa.Global:
		if addr.Pkg == e.Package {
			return e.cell(addr, u)
		}
	}
	// Pointers are transparent: what points at a term is written like it.
	return e.Value(u.X, u)
}

// cell is the content of the local or package variable addr, read by u.
func (e *Evaluator) cell(addr ssa.Value, u *ssa.UnOp) *Term {
	elem := addr.Type().Underlying().(*types.Pointer).Elem()
	if _, ok := elem.Underlying().(*types.Struct); ok {
		return e.Value(addr, u)
	}
	return content(e.Value(addr, u), zero(elem))
}

// content is what a variable's cell holds: the last whole write to it.
func content(cell *Term, zero *Term) *Term {
	val := zero
	for _, c := range cell.Changes {
		switch {
		case c.Path == "" && c.Sym.Name == "" && len(c.Args) == 1:
			val = c.over(val)
		default:
			val = val.with([]Change{c})
		}
	}
	return val
}

// isHandle reports whether values of type t share state when copied.
func isHandle(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Signature, *types.Chan:
		return true
	}
	return false
}

func zero(t types.Type) *Term {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return &Term{Kind: Struct, Type: model.TypeSymbol(t)}
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return constTerm(constant.MakeBool(false), token.NoPos)
		case u.Info()&types.IsString != 0:
			return constTerm(constant.MakeString(""), token.NoPos)
		case u.Info()&types.IsFloat != 0:
			return constTerm(constant.ToFloat(constant.MakeInt64(0)), token.NoPos)
		case u.Info()&types.IsNumeric != 0:
			return constTerm(constant.MakeInt64(0), token.NoPos)
		}
	}
	return &Term{Kind: Nil}
}

// binding is the value that a closure captured as v, and where.
func (e *Evaluator) binding(v *ssa.FreeVar) (ssa.Value, *ssa.MakeClosure) {
	fn := v.Parent()
	site := e.index.closure(fn)
	if site == nil {
		return nil, nil
	}
	for i, fv := range fn.FreeVars {
		if fv == v {
			return site.Bindings[i], site
		}
	}
	return nil, nil
}

func (e *Evaluator) slice(v *ssa.Slice, at ssa.Instruction) *Term {
	if v.Low != nil || v.High != nil {
		if low, ok := v.Low.(*ssa.Const); !ok || v.High != nil || low.Int64() != 0 {
			return unknown(v.Pos(), "a part of a slice")
		}
	}
	return e.Value(v.X, v)
}

// element is element i of the array or slice x.
func (e *Evaluator) element(x, i ssa.Value, at ssa.Instruction) *Term {
	list := e.Value(x, at)
	if list.Kind == List && !list.Open {
		if n, ok := e.Value(i, at).Int(); ok && n >= 0 && n < int64(len(list.Args)) {
			return list.Args[n]
		}
	}
	return elem(list)
}

// array is the content of an array allocated in sight: the backing store of a
// literal or of variadic arguments.
func (e *Evaluator) array(a *ssa.Alloc, length int64) *Term {
	elems := make([]*Term, length)
	elemType := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Elem()
	for i := range elems {
		elems[i] = zero(elemType)
	}
	for _, ref := range *a.Referrers() {
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, ok := addr.Index.(*ssa.Const)
		if !ok || i.Int64() < 0 || i.Int64() >= length {
			return unknown(a.Pos(), "an array written by index")
		}
		for _, use := range *addr.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == addr {
				elems[i.Int64()] = e.Value(store.Val, store)
			}
		}
		// A struct element is written field by field.
		if changes := e.changesOf(addr, nil); elems[i.Int64()].Kind == Struct && len(elems[i.Int64()].Changes) == 0 {
			elems[i.Int64()] = elems[i.Int64()].with(changes)
		}
	}
	return &Term{Kind: List, Args: elems, pos: a.Pos()}
}

// field is field number n of the struct x or of the struct that x points at.
func (e *Evaluator) field(x ssa.Value, n int, pos token.Pos, at ssa.Instruction) *Term {
	f := fieldOf(x.Type(), n)
	base := e.Value(x, at)
	val := Select(base, f.Name(), zero(f.Type()))
	switch {
	case val.Kind == Field && val.Args[0].Kind == Param:
		c := val.copy() // a caller may know; Closed says what this package does
		c.fld = f
		val = c
	case val.Kind == Field && val.Args[0].Kind != Struct:
		val = e.closed(f, val)
	case val.Kind == Unknown:
		val = e.closed(f, val)
	}
	if val.pos == token.NoPos {
		c := val.copy()
		c.pos = pos
		val = c
	}
	return val
}

func fieldOf(t types.Type, n int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct).Field(n)
}

// CalleeSymbols are the names that a call may be modelled under: a method of
// an interface under the type it is called on first, then where it is declared.
func CalleeSymbols(c *ssa.CallCommon) []Symbol {
	if c.IsInvoke() {
		declared := model.FuncSymbol(c.Method)
		if static := model.TypeSymbol(c.Value.Type()); static.Name != "" {
			on := Symbol{Pkg: static.Pkg, Recv: static.Name, Name: c.Method.Name()}
			if on != declared {
				return []Symbol{on, declared}
			}
		}
		return []Symbol{declared}
	}
	if fn := c.StaticCallee(); fn != nil {
		if obj := Object(fn); obj != nil {
			return []Symbol{model.FuncSymbol(obj)}
		}
	}
	return nil
}

// Object is the declared function behind fn, seen through instantiation and
// the wrappers that the compiler's intermediate form makes for method values.
func Object(fn *ssa.Function) *types.Func {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// TypeSymbol is the symbol of the named type t, pointers stripped.
func TypeSymbol(t types.Type) Symbol { return model.TypeSymbol(t) }

// FieldName is the name of the field that addr points at.
func FieldName(addr *ssa.FieldAddr) string { return fieldOf(addr.X.Type(), addr.Field).Name() }
