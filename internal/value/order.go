package value

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// reach says whether one instruction has run when control is at another.
type reach int

const (
	never reach = iota
	sometimes
	always
)

// reaches reports whether the change at from has happened to the object root
// when control is at the instruction at; a nil at is the end of its life.
func reaches(from, at ssa.Instruction, root ssa.Value, e *Evaluator) reach {
	if at == nil {
		if atEnd(from, root) {
			return always
		}
		return sometimes
	}
	if from.Parent() != at.Parent() {
		return e.reachesAcross(from, at, root)
	}
	if r := reachesWithin(from, at, root); r != never || !outlives(root, at.Parent()) {
		return r
	}
	return sometimes // by an earlier run
}

// outlives reports whether root is a variable of a function around fn, which
// keeps what one run of the closure fn has written for the next.
func outlives(root ssa.Value, fn *ssa.Function) bool {
	def, ok := root.(*ssa.Alloc)
	return ok && fn.Parent() != nil && def.Parent() != fn
}

func reachesWithin(from, at ssa.Instruction, root ssa.Value) reach {
	b, target := from.Block(), at.Block()
	if from == at {
		return never
	}
	if b == target && position(from) < position(at) || b != target && b.Dominates(target) {
		return always
	}
	// Another object is made each time the path goes through root again.
	var barrier *ssa.BasicBlock
	if def, ok := root.(ssa.Instruction); ok && def.Parent() == at.Parent() {
		barrier = def.Block()
	}
	seen := make([]bool, len(b.Parent().Blocks))
	work := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[next.Index] || next == barrier {
			continue
		}
		seen[next.Index] = true
		if next == target {
			if barrier == b {
				return always // it follows at once when the object is made
			}
			return sometimes
		}
		work = append(work, next.Succs...)
	}
	return never
}

// reachesAcross compares instructions of different functions: a closure and
// the function that makes it, or two users of a package variable.
func (e *Evaluator) reachesAcross(from, at ssa.Instruction, root ssa.Value) reach {
	if isInit(from.Parent()) && !isInit(at.Parent()) {
		return always
	}
	// A change in the enclosing function, a use in the closure: the closure is
	// run after it was made, and maybe after later changes, too.
	for fn := at.Parent(); fn.Parent() != nil; fn = fn.Parent() {
		if fn.Parent() != from.Parent() {
			continue
		}
		site := e.index.closure(fn)
		if site == nil {
			return sometimes
		}
		if reachesWithin(from, site, root) == always {
			return always
		}
		return sometimes
	}
	return sometimes
}

func isInit(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#"))
}

// atEnd reports whether the change is made on every path on which the function
// returns with success.
func atEnd(from ssa.Instruction, root ssa.Value) bool {
	fn := from.Parent()
	if def, ok := root.(ssa.Instruction); ok && def.Parent() != fn {
		return false
	}
	if _, ok := root.(*ssa.Global); ok {
		return isInit(fn)
	}
	returns := successes(fn)
	for _, ret := range returns {
		if def, ok := root.(ssa.Instruction); ok && !def.Block().Dominates(ret) {
			continue
		}
		if !from.Block().Dominates(ret) {
			return false
		}
	}
	return true
}

// successes lists the blocks that return, without those that return an error
// when others do not.
func successes(fn *ssa.Function) []*ssa.BasicBlock {
	var all, good []*ssa.BasicBlock
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		all = append(all, b)
		if !returnsError(ret) {
			good = append(good, b)
		}
	}
	if len(good) > 0 {
		return good
	}
	return all
}

// returnsError reports whether ret hands on an error that is not nil.
func returnsError(ret *ssa.Return) bool {
	n := len(ret.Results)
	if n == 0 {
		return false
	}
	last := ret.Results[n-1]
	if last.Type().String() != "error" {
		return false
	}
	c, ok := last.(*ssa.Const)
	return !ok || c.Value != nil || !c.IsNil()
}

func position(instr ssa.Instruction) int {
	for i, other := range instr.Block().Instrs {
		if other == instr {
			return i
		}
	}
	return -1
}

// compareInstr orders instructions so that one that dominates another comes
// first, and functions so that enclosing ones do.
func compareInstr(a, b ssa.Instruction) int {
	fa, fb := a.Parent(), b.Parent()
	if fa != fb {
		if ia, ib := isInit(fa), isInit(fb); ia != ib {
			if ia {
				return -1
			}
			return 1
		}
		if da, db := depth(fa), depth(fb); da != db {
			return da - db
		}
		return int(fa.Pos() - fb.Pos())
	}
	if a.Block() == b.Block() {
		return position(a) - position(b)
	}
	return preorder(a.Block()) - preorder(b.Block())
}

func depth(fn *ssa.Function) int {
	n := 0
	for ; fn.Parent() != nil; fn = fn.Parent() {
		n++
	}
	return n
}

func preorder(b *ssa.BasicBlock) int {
	for i, other := range b.Parent().DomPreorder() {
		if other == b {
			return i
		}
	}
	return -1
}
