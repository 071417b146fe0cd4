package attempt

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/value"
)

// A path is one way through the code, and what is known on it.
type path struct {
	at    *ssa.BasicBlock
	index int             // of the next instruction
	prev  *ssa.BasicBlock // whence the block was entered
	// alias is what a phi or a load of a variable stands for on this path; cells
	// is what variables hold.
	alias map[ssa.Value]ssa.Value
	cells map[ssa.Value]ssa.Value
	// isNil says of values whether they are nil; holds of conditions whether they
	// are true.
	isNil map[ssa.Value]bool
	holds map[ssa.Value]bool
	// earlier is what held in the turn before this one.
	earlier map[ssa.Value]bool
	marks   map[ssa.Value]bool // what a rule follows
	seen    map[*ssa.BasicBlock]int
	// status says which HTTP statuses the response may have, when one is followed.
	response ssa.Value
	status   statuses
	flags    int
}

// What a path has done.
const (
	turned   = 1 << iota // it came to the next turn of the loop
	exited               // it left the loop
	deferred             // it deferred the Close of the response
)

func newPath(after ssa.Instruction) *path {
	p := &path{
		at:    after.Block(),
		alias: map[ssa.Value]ssa.Value{}, cells: map[ssa.Value]ssa.Value{},
		isNil: map[ssa.Value]bool{}, holds: map[ssa.Value]bool{}, marks: map[ssa.Value]bool{},
		seen: map[*ssa.BasicBlock]int{},
	}
	for i, instr := range p.at.Instrs {
		if instr == after {
			p.index = i + 1
		}
	}
	return p
}

func (p *path) clone() *path {
	c := *p
	c.alias, c.cells, c.isNil, c.holds = maps.Clone(p.alias), maps.Clone(p.cells), maps.Clone(p.isNil), maps.Clone(p.holds)
	c.marks, c.seen = maps.Clone(p.marks), maps.Clone(p.seen)
	return &c
}

// value is what v stands for on this path.
func (p *path) value(v ssa.Value) ssa.Value {
	for range 30 {
		if to, ok := p.alias[v]; ok {
			v = to
			continue
		}
		inner, ok := value.Unboxed(v)
		if !ok {
			break
		}
		v = inner
	}
	return v
}

// A step is what a rule says of an instruction or an edge.
type step int

const (
	goOn  step = iota
	leave      // this path proves nothing
	found      // it is the proof
)

// A tracer follows all ways from one place, within bounds.
type tracer struct {
	budget int
	// instr judges an instruction, edge the way from the end of p.at to another
	// block. Both may note things on the path.
	instr func(p *path, i ssa.Instruction) step
	edge  func(p *path, to *ssa.BasicBlock) step
}

const maxTrace = 20_000

// trace reports whether some way from p leads to the proof.
func (t *tracer) trace(p *path) bool {
	for {
		for p.index < len(p.at.Instrs) {
			if t.budget--; t.budget < 0 {
				return false
			}
			instr := p.at.Instrs[p.index]
			p.index++
			p.run(instr)
			switch t.instr(p, instr) {
			case found:
				return true
			case leave:
				return false
			}
		}
		last := p.at.Instrs[len(p.at.Instrs)-1]
		branch, ok := last.(*ssa.If)
		if !ok {
			if len(p.at.Succs) != 1 {
				return false // it returns, or panics
			}
			to := p.at.Succs[0]
			if done, proof := t.enter(p, to); done {
				return proof
			}
			continue
		}
		for i, to := range p.at.Succs {
			next := p.clone()
			if !next.assume(branch.Cond, i == 0) {
				continue
			}
			if done, proof := t.enter(next, to); done {
				if proof {
					return true
				}
				continue
			}
			if t.trace(next) {
				return true
			}
		}
		return false
	}
}

// enter goes on to a block; done says that the path ends there.
func (t *tracer) enter(p *path, to *ssa.BasicBlock) (done, proof bool) {
	if t.edge != nil {
		switch t.edge(p, to) {
		case found:
			return true, true
		case leave:
			return true, false
		}
	}
	if p.seen[to] >= 2 {
		return true, false
	}
	p.seen[to]++
	p.jump(to)
	return false, false
}

// jump enters a block: its phis get their values.
func (p *path) jump(to *ssa.BasicBlock) {
	from := -1
	for i, pred := range to.Preds {
		if pred == p.at {
			from = i
		}
	}
	entered := map[ssa.Value]ssa.Value{}
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if from >= 0 {
			entered[phi] = p.value(phi.Edges[from])
		}
	}
	for phi, v := range entered {
		if phi == v {
			delete(p.alias, phi)
			continue
		}
		p.alias[phi] = v
	}
	p.prev, p.at, p.index = p.at, to, 0
}

// begin goes on where a function begins.
func (p *path) begin(fn *ssa.Function) {
	p.prev, p.at, p.index = nil, fn.Blocks[0], 0
	p.holds, p.seen = map[ssa.Value]bool{}, map[*ssa.BasicBlock]int{}
}

// run notes what an instruction makes of variables. What is made anew is no
// longer what was known of it.
func (p *path) run(instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok {
		if _, isPhi := v.(*ssa.Phi); !isPhi {
			delete(p.alias, v)
			delete(p.isNil, v)
			delete(p.holds, v)
		}
	}
	switch i := instr.(type) {
	case *ssa.Alloc:
		delete(p.cells, i)
	case *ssa.Store:
		switch i.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			p.cells[i.Addr] = p.value(i.Val)
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			if held, ok := p.cells[i.X]; ok {
				p.alias[i] = held
			}
		}
	}
}

// assume takes a condition to hold, or not to; false says that it cannot.
func (p *path) assume(cond ssa.Value, holds bool) bool {
	cond = p.value(cond)
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		return p.assume(not.X, !holds)
	}
	if c, ok := cond.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
		return constant.BoolVal(c.Value) == holds
	}
	if known, ok := p.holds[cond]; ok {
		return known == holds
	}
	p.holds[cond] = holds
	if x, isNil, ok := nilTest(cond); ok {
		x = p.value(x)
		if known, ok := p.nilness(x); ok {
			return known == (isNil == holds)
		}
		p.isNil[x] = isNil == holds
		return true
	}
	return p.narrow(cond, holds)
}

// nilness is whether a value is nil.
func (p *path) nilness(v ssa.Value) (isNil, known bool) {
	if n, ok := p.isNil[v]; ok {
		return n, true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil(), true
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.Function, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return false, true
	case *ssa.Call:
		if makesError(v) {
			return false, true
		}
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && value.IsError(g.Type().(*types.Pointer).Elem()) {
			return false, true // a sentinel
		}
		if field, ok := v.X.(*ssa.FieldAddr); ok && value.FieldName(field) == "Body" && value.IsResponse(field.X.Type()) {
			return false, true // never nil for a response of a client
		}
	}
	return false, false
}

// makesError reports whether a call makes an error.
func makesError(call *ssa.Call) bool {
	sym := symbol(call.Common())
	switch sym.Pkg {
	case "errors":
		return sym.Name == "New"
	case "fmt":
		return sym.Name == "Errorf"
	case "github.com/pkg/errors":
		return sym.Name == "New" || sym.Name == "Errorf"
	}
	return false
}

// nilTest reads a comparison with nil: whether it asks for nil.
func nilTest(cond ssa.Value) (x ssa.Value, isNil, ok bool) {
	b, isBin := cond.(*ssa.BinOp)
	if !isBin || b.Op != token.EQL && b.Op != token.NEQ {
		return nil, false, false
	}
	for _, pair := range [][2]ssa.Value{{b.X, b.Y}, {b.Y, b.X}} {
		if c, isConst := pair[1].(*ssa.Const); isConst && c.IsNil() {
			return pair[0], b.Op == token.EQL, true
		}
	}
	return nil, false, false
}

// statuses are HTTP statuses from 100 to 599, as a set.
type statuses struct{ out [10]uint64 } // those that are ruled out

func (s *statuses) rule(out func(int) bool) {
	for n := 100; n < 600; n++ {
		if out(n) {
			s.out[n/64] |= 1 << (n % 64)
		}
	}
}

func (s *statuses) has(n int) bool { return s.out[n/64]&(1<<(n%64)) == 0 }

func (s *statuses) empty() bool {
	for n := 100; n < 600; n++ {
		if s.has(n) {
			return false
		}
	}
	return true
}

// narrow takes in a comparison of the followed response's status.
func (p *path) narrow(cond ssa.Value, holds bool) bool {
	b, ok := cond.(*ssa.BinOp)
	if !ok || p.response == nil {
		return true
	}
	op, x, y := b.Op, b.X, b.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y, op = y, x, mirrored(op)
	}
	c, ok := y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int || !p.isStatus(x) {
		return true
	}
	n := c.Int64()
	p.status.rule(func(s int) bool { return compare(op, int64(s), n) != holds })
	return !p.status.empty()
}

// isStatus reports whether v is the status of the followed response.
func (p *path) isStatus(v ssa.Value) bool {
	load, ok := p.value(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	return ok && value.FieldName(field) == "StatusCode" && p.value(field.X) == p.response
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

func compare(op token.Token, x, y int64) bool {
	switch op {
	case token.EQL:
		return x == y
	case token.NEQ:
		return x != y
	case token.LSS:
		return x < y
	case token.LEQ:
		return x <= y
	case token.GTR:
		return x > y
	}
	return x >= y
}
