package value

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A guard is the condition under which a place is written: what it holds
// compares with a constant or nil, as in
//
//	if c.attempts == 0 {
//		c.attempts = 3
//	}
type guard struct {
	branch ssa.Instruction
	rel    string // the place compares so when the write is made
	than   *Term
}

// guard is the condition on the place that s writes, nil when there is none.
func (e *Evaluator) guard(s *ssa.Store) *guard {
	b := s.Block()
	if len(b.Preds) != 1 {
		return nil
	}
	g, compared := e.condition(b.Preds[0], b)
	load, ok := compared.(*ssa.UnOp)
	if g == nil || !ok || load.Op != token.MUL || !samePlace(load.X, s.Addr) || load.Block() != g.branch.Block() {
		return nil
	}
	for _, instr := range load.Block().Instrs[position(load):] {
		switch instr.(type) {
		case *ssa.Store, ssa.CallInstruction:
			return nil // what was compared may have changed since
		}
	}
	return g
}

// condition is the comparison on which from branches to to, and the value
// compared.
func (e *Evaluator) condition(from, to *ssa.BasicBlock) (*guard, ssa.Value) {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return nil, nil
	}
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if !ok || negated[cmp.Op.String()] == "" {
		return nil, nil
	}
	than, ok := cmp.Y.(*ssa.Const)
	if !ok {
		return nil, nil
	}
	g := &guard{branch: branch, rel: cmp.Op.String(), than: e.constant(than)}
	if from.Succs[1] == to {
		g.rel = negated[g.rel]
	}
	return g, cmp.X
}

// samePlace reports whether two addresses are of one variable or field, or two
// pointers read from one.
func samePlace(a, b ssa.Value) bool {
	a, b = alias(a), alias(b)
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && samePlace(x.X, y.X)
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && samePlace(x.X, y.X)
	}
	return false
}

// defaulted is the value of a variable that is given a default under a
// condition on itself, nil when v is not that.
func (e *Evaluator) defaulted(v *ssa.Phi, at ssa.Instruction) *Term {
	if len(v.Edges) != 2 {
		return nil
	}
	for i, from := range v.Block().Preds {
		old, def := v.Edges[i], v.Edges[1-i]
		other := v.Block().Preds[1-i]
		g, compared := e.condition(from, other)
		if g == nil || compared != old || len(other.Preds) != 1 || old == ssa.Value(v) || def == ssa.Value(v) {
			continue
		}
		return fold("if"+g.rel, []*Term{e.Value(old, at), g.than, e.Value(def, at)}, v.Pos())
	}
	return nil
}
