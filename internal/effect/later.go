package effect

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// later reports whether t is a function of a library that sends when it is called.
func (r *Reader) later(t *value.Term) bool {
	e := r.Catalogue.Lookup(t.Sym)
	return e != nil && e.Sender != nil && e.Sender.Later
}

// maxRuns bounds the chain of values that run each other.
const maxRuns = 8

// Run lists what a client does with each request that it sends: what the values
// run that it was made of, down to the user's own functions.
func (r *Reader) Run(t *value.Term) []Event {
	r.start()
	var c collection
	r.run(t, maxRuns, &c)
	return c.events
}

// run adds what t runs: a value of a library what it was made of, a function
// itself.
func (r *Reader) run(t *value.Term, depth int, c *collection) {
	if depth == 0 {
		c.add(Event{Unseen: "a function value"})
		return
	}
	for _, alt := range t.Alternatives() {
		switch alt.Kind {
		case value.Nil:
		case value.List:
			for _, a := range alt.Args {
				r.run(a, depth-1, c)
			}
			if alt.Open {
				c.add(Event{Unseen: "a function value"})
			}
		case value.Call:
			e := r.Catalogue.Lookup(alt.Sym)
			switch {
			case e != nil && e.Sender != nil && e.Sender.Later:
				c.add(Event{Send: alt.Sym, Args: alt.Args, pos: alt.Pos()})
			case e != nil && e.Value != nil && e.Value.Runs != nil:
				f := frame{args: alt.Args}
				if alt.Sym.Recv != "" && len(alt.Args) > 0 {
					f.receiver, f.args = alt.Args[0], alt.Args[1:]
				}
				of := f.ref(*e.Value.Runs)
				switch {
				case of == nil:
					c.add(Event{Unseen: "a function value"})
				case e.Value.Runs.Returns:
					r.runResult(&value.Term{Kind: value.Result, Args: []*value.Term{of}}, depth-1, c)
				default:
					r.run(of, depth-1, c)
				}
			default:
				c.add(Event{Unseen: alt.Sym.String()})
			}
		case value.Result:
			r.runResult(alt, depth-1, c)
		case value.Func:
			r.closure(alt, depth-1, c)
		default:
			c.add(Event{Unseen: "a function value"})
		}
	}
}

// runResult adds what a call of the function that a call returned does.
func (r *Reader) runResult(t *value.Term, depth int, c *collection) {
	for _, f := range t.Args[0].Alternatives() {
		body := f.Function()
		switch {
		case f.Kind != value.Func || body == nil:
			c.add(Event{Unseen: "a function value"})
		case len(body.Blocks) == 0 || body.Parent() == nil && body.Pkg != r.Evaluator.Package:
			obj := value.Object(body)
			if obj == nil || r.ImportedResult == nil {
				c.add(Event{Unseen: "a function value"})
				continue
			}
			for _, e := range r.ImportedResult(obj) {
				e.Chain = append([]model.Symbol{model.FuncSymbol(obj)}, e.Chain...)
				r.given(e, nil, t.Args[1:], depth, c)
			}
		default:
			o := r.Evaluator.Outline(body)
			if o == nil || len(o.Returns) == 0 {
				c.add(Event{Unseen: "a function value"})
				continue
			}
			ret := o.Returns[0]
			if body.Parent() != nil && f.Outer() != nil {
				ret = value.Subst(ret, body.Parent(), f.Outer())
			}
			r.run(value.Returned(ret, body, t.Args[1:]), depth, c)
		}
	}
}

// given adds the event of a function that owner, or one around it, is part of,
// with its parameters replaced.
func (r *Reader) given(e Event, owner *ssa.Function, args []*value.Term, depth int, c *collection) {
	e.Args = substAll(e.Args, owner, args)
	if !e.Call {
		c.add(e)
		return
	}
	if e.Func == nil {
		c.add(Event{Unseen: "a function value", pos: e.pos})
		return
	}
	f := value.Subst(e.Func, owner, args)
	if f.Symbolic(nil) {
		e.Func = f
		c.add(e)
		return
	}
	var inner collection
	r.run(f, depth-1, &inner)
	for _, called := range inner.events {
		called.Chain = append(slices.Clip(e.Chain), called.Chain...)
		c.add(called)
	}
}

// closure adds what the function t does when it is called by code that is not
// seen, with what the function around it was given.
func (r *Reader) closure(t *value.Term, depth int, c *collection) {
	body := t.Function()
	if body == nil || len(body.Blocks) == 0 {
		c.add(Event{Unseen: "a function value"})
		return
	}
	for _, e := range r.Of(body) {
		if e.Call && e.Func == nil {
			c.add(Event{Unseen: "a function value", pos: e.pos})
			continue
		}
		if t.Outer() == nil {
			c.add(e)
			continue
		}
		r.given(e, body.Parent(), t.Outer(), depth, c)
	}
}

// OfResult lists what a call of the first result of fn does, over the parameters
// of fn: nil when that is no function.
func (r *Reader) OfResult(fn *ssa.Function) []Event {
	results := fn.Signature.Results()
	if results.Len() == 0 {
		return nil
	}
	if _, ok := results.At(0).Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	o := r.Evaluator.Outline(fn)
	if o == nil || len(o.Returns) == 0 {
		return nil
	}
	r.start()
	var c collection
	r.run(o.Returns[0], maxRuns, &c)
	return c.events
}
