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
// does so because of the number of attempts, and whether all that it has asked of
// that number before agrees: what stands behind a loop may never be reached.
func (c *Code) isLast(p *path, to *ssa.BasicBlock) bool {
	branch, ok := p.at.Instrs[len(p.at.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	step, number, ok := c.lastNumber(branch.Cond, p.at.Succs[0] == to)
	if !ok {
		return false
	}
	// number is that of this turn; before it came, that of the attempt was less.
	if !c.agree(p.holds, number) {
		return false
	}
	number.offset -= step
	return p.flags&turned == 0 || c.agree(p.earlier, number)
}

// lastNumber is the counter when a condition first ends the loop, and the step
// between turns.
func (c *Code) lastNumber(cond ssa.Value, holds bool) (step int64, number line, ok bool) {
	x, op, y, step, ok := c.comparison(cond)
	if !ok {
		return 0, line{}, false
	}
	if !holds {
		op = negated(op)
	}
	number = line{from: y.from, offset: y.offset - x.offset}
	switch op {
	case token.EQL, token.GEQ, token.LEQ:
	case token.GTR:
		number.offset++
	case token.LSS:
		number.offset--
	default:
		return 0, line{}, false
	}
	return step, number, true
}

// agree reports whether conditions hold as they were taken to when the counter is
// the number.
func (c *Code) agree(holds map[ssa.Value]bool, number line) bool {
	for cond, held := range holds {
		x, op, y, _, ok := c.comparison(cond)
		if !ok || y.from != number.from {
			continue
		}
		if compare(op, number.offset+x.offset, y.offset) != held {
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
