package attempt

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/value"
)

// A line is a number: an offset from the loop's counter, or from another value, or
// from zero.
type line struct {
	counter bool
	from    string
	offset  int64
}

// isLast reports whether a path that goes from the end of its block out of the loop
// does so because of the number of attempts, and may do so at all: what stands
// behind a loop may never be reached.
func (c *Code) isLast(p *path, to *ssa.BasicBlock) bool {
	branch, ok := p.at.Instrs[len(p.at.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	x, op, y, step, ok := c.comparison(branch.Cond)
	if !ok {
		return false
	}
	if p.at.Succs[0] != to {
		op = negated(op)
	}
	// It is the first number that ends the loop, no number beyond.
	bound := y.offset - x.offset
	switch op {
	case token.GTR:
		bound++
	case token.LSS:
		bound--
	case token.NEQ:
		return false
	}
	if p.flags&turned != 0 {
		bound -= step
	}
	last := interval{lo: bound, hi: bound}
	return c.possible(p, map[string]interval{y.from: last})
}

// An interval is what the counter may be in the turn of an attempt, as offsets from
// one value.
type interval struct{ lo, hi int64 }

// possible reports whether the counter can be a number of which all holds that the
// path took to hold.
func (c *Code) possible(p *path, known map[string]interval) bool {
	type fact struct {
		op    token.Token
		bound int64
		from  string
	}
	var facts []fact
	read := func(holds map[ssa.Value]bool, next bool) {
		for cond, held := range holds {
			x, op, y, step, ok := c.comparison(cond)
			if !ok {
				continue
			}
			if !held {
				op = negated(op)
			}
			bound := y.offset - x.offset
			if next {
				bound -= step
			}
			facts = append(facts, fact{op, bound, y.from})
		}
	}
	read(p.earlier, false)
	read(p.holds, p.flags&turned != 0)
	const far = 1 << 40
	for _, f := range facts {
		i, ok := known[f.from]
		if !ok {
			i = interval{-far, far}
		}
		switch f.op {
		case token.EQL:
			i.lo, i.hi = max(i.lo, f.bound), min(i.hi, f.bound)
		case token.LSS:
			i.hi = min(i.hi, f.bound-1)
		case token.LEQ:
			i.hi = min(i.hi, f.bound)
		case token.GTR:
			i.lo = max(i.lo, f.bound+1)
		case token.GEQ:
			i.lo = max(i.lo, f.bound)
		}
		known[f.from] = i
	}
	for _, f := range facts { // what it is not, once the rest is known
		if i := known[f.from]; i.lo > i.hi || f.op == token.NEQ && i.lo == i.hi && i.lo == f.bound {
			return false
		}
	}
	return true
}

// comparison reads a condition that compares the loop's counter.
func (c *Code) comparison(cond ssa.Value) (x line, op token.Token, y line, step int64, ok bool) {
	b, isBin := cond.(*ssa.BinOp)
	if !isBin {
		return
	}
	switch b.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	op = b.Op
	var one, other int64
	x, one = c.lineOf(b.X)
	y, other = c.lineOf(b.Y)
	if y.counter {
		x, y, op, one = y, x, mirrored(op), other
	}
	return x, op, y, one, x.counter && !y.counter
}

// lineOf reads a number; step is that of the counter, when it is one.
func (c *Code) lineOf(v ssa.Value) (l line, step int64) {
	for range 10 {
		switch x := v.(type) {
		case *ssa.Const:
			if x.Value != nil {
				if basic, ok := x.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
					l.offset += x.Int64()
					return l, 0
				}
			}
		case *ssa.Phi:
			if step := c.stepOf(x); step != 0 {
				l.counter = true
				return l, step
			}
		case *ssa.Convert:
			v = x.X
			continue
		case *ssa.BinOp:
			k, ok := x.Y.(*ssa.Const)
			if ok && k.Value != nil && (x.Op == token.ADD || x.Op == token.SUB) {
				if x.Op == token.ADD {
					l.offset += k.Int64()
				} else {
					l.offset -= k.Int64()
				}
				v = x.X
				continue
			}
		}
		break
	}
	l.from = place(v)
	return l, 0
}

// place names what a value is read from: loads of one field are one number.
func place(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return "*" + place(v.X)
		}
	case *ssa.FieldAddr:
		return place(v.X) + "." + value.FieldName(v)
	case *ssa.Global:
		return v.String()
	}
	if fn := v.Parent(); fn != nil {
		return fn.String() + "/" + v.Name()
	}
	return v.String()
}

// stepOf is by how much the loop steps a phi, 0 when it is no counter.
func (c *Code) stepOf(phi *ssa.Phi) int64 {
	basic, ok := phi.Type().Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || phi.Block() != c.Loop.Header() {
		return 0
	}
	for _, e := range phi.Edges {
		add, ok := e.(*ssa.BinOp)
		if !ok || add.X != ssa.Value(phi) {
			continue
		}
		k, ok := add.Y.(*ssa.Const)
		switch {
		case !ok || k.Value == nil:
		case add.Op == token.ADD:
			return k.Int64()
		case add.Op == token.SUB:
			return -k.Int64()
		}
	}
	return 0
}

func negated(op token.Token) token.Token {
	switch op {
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	case token.LSS:
		return token.GEQ
	case token.GEQ:
		return token.LSS
	case token.GTR:
		return token.LEQ
	}
	return token.GTR
}
