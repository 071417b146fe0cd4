package value

import "slices"

// Portable returns copies of terms as a fact carries them, whether it is
// encoded or stays in the process: without positions and functions of the
// package at hand, and safe to be read by several packages at once.
type Portable struct{ memo map[*Term]*Term }

// Term is the portable form of t.
func (p *Portable) Term(t *Term) *Term {
	if t == nil {
		return nil
	}
	if p.memo == nil {
		p.memo = map[*Term]*Term{}
	}
	if done := p.memo[t]; done != nil {
		return done
	}
	c := t.copy()
	c.pos, c.fn, c.env, c.fld, c.by, c.outer = 0, nil, nil, nil, nil, nil
	c.Args = p.Terms(t.Args)
	c.Changes = p.Changes(t.Changes)
	c.parameters()
	c.Weight()
	p.memo[t] = c
	return c
}

// Terms is the portable form of each of ts.
func (p *Portable) Terms(ts []*Term) []*Term {
	out := slices.Clone(ts)
	for i, t := range out {
		out[i] = p.Term(t)
	}
	return out
}

// Changes is the portable form of changes.
func (p *Portable) Changes(changes []Change) []Change {
	out := slices.Clone(changes)
	for i := range out {
		c := &out[i]
		c.pos = 0
		c.Args = p.Terms(c.Args)
		c.Each = p.Term(c.Each)
		c.Key = p.Term(c.Key)
		c.Cond = p.Term(c.Cond)
		c.Than = p.Term(c.Than)
	}
	return out
}

// Outline is the portable form of o.
func (p *Portable) Outline(o *Outline) Outline {
	out := Outline{Returns: p.Terms(o.Returns)}
	for _, c := range o.Changes {
		out.Changes = append(out.Changes, ParamChanges{Index: c.Index, Changes: p.Changes(c.Changes)})
	}
	return out
}
