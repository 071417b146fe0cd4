package value

import (
	"go/token"
	"go/types"
	"reflect"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
)

func itoa(n int) string { return strconv.Itoa(n) }

// global is the base value of the package variable g: the cell of one of this
// package's own, or what is known of another's.
func (e *Evaluator) global(g *ssa.Global) *Term {
	t := &Term{Kind: Struct, Type: model.TypeSymbol(g.Type()), pos: g.Pos()}
	if g.Pkg == e.Package {
		return t
	}
	obj, _ := g.Object().(*types.Var)
	if obj == nil {
		return unknown(g.Pos(), "%s is not followed", g.Name())
	}
	if e.Facts != nil {
		if known := e.Facts.Variable(obj); known != nil {
			return known
		}
	}
	return &Term{Kind: Var, Sym: Symbol{Pkg: g.Pkg.Pkg.Path(), Name: g.Name()}, Type: model.TypeSymbol(g.Type())}
}

// Variable is what the package variable g, one of this package, holds after
// all changes in sight.
func (e *Evaluator) Variable(g *ssa.Global) *Term {
	elem := g.Type().Underlying().(*types.Pointer).Elem()
	if _, ok := elem.Underlying().(*types.Struct); ok {
		return e.Value(g, nil)
	}
	return content(e.Value(g, nil), zero(elem))
}

// Overwritten is what this package writes to the package variable of another that
// sym names, nil when it writes nothing; always says that it does so before
// anything else runs.
func (e *Evaluator) Overwritten(sym Symbol) (t *Term, always bool) {
	e.index.build()
	var written []*Term
	for g, uses := range e.index.globals { // at most one has the name
		if g.Pkg == e.Package || g.Name() != sym.Name || g.Pkg.Pkg.Path() != sym.Pkg {
			continue
		}
		for _, use := range uses {
			if s, ok := use.(*ssa.Store); ok && s.Addr == ssa.Value(g) {
				written = append(written, e.Value(s.Val, s))
				always = always || isInit(s.Parent()) || s.Parent().Name() == "main" && isMain(e.Package.Pkg)
			}
		}
	}
	if len(written) == 0 {
		return nil, false
	}
	return Join(written...), always
}

// closed is field f of an object that is not seen being made: what the writes
// of the field in this package agree on. symbolic is returned when nothing can
// be said here, because the field is another package's.
func (e *Evaluator) closed(f *types.Var, symbolic *Term) *Term {
	if f.Pkg() != e.Package.Pkg {
		return symbolic
	}
	if known := e.fields[f.Origin()]; known != nil {
		return known
	}
	key := [2]any{f, "field"}
	if e.active[key] {
		e.cuts++
		return symbolic
	}
	e.active[key] = true
	t := e.written(f)
	delete(e.active, key)
	e.fields[f.Origin()] = t
	return t
}

// written is what the writes of field f in this package agree on.
func (e *Evaluator) written(f *types.Var) *Term {

	e.index.build()
	owner := e.ownerOf(f)
	uses := e.index.fields[f.Origin()]
	switch {
	case owner != nil && tagged(owner, f):
		return unknown(f.Pos(), "field %s is filled from outside (it has a struct tag)", f.Name())
	case uses != nil && uses.escapes != token.NoPos:
		return unknown(f.Pos(), "the address of field %s is taken", f.Name())
	case f.Exported() && owner != nil && e.index.reflect[owner] != token.NoPos:
		return unknown(f.Pos(), "%s is filled by code out of sight", owner.Name())
	case uses == nil || len(uses.writes) == 0:
		if f.Exported() {
			return unknown(f.Pos(), "field %s is set outside this package", f.Name())
		}
	}
	var out []*Term
	if uses != nil {
		for _, w := range uses.writes {
			t := e.Kept(w.Val, w)
			if t.Kind != Nil {
				out = append(out, t)
			}
		}
	}
	if owner != nil && e.leavesZero(owner, f) {
		if z := zero(f.Type()); z.Kind != Nil {
			out = append(out, z)
		}
	}
	if len(out) == 0 {
		if isHandle(f.Type()) {
			return &Term{Kind: Nil, pos: f.Pos()}
		}
		return zero(f.Type())
	}
	return Join(out...)
}

// leavesZero reports whether some object of the type is made here without a
// write to the field.
func (e *Evaluator) leavesZero(owner *types.TypeName, f *types.Var) bool {
	for _, a := range e.index.allocs[owner] {
		written := false
		for _, w := range e.changesOf(a, nil) {
			if w.Path == f.Name() || w.Path == "" && w.Sym.Name == "" {
				written = true
			}
		}
		if !written {
			return true
		}
	}
	return false
}

// ownerOf is the named struct type of this package that declares f.
func (e *Evaluator) ownerOf(f *types.Var) *types.TypeName {
	if e.owners == nil {
		e.owners = map[*types.Var]*types.TypeName{}
		scope := e.Package.Pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			if st, ok := tn.Type().Underlying().(*types.Struct); ok {
				for i := range st.NumFields() {
					e.owners[st.Field(i).Origin()] = tn
				}
			}
		}
	}
	return e.owners[f.Origin()]
}

func tagged(owner *types.TypeName, f *types.Var) bool {
	st := owner.Type().Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Origin() == f.Origin() {
			return reflect.StructTag(st.Tag(i)) != ""
		}
	}
	return false
}

// Closed replaces fields of parameters by what the writes of this package
// agree on. What remains symbolic comes from callers.
func (e *Evaluator) Closed(t *Term) *Term {
	r := &closing{e: e, memo: map[*Term]*Term{}}
	return r.term(t)
}

type closing struct {
	e    *Evaluator
	memo map[*Term]*Term
}

func (r *closing) term(t *Term) *Term {
	if !t.Symbolic(nil) {
		return t
	}
	if done := r.memo[t]; done != nil {
		return done
	}
	r.memo[t] = t // a value that depends on itself stays as it is
	out := r.rewrite(t).bounded()
	r.memo[t] = out
	return out
}

func (r *closing) rewrite(t *Term) *Term {
	changes := rewriteChanges(t.Changes, r.term, r.terms)
	switch {
	case t.Kind == Field && t.fld != nil:
		if closed := r.e.closed(t.fld, t); closed != t {
			return r.term(closed).with(changes)
		}
	case t.Kind == Alt:
		return Join(r.terms(t.Args)...).with(changes)
	case t.Kind == Op:
		return fold(t.Text, r.terms(t.Args), t.pos).with(changes)
	case t.Kind == List:
		return flatten(r.terms(t.Args), t.Open, t.pos)
	}
	c := t.copy()
	c.Args, c.Changes = r.terms(t.Args), changes
	return c
}

func (r *closing) terms(ts []*Term) []*Term {
	out := make([]*Term, len(ts))
	for i, t := range ts {
		out[i] = r.term(t)
	}
	return out
}

// maxResolve bounds how far parameters are followed to callers.
const maxResolve = 4

// Resolve replaces the parameters in t by what all callers pass, where all of
// them are in sight: an unexported function that is only called, or a closure
// that is handed to a function which calls it. Where they are not, fields of
// parameters are what this package writes to them.
func (e *Evaluator) Resolve(t *Term) *Term {
	for range maxResolve {
		t = e.expand(t)
		if closed := e.Closed(t); closed == t || !closed.Symbolic(nil) {
			return closed
		} else {
			t = closed
		}
	}
	return t
}

// expand replaces parameters by the arguments of all calls, where in sight.
func (e *Evaluator) expand(t *Term) *Term {
	for range maxResolve {
		fn, ok := symbolicIn(t)
		if !ok {
			return t
		}
		calls := e.callers(fn)
		if len(calls) == 0 || len(calls) > maxAlternatives {
			return t
		}
		var out []*Term
		for _, args := range calls {
			out = append(out, Subst(t, fn, args))
		}
		t = Join(out...)
	}
	return t
}

// symbolicIn is a function of this package whose parameters t depends on.
func symbolicIn(t *Term) (*ssa.Function, bool) {
	for _, fn := range t.parameters() {
		if fn != nil {
			return fn, true
		}
	}
	return nil, false
}

// callers lists the arguments of each call of fn, or nil when some may be out
// of sight.
func (e *Evaluator) callers(fn *ssa.Function) [][]*Term {
	e.index.build()
	key := [2]any{fn, "callers"}
	if e.active[key] {
		return nil
	}
	e.active[key] = true
	defer delete(e.active, key)

	if fn.Parent() != nil {
		return e.closureCallers(fn)
	}
	var out [][]*Term
	for _, call := range e.Calls(fn) {
		out = append(out, e.argsOf(call))
	}
	return out
}

// Calls lists the calls of the declared function fn, or nil when some may be
// out of sight.
func (e *Evaluator) Calls(fn *ssa.Function) []ssa.CallInstruction {
	e.index.build()
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Exported() && !isMain(obj.Pkg()) || len(e.index.taken[fn]) > 0 || isInit(fn) || viaInterface(fn) {
		return nil
	}
	return e.index.calls[fn]
}

func isMain(pkg *types.Package) bool { return pkg.Name() == "main" }

// viaInterface reports whether fn may be called through an interface: any
// method may, so only those that are not exported are trusted.
func viaInterface(fn *ssa.Function) bool {
	return fn.Signature.Recv() != nil && token.IsExported(fn.Name())
}

func (e *Evaluator) argsOf(call ssa.CallInstruction) []*Term {
	var args []*Term
	for _, a := range call.Common().Args {
		args = append(args, e.shallow(a, call))
	}
	return args
}

// closureCallers finds the calls of a closure that is passed, once, to a
// function of this package which only calls it.
func (e *Evaluator) closureCallers(fn *ssa.Function) [][]*Term {
	var v ssa.Value = fn
	var refs []ssa.Instruction
	if site := e.index.closure(fn); site != nil {
		v = site
		refs = *site.Referrers()
	} else {
		refs = e.index.taken[fn]
	}
	var out [][]*Term
	for _, ref := range refs {
		if conv, ok := ref.(*ssa.ChangeType); ok {
			v = conv
			refs = *conv.Referrers()
			break
		}
	}
	for _, ref := range refs {
		call, ok := ref.(ssa.CallInstruction)
		if !ok {
			return nil
		}
		common := call.Common()
		if common.Value == v {
			out = append(out, e.argsOf(call))
			continue
		}
		callee := common.StaticCallee()
		if callee == nil || callee.Pkg != e.Package || len(callee.Blocks) == 0 {
			return nil
		}
		for i, a := range common.Args {
			if a != v {
				continue
			}
			inner := e.paramCalls(callee, i)
			if inner == nil {
				return nil
			}
			for _, args := range inner {
				out = append(out, substAll(args, callee, e.argsOf(call)))
			}
		}
	}
	return out
}

func substAll(ts []*Term, fn *ssa.Function, args []*Term) []*Term {
	out := make([]*Term, len(ts))
	for i, t := range ts {
		out[i] = Subst(t, fn, args)
	}
	return out
}

// paramCalls lists the arguments with which fn calls its parameter i, or nil
// when it does anything else with it than hand it on to a function which does.
func (e *Evaluator) paramCalls(fn *ssa.Function, i int) [][]*Term {
	key := [2]any{fn, i}
	if e.active[key] || i >= len(fn.Params) {
		return nil
	}
	e.active[key] = true
	defer delete(e.active, key)

	var out [][]*Term
	p := fn.Params[i]
	for _, ref := range *p.Referrers() {
		switch ref := ref.(type) {
		case ssa.CallInstruction:
			common := ref.Common()
			if common.Value == ssa.Value(p) {
				out = append(out, e.argsOf(ref))
				continue
			}
			callee := common.StaticCallee()
			if callee == nil || callee.Pkg != e.Package || len(callee.Blocks) == 0 {
				return nil
			}
			for j, a := range common.Args {
				if a == ssa.Value(p) {
					for _, args := range e.paramCalls(callee, j) {
						out = append(out, substAll(args, callee, e.argsOf(ref)))
					}
				}
			}
		case *ssa.BinOp: // compared with nil
		case *ssa.DebugRef:
		default:
			return nil
		}
	}
	return out
}
