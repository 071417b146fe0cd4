package value

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// with returns t as it is after the changes.
func (t *Term) with(changes []Change) *Term {
	if len(changes) == 0 {
		return t
	}
	if t.Kind == Alt {
		args := make([]*Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = a.with(changes)
		}
		return Join(args...)
	}
	c := t.copy()
	c.Changes = append(append([]Change(nil), t.Changes...), changes...)
	return c
}

// Select is field name of the struct, or pointer to a struct, that t is.
// zero is the field's value when nothing was written to it.
func Select(t *Term, name string, zero *Term) *Term {
	if t.Kind == Alt {
		args := make([]*Term, 0, len(t.Args))
		for _, a := range t.Args {
			if a.Kind != Nil {
				args = append(args, Select(a, name, zero))
			}
		}
		return Join(args...)
	}
	var val *Term
	switch t.Kind {
	case Struct:
		val = zero
	case Unknown:
		val = &Term{Kind: Unknown, Text: t.Text, pos: t.pos}
	default:
		base := t.copy()
		base.Changes = nil
		val = &Term{Kind: Field, Text: name, Args: []*Term{base, zero}, pos: t.pos}
	}
	for _, c := range t.Changes {
		val = c.onField(val, name, zero)
	}
	return val
}

// onField is the value of field name after the change, val before it.
func (c *Change) onField(val *Term, name string, zero *Term) *Term {
	switch {
	case c.Key != nil:
		if c.Path == name {
			inner := *c
			inner.Path = ""
			return val.with([]Change{inner})
		}
		return val
	case c.Each != nil:
		return val.afterEach(c.Each, name, zero, c.pos)
	case c.Sym.Name != "" && c.Path != name && !strings.HasPrefix(c.Path, name+"."):
		return val // a modelled method of another object
	case c.Sym.Name != "" && c.Path == name:
		inner := *c
		inner.Path = ""
		return val.with([]Change{inner})
	case c.Path == "" && len(c.Args) == 1: // whole write
		next := Select(c.Args[0], name, zero)
		if c.Maybe {
			next = Join(val, next)
		}
		return next
	case c.Path == name:
		return c.over(val)
	case strings.HasPrefix(c.Path, name+"."):
		inner := *c
		inner.Path = strings.TrimPrefix(c.Path, name+".")
		return val.with([]Change{inner})
	}
	return val
}

// over is what a written place holds after the change, val before it.
func (c *Change) over(val *Term) *Term {
	switch {
	case !c.Maybe:
		return c.Args[0]
	case c.If != "":
		return fold("if"+c.If, []*Term{val, c.Than, c.Args[0]}, c.pos)
	}
	return Join(val, c.Args[0])
}

// afterEach is val, the value of field name, after the functions that each
// stands for have been called with the object.
func (val *Term) afterEach(each *Term, name string, zero *Term, pos token.Pos) *Term {
	switch each.Kind {
	case Nil:
		return val
	case List:
		if each.Open {
			return unknown(pos, "an option may change it")
		}
		for _, f := range each.Args {
			val = val.afterEach(f, name, zero, pos)
		}
		return val
	case Elem:
		return val.afterEach(each.Args[0], name, zero, pos)
	case Alt:
		out := make([]*Term, len(each.Args))
		for i, f := range each.Args {
			out[i] = val.afterEach(f, name, zero, pos)
		}
		return Join(out...)
	case Func:
		// A function value's own changes are those it makes to its argument.
		for _, c := range each.Changes {
			val = c.onField(val, name, zero)
		}
		if each.Open {
			return unknown(pos, "%s may change it", each)
		}
		return val
	}
	if each.Symbolic(nil) {
		// The caller knows the options; until then the change stays pending.
		pending := &Term{Kind: Struct, pos: pos, Changes: []Change{
			{Path: name, Args: []*Term{val}, pos: pos},
			{Each: each, pos: pos},
		}}
		return &Term{Kind: Field, Text: name, pos: pos, Args: []*Term{pending, zero}}
	}
	return unknown(pos, "an option may change it")
}

// Subst is t with the parameters of fn replaced by args. A parameter that came
// from a fact (whose function is nil) is replaced when fn is nil.
func Subst(t *Term, fn *ssa.Function, args []*Term) *Term {
	s := &substitution{fn: fn, args: args, memo: map[*Term]*Term{}}
	return s.term(t)
}

type substitution struct {
	fn   *ssa.Function
	args []*Term
	memo map[*Term]*Term
}

func (s *substitution) term(t *Term) *Term {
	if done, ok := s.memo[t]; ok {
		return done
	}
	out := s.rewrite(t).bounded()
	s.memo[t] = out
	return out
}

func (s *substitution) rewrite(t *Term) *Term {
	if !t.Symbolic(s.fn) {
		return t
	}
	changes := s.changes(t.Changes)
	switch t.Kind {
	case Param:
		if t.fn != s.fn {
			break
		}
		if t.Index < len(s.args) {
			return s.args[t.Index].with(changes)
		}
		return unknown(t.pos, "argument %d is missing", t.Index)
	case Field:
		base := s.term(t.Args[0])
		if base.Kind == Field || base.Kind == Param || base.Kind == Var {
			break
		}
		return Select(base, t.Text, s.term(t.Args[1])).with(changes)
	case Elem:
		c := elem(s.term(t.Args[0]))
		c.Text = t.Text
		return c.with(changes)
	case Alt:
		return Join(s.terms(t.Args)...).with(changes)
	case Op:
		return fold(t.Text, s.terms(t.Args), t.pos).with(changes)
	case List:
		return flatten(s.terms(t.Args), t.Open, t.pos)
	}
	c := t.copy()
	c.Args = s.terms(t.Args)
	c.Changes = changes
	return c
}

// changes rewrites changes, and decides those whose condition is now known.
func (s *substitution) changes(changes []Change) []Change {
	return rewriteChanges(changes, s.term, s.terms)
}

func rewriteChanges(changes []Change, term func(*Term) *Term, terms func([]*Term) []*Term) []Change {
	var out []Change
	for _, c := range changes {
		if c.Cond != nil {
			c.Cond = term(c.Cond)
			if holds, known := c.Cond.Bool(); known {
				if !holds {
					continue
				}
				c.Cond, c.Maybe = nil, false
			}
		}
		c.Args = terms(c.Args)
		if c.Each != nil {
			c.Each = term(c.Each)
		}
		if c.Key != nil {
			c.Key = term(c.Key)
		}
		out = append(out, c)
	}
	return out
}

func (s *substitution) terms(ts []*Term) []*Term {
	out := make([]*Term, len(ts))
	for i, t := range ts {
		out[i] = s.term(t)
	}
	return out
}

func elem(list *Term) *Term {
	return &Term{Kind: Elem, Args: []*Term{list}, pos: list.pos}
}

// flatten is the list of elements in which a spread list (an Elem) stands for
// all of its own.
func flatten(elems []*Term, open bool, pos token.Pos) *Term {
	out := &Term{Kind: List, Open: open, pos: pos}
	for _, e := range elems {
		if e.Kind == Elem {
			switch inner := e.Args[0]; inner.Kind {
			case Nil:
				continue
			case List:
				out.Args = append(out.Args, inner.Args...)
				out.Open = out.Open || inner.Open
				continue
			}
		}
		out.Args = append(out.Args, e)
	}
	return out
}

// Each is what t is for each element of the list that a loop around it goes
// over; ok is false when t is no element, or the list is not known.
func (t *Term) Each() (each []*Term, ok bool) {
	if t == nil {
		return nil, false
	}
	switch t.Kind {
	case Elem:
		switch list := t.Args[0]; {
		case list.Kind == Nil:
			return nil, true
		case list.Kind == List && !list.Open && !spreads(list):
			return list.Args, true
		}
	case Field:
		if elems, ok := t.Args[0].Each(); ok {
			for _, e := range elems {
				each = append(each, Select(e, t.Text, t.Args[1]))
			}
			return each, true
		}
	}
	return nil, false
}

// Pointed is what t holds, when it is a variable that something points at.
func Pointed(t *Term) *Term {
	if t.Kind != Struct || len(t.Changes) == 0 {
		return t
	}
	return content(&Term{Changes: t.Changes}, &Term{Kind: Nil})
}
