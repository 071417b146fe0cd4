package summary

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/declare"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/internal/value"
)

// A Function is the fact about an exported function or method: what a call to
// it returns and does to its arguments, and which of them it retries. It is
// closed (callers need nothing else) and holds names, never positions.
type Function struct {
	Outline value.Outline
	Wraps   []retry.Wrap
	Effects []effect.Event
	Known   bool // Effects is all that a call may do
	// Result is what a call of the first result may do, over the parameters.
	Result []effect.Event
	// Declared is what the user says of it: on interface methods all there is.
	Declared declare.Effect
	Module   string // path of the module that the function is part of
}

// A Variable is the fact about an exported variable: what it holds.
type Variable struct{ Value *value.Term }

// Present is the fact about a package of which some object carries a fact. A
// function of it without one does nothing that matters, but for those listed: they
// call code that is not seen.
type Present struct{ Unseen []string }

// Carries reports whether those who call the function have something to tell on
// that they would not know by themselves.
func (f *Function) Carries() bool {
	return len(f.Wraps) > 0 || slices.ContainsFunc(f.Effects, func(e effect.Event) bool { return e.Send.Name != "" })
}

// Carries is for drivers: what a variable holds is no reason to read on.
func (*Variable) Carries() bool { return false }

func (*Function) AFact() {}
func (*Variable) AFact() {}
func (*Present) AFact()  {}

func (f *Function) String() string {
	var parts []string
	for _, w := range f.Wraps {
		parts = append(parts, fmt.Sprintf("%s > call #%d", w.Entry, w.Operation))
	}
	for i, t := range f.Outline.Returns {
		if informative(t) {
			parts = append(parts, fmt.Sprintf("returns[%d] %s", i, t))
		}
	}
	for _, p := range f.Outline.Changes {
		parts = append(parts, fmt.Sprintf("changes #%d", p.Index))
	}
	return strings.Join(parts, "; ")
}

func (v *Variable) String() string { return v.Value.String() }

func (*Present) String() string { return "present" }

// maxFact bounds the number of terms that one fact holds.
const maxFact = 200

// export states the facts of the package's exported objects.
func (r *reader) export(pkg *ssa.Package, eval *value.Evaluator, finder *retry.Finder, effects *effect.Reader) {
	present := false
	var unseen []string
	module := ""
	if r.pass.Module != nil {
		module = r.pass.Module.Path
	}
	retriers := r.retriers(pkg, finder)
	function := func(fn *ssa.Function) {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !exportedMethod(obj) || len(fn.Blocks) == 0 {
			return
		}
		r.contain(fn, func() {
			fact := &Function{Wraps: finder.Wraps(fn), Effects: effects.Of(fn), Known: true, Result: effects.OfResult(fn), Module: module}
			if o := eval.Outline(fn); o != nil && (worthTelling(o) || makes(o, retriers)) {
				fact.Outline = *o
			}
			if !fact.sends() && len(fact.Wraps) == 0 && len(fact.Outline.Returns) == 0 && len(fact.Outline.Changes) == 0 {
				if len(fact.Effects) > 0 {
					unseen = append(unseen, localName(obj))
				}
				return // nobody can learn more from it
			}
			fact.shrink()
			r.pass.ExportObjectFact(obj, fact.portable())
			present = true
		})
	}
	for _, name := range pkg.Pkg.Scope().Names() {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			function(m)
		case *ssa.Type:
			if named, ok := m.Type().(*types.Named); ok && m.Object().Exported() {
				for i := range named.NumMethods() {
					if fn := pkg.Prog.FuncValue(named.Method(i)); fn != nil {
						function(fn)
					}
				}
			}
		case *ssa.Global:
			obj, ok := m.Object().(*types.Var)
			if !ok || !obj.Exported() {
				continue
			}
			r.contain(pkg.Func("init"), func() {
				t := eval.Variable(m)
				if informative(t) && size(t) <= maxFact {
					r.pass.ExportObjectFact(obj, &Variable{new(value.Portable).Term(t)})
					present = true
				}
			})
		}
	}
	for fn, as := range r.declared {
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && exportedMethod(fn) {
			r.pass.ExportObjectFact(fn, &Function{Declared: as, Module: module})
			present = true
		}
	}
	if present {
		slices.Sort(unseen)
		r.pass.ExportPackageFact(&Present{Unseen: unseen})
	}
}

// localName names a function within its package.
func localName(fn *types.Func) string {
	sym := model.FuncSymbol(fn)
	return sym.Recv + "." + sym.Name
}

// retriers lists the types of the package that have a method which retries.
func (r *reader) retriers(pkg *ssa.Package, finder *retry.Finder) map[model.Symbol]bool {
	out := map[model.Symbol]bool{}
	for _, name := range pkg.Pkg.Scope().Names() {
		typ, ok := pkg.Members[name].(*ssa.Type)
		if !ok {
			continue
		}
		named, ok := typ.Type().(*types.Named)
		if !ok {
			continue
		}
		for i := range named.NumMethods() {
			fn := pkg.Prog.FuncValue(named.Method(i))
			if fn == nil || len(fn.Blocks) == 0 {
				continue
			}
			r.contain(fn, func() {
				if len(finder.Wraps(fn)) > 0 {
					out[model.TypeSymbol(named)] = true
				}
			})
		}
	}
	return out
}

// makes reports whether a result of the outline is one of the types.
func makes(o *value.Outline, types map[model.Symbol]bool) bool {
	return slices.ContainsFunc(o.Returns, func(t *value.Term) bool { return types[t.Type] })
}

// exportedMethod reports whether other packages can name fn.
func exportedMethod(fn *types.Func) bool {
	if !fn.Exported() {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	name := model.TypeSymbol(recv.Type()).Name
	return name != "" && fn.Pkg().Scope().Lookup(name).Exported()
}

// worthTelling reports whether a caller can learn from the outline: a result
// that is, or holds, a value of a modelled library.
func worthTelling(o *value.Outline) bool {
	for _, t := range o.Returns {
		if informative(t) {
			return true
		}
	}
	for _, p := range o.Changes {
		for _, c := range p.Changes {
			if c.Sym.Name != "" {
				return true
			}
			for _, a := range c.Args {
				if informative(a) {
					return true
				}
			}
		}
	}
	return false
}

// informative reports whether t mentions a modelled call, or is a number.
func informative(t *value.Term) bool {
	switch t.Kind {
	case value.Call:
		return true
	case value.Const:
		_, isNumber := t.Float()
		return isNumber && t.Text != "0"
	}
	return mentionsCall(t)
}

func mentionsCall(t *value.Term) bool {
	seen := map[*value.Term]bool{}
	var in func(t *value.Term) bool
	in = func(t *value.Term) bool {
		if t.Kind == value.Call {
			return true
		}
		if seen[t] {
			return false
		}
		seen[t] = true
		if slices.ContainsFunc(t.Args, in) {
			return true
		}
		return slices.ContainsFunc(t.Changes, func(c value.Change) bool {
			return c.Sym.Name != "" || slices.ContainsFunc(c.Args, in)
		})
	}
	return in(t)
}

// sends reports whether a call may send something, or call what it is given.
func (f *Function) sends() bool {
	return slices.ContainsFunc(f.Effects, func(e effect.Event) bool { return e.Sends() || e.Call && e.Func == nil }) ||
		slices.ContainsFunc(f.Result, func(e effect.Event) bool { return e.Sends() || e.Call })
}

// shrink drops what is too large to be carried around.
func (f *Function) shrink() {
	if f.size() > maxFact {
		f.Outline = value.Outline{}
	}
	f.Effects, f.Result = shrunk(f.Effects), shrunk(f.Result)
}

func shrunk(events []effect.Event) []effect.Event {
	events = slices.Clone(events)
	for i := range events {
		e := &events[i]
		e.Args = slices.Clone(e.Args)
		for j, a := range e.Args {
			if size(a) > maxFact {
				e.Args[j] = value.Opaque("a value too large to follow")
			}
		}
	}
	return events
}

// portable is the fact without anything that means nothing elsewhere.
func (f *Function) portable() *Function {
	var p value.Portable
	out := &Function{Outline: p.Outline(&f.Outline), Effects: events(&p, f.Effects), Result: events(&p, f.Result), Known: f.Known, Module: f.Module}
	for _, w := range f.Wraps {
		out.Wraps = append(out.Wraps, retry.Wrap{
			Operation: w.Operation, Entry: w.Entry, Args: p.Terms(w.Args), Fixed: w.Fixed, Sends: events(&p, w.Sends),
		})
	}
	return out
}

func events(p *value.Portable, es []effect.Event) []effect.Event {
	var out []effect.Event
	for _, e := range es {
		e.Args, e.Func = p.Terms(e.Args), p.Term(e.Func)
		out = append(out, e.WithoutPos())
	}
	return out
}

// effects are the effects of a function of another package.
func (r *reader) effects(fn *types.Func) ([]effect.Event, bool) {
	var fact Function
	if !r.pass.ImportObjectFact(fn.Origin(), &fact) || !fact.Known {
		var read Present
		if fn.Pkg() == nil || !exportedMethod(fn) || !r.pass.ImportPackageFact(fn.Pkg(), &read) {
			return nil, false
		}
		if _, listed := slices.BinarySearch(read.Unseen, localName(fn.Origin())); listed {
			return []effect.Event{{Unseen: model.FuncSymbol(fn.Origin()).String()}}, true
		}
		return nil, true // it does nothing that matters
	}
	return fact.Effects, true
}

// resultEffects are the effects of the first result of a function of another
// package.
func (r *reader) resultEffects(fn *types.Func) []effect.Event {
	var fact Function
	r.pass.ImportObjectFact(fn.Origin(), &fact)
	return fact.Result
}

// declares is what users say of a function of this package or of another.
func (r *reader) declares(fn *types.Func) declare.Effect {
	if as := r.declared[fn.Origin()]; as != "" {
		return as
	}
	var fact Function
	if fn.Pkg() != nil && fn.Pkg() != r.pass.Pkg && r.pass.ImportObjectFact(fn.Origin(), &fact) {
		return fact.Declared
	}
	return ""
}

func (f *Function) size() int {
	n := 0
	for _, t := range f.Outline.Returns {
		n += size(t)
	}
	for _, p := range f.Outline.Changes {
		n += sizeChanges(p.Changes)
	}
	for _, w := range f.Wraps {
		for _, a := range w.Args {
			n += size(a)
		}
	}
	return n
}

// size counts the terms in t as a tree, up to a little more than maxFact.
func size(t *value.Term) int {
	n := 1
	for _, a := range t.Args {
		if n > maxFact {
			return n
		}
		n += size(a)
	}
	return n + sizeChanges(t.Changes)
}

func sizeChanges(changes []value.Change) int {
	n := 0
	for _, c := range changes {
		if n++; n > maxFact {
			return n
		}
		for _, a := range c.Args {
			n += size(a)
		}
		if c.Each != nil {
			n += size(c.Each)
		}
	}
	return n
}

// facts gives the evaluator what other packages' facts say.
type facts struct{ pass *analysis.Pass }

func (f facts) Outline(fn *types.Func) *value.Outline {
	var fact Function
	if f.pass.ImportObjectFact(fn.Origin(), &fact) && (len(fact.Outline.Returns) > 0 || len(fact.Outline.Changes) > 0) {
		return &fact.Outline
	}
	return nil
}

func (f facts) Variable(v *types.Var) *value.Term {
	var fact Variable
	if f.pass.ImportObjectFact(v, &fact) {
		return fact.Value
	}
	return nil
}

// imported says which parameters a function of another package retries.
func (r *reader) imported(fn *types.Func) (wraps []retry.Wrap, sameModule bool) {
	var fact Function
	if !r.pass.ImportObjectFact(fn.Origin(), &fact) {
		return nil, false
	}
	return fact.Wraps, r.pass.Module != nil && fact.Module == r.pass.Module.Path
}
