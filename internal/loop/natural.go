package loop

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// natural is a natural loop: the blocks from which control comes back to the
// header. Loops of goto are such, too.
type natural struct {
	header *ssa.BasicBlock
	in     []bool // by index of block
	size   int
}

func (l *natural) has(b *ssa.BasicBlock) bool { return l.in[b.Index] }

// naturals lists the loops of fn, inner ones before those around them.
func naturals(fn *ssa.Function) []*natural {
	var out []*natural
	byHeader := map[*ssa.BasicBlock]*natural{}
	for _, b := range fn.Blocks {
		for _, to := range b.Succs {
			if !to.Dominates(b) {
				continue
			}
			l := byHeader[to]
			if l == nil {
				l = &natural{header: to, in: make([]bool, len(fn.Blocks))}
				l.add(to)
				byHeader[to] = l
				out = append(out, l)
			}
			l.reach(b)
		}
	}
	slices.SortStableFunc(out, func(a, b *natural) int { return a.size - b.size })
	return out
}

// innermost is the loop of which the block is a part, and of none within it; nil when
// there is none. All are those of the function, inner ones first.
func innermost(all []*natural, b *ssa.BasicBlock) *natural {
	for _, l := range all {
		if l.has(b) {
			return l
		}
	}
	return nil
}

func (l *natural) add(b *ssa.BasicBlock) {
	l.in[b.Index] = true
	l.size++
}

// reach adds the blocks from which b is reached without the header.
func (l *natural) reach(b *ssa.BasicBlock) {
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.has(b) {
			l.add(b)
			work = append(work, b.Preds...)
		}
	}
}

// entry is a block outside of the loop from which control comes to the header.
func (l *natural) entry() *ssa.BasicBlock {
	for _, p := range l.header.Preds {
		if !l.has(p) {
			return p
		}
	}
	return nil
}
