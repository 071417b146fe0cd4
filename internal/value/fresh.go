package value

import "golang.org/x/tools/go/ssa"

// brought is what a callee returned, as the caller has it: what is made anew
// each time was made by this call. It tells a key that is made for each attempt
// from one that a helper made before.
func (e *Evaluator) brought(t *Term, by *ssa.Call) *Term {
	b := bringing{e: e, by: by, memo: map[*Term]*Term{}}
	return b.term(t)
}

// broughtChanges is the same of what a callee does to its argument.
func (e *Evaluator) broughtChanges(changes []Change, at ssa.Instruction) []Change {
	by, ok := at.(*ssa.Call)
	if !ok {
		return changes
	}
	b := bringing{e: e, by: by, memo: map[*Term]*Term{}}
	out, _ := b.changes(changes)
	return out
}

type bringing struct {
	e    *Evaluator
	by   *ssa.Call
	memo map[*Term]*Term
}

func (b *bringing) term(t *Term) *Term {
	if t == nil || b.e.steady[t] {
		return t
	}
	if done := b.memo[t]; done != nil {
		return done
	}
	args, newArgs := b.terms(t.Args)
	changes, newChanges := b.changes(t.Changes)
	fresh := t.Kind == Call && b.e.Library.Fresh(t.Sym)
	if !fresh && !newArgs && !newChanges {
		b.e.steady[t] = true
		return t
	}
	c := t.copy()
	c.Args, c.Changes = args, changes
	if fresh {
		c.by, c.fn = b.by, b.by.Parent()
	}
	b.memo[t] = c
	return c
}

func (b *bringing) terms(ts []*Term) (out []*Term, changed bool) {
	for i, t := range ts {
		n := b.term(t)
		if n != t && !changed {
			changed = true
			out = append(out, ts[:i]...)
		}
		if changed {
			out = append(out, n)
		}
	}
	if !changed {
		return ts, false
	}
	return out, true
}

func (b *bringing) changes(changes []Change) (out []Change, changed bool) {
	for i, c := range changes {
		args, newArgs := b.terms(c.Args)
		each := b.term(c.Each)
		if (newArgs || each != c.Each) && !changed {
			changed = true
			out = append(out, changes[:i]...)
		}
		if changed {
			c.Args, c.Each = args, each
			out = append(out, c)
		}
	}
	if !changed {
		return changes, false
	}
	return out, true
}
