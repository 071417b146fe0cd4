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

// samePlace reports whether two addresses are of one variable or field.
func samePlace(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	return ok1 && ok2 && x.Field == y.Field && samePlace(x.X, y.X)
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
