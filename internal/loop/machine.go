package loop

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/value"
)

// outcome is how the watched call ends each time it is made.
type outcome struct {
	fails  bool // it returns an error
	status int  // of its response, when it returns none
	bad    bool // its answer says that it was no success
}

// good reports whether the call succeeds.
func (o outcome) good() bool { return !o.fails && !o.bad && o.status < 300 }

// A machine runs the body of one loop under the assumption that one call in it
// always ends in one way. What it does not know it leaves open: both ways are
// tried.
type machine struct {
	reader *Reader
	fn     *ssa.Function
	all    []*natural // of fn, inner ones first
	loop   *natural
	watch  ssa.CallInstruction
	ends   outcome
	// counting says that attempts are told from another by nothing but their
	// number: it does not make their arguments others.
	counting bool
	probes   map[string]float64 // values of what the code does not fix, by term

	// leaves are the terms that were asked for, in order, with their types.
	leaves []*leaf
	known  map[string]*leaf

	arrivals int  // ends a run when the watched call is made so often
	other    bool // the call was made again, if with other arguments
	left     bool // the loop was left
	steps    int
	forks    int
	leafs    map[leafKey]val
	replay   map[*ssa.If][]int // which way to take where it is not known
	taken    map[*ssa.If]int
}

func (r *Reader) machine(all []*natural, l *natural, watch *ssa.Call, ends outcome) *machine {
	return &machine{
		reader: r, fn: watch.Parent(), all: all, loop: l, watch: watch, ends: ends,
		known: map[string]*leaf{}, leafs: map[leafKey]val{},
	}
}

// maxSteps bounds the instructions of one run, maxForks the tests on which both
// ways are tried.
const (
	maxSteps = 50_000
	maxForks = 80
)

// maxOpen bounds how often one test is left open on one way.
const maxOpen = 2

// enough is the number of attempts after which a loop that counts nothing is taken
// to go on for ever.
const enough = 50

// A state is how far a run has come.
type state struct {
	env     map[ssa.Value]val
	mem     map[cell]val
	lo, hi  float64 // time since the run began, in nanoseconds
	waits   []pause
	arrived []arrival
	altered map[uint64]bool      // objects that took something that varies
	first   map[*ssa.Phi]float64 // what counters began with
	open    map[*ssa.If]int
	choices []choice
	renewed bool // credentials were, since the last arrival
	items   bool // something is done with an item of a list, another one each turn
	byTime  bool // a test of the clock decided
	counted bool // a test of a count or of the clock may end the loop
	cut     bool // the run was broken off
	mayEnd  bool // a test that is not known, and not of the outcome, may end the loop
}

// A pause is what is waited between two attempts.
type pause struct {
	lo, hi float64
	vague  bool
}

// An arrival is one time that the watched call is made.
type arrival struct {
	args    []uint64
	varies  bool
	answers bool // an argument depends on what another call in the loop returned
	items   bool // an item was taken since the last one
	renewed bool
}

type choice struct {
	at *ssa.If
	to int
}

func newState() *state {
	return &state{env: map[ssa.Value]val{}, mem: map[cell]val{}, altered: map[uint64]bool{}, first: map[*ssa.Phi]float64{}, open: map[*ssa.If]int{}}
}

func (s *state) clone() *state {
	c := *s
	c.env, c.mem, c.altered, c.open = maps.Clone(s.env), maps.Clone(s.mem), maps.Clone(s.altered), maps.Clone(s.open)
	c.first = maps.Clone(s.first)
	c.waits, c.arrived, c.choices = slices.Clone(s.waits), slices.Clone(s.arrived), slices.Clone(s.choices)
	return &c
}

// wait lets time pass.
func (s *state) wait(lo, hi float64, vague bool) {
	s.lo += lo
	s.hi += hi
	if n := len(s.arrived) - 1; n >= 0 {
		for len(s.waits) <= n {
			s.waits = append(s.waits, pause{})
		}
		s.waits[n].lo += lo
		s.waits[n].hi += hi
		s.waits[n].vague = s.waits[n].vague || vague
	}
}

// explore reports whether the watched call can be made for the n-th time, and how
// the run that does so went.
func (m *machine) explore(n int) (*state, bool) {
	m.arrivals, m.steps, m.forks, m.replay = n, 0, 0, nil
	st := newState()
	entry := m.loop.entry()
	if entry == nil {
		return nil, false
	}
	return m.walk(st, m.loop.header, entry)
}

// walk runs from a block on, and tries both ways where it does not know one.
func (m *machine) walk(st *state, b, prev *ssa.BasicBlock) (*state, bool) {
	for {
		if m.steps > maxSteps {
			return st, false
		}
		next, branch, done := m.block(st, b, prev)
		if done {
			n := len(st.arrived)
			if n < m.arrivals || n < 2 {
				return st, n >= m.arrivals
			}
			m.other = true
			a, b := st.arrived[n-2], st.arrived[n-1]
			// After a failure, another item is none of the same attempts.
			return st, same(a, b) && (m.ends.good() || !b.items)
		}
		if branch == nil {
			if next == nil || !m.loop.has(next) {
				m.left = true
				return st, false
			}
			b, prev = next, b
			continue
		}
		if m.forks++; m.forks > maxForks {
			return st, false
		}
		// Not known: both ways, the one that was taken less first.
		if st.open[branch] >= maxOpen {
			return st, false
		}
		st.open[branch]++
		first := 0
		if st.open[branch]%2 == 0 {
			first = 1
		}
		for _, to := range []int{first, 1 - first} {
			succ := b.Succs[to]
			if !m.loop.has(succ) {
				m.left = true
				continue
			}
			c := st.clone()
			c.choices = append(c.choices, choice{branch, to})
			if out, ok := m.walk(c, succ, b); ok {
				return out, true
			}
		}
		return st, false
	}
}

// repeat runs the loop to its end, with the ways known to lead back to the call.
func (m *machine) repeat(path *state, limit int) *state {
	m.arrivals, m.steps = limit, 0
	m.replay, m.taken = map[*ssa.If][]int{}, map[*ssa.If]int{}
	for _, c := range path.choices {
		m.replay[c.at] = append(m.replay[c.at], c.to)
	}
	st := newState()
	b, prev := m.loop.header, m.loop.entry()
	for {
		next, branch, done := m.block(st, b, prev)
		if branch != nil {
			to := 0
			if known := m.replay[branch]; len(known) > 0 {
				to = known[m.taken[branch]%len(known)]
				m.taken[branch]++
			} else if !m.loop.has(b.Succs[0]) {
				to = 1
			}
			if !m.loop.has(b.Succs[1-to]) && !st.env[branch.Cond].of() {
				st.mayEnd = true
			}
			next = b.Succs[to]
		}
		switch {
		case done, next == nil, !m.loop.has(next):
			return st
		case m.steps > maxSteps, len(st.arrived) > enough && !st.counted:
			st.cut = true
			return st
		}
		b, prev = next, b
	}
}

// block runs one block: what follows, or the test that is not known, or that the
// run is over because the call was made often enough.
func (m *machine) block(st *state, b, prev *ssa.BasicBlock) (next *ssa.BasicBlock, open *ssa.If, over bool) {
	f := &frame{m: m, st: st, env: st.env, fn: m.fn}
	f.phis(b, prev)
	for _, instr := range b.Instrs {
		m.steps++
		if instr == ssa.Instruction(m.watch) {
			f.arrive()
			if len(st.arrived) >= m.arrivals {
				return nil, nil, true
			}
		}
		switch instr := instr.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.Jump:
			return b.Succs[0], nil, false
		case *ssa.If:
			cond := f.value(instr.Cond)
			if cond.kind != boolean {
				return nil, instr, false
			}
			st.byTime = st.byTime || cond.timed
			if (cond.timed || cond.counter) && (!m.loop.has(b.Succs[0]) || !m.loop.has(b.Succs[1])) {
				st.counted = true
			}
			if cond.b {
				return b.Succs[0], nil, false
			}
			return b.Succs[1], nil, false
		case *ssa.Return, *ssa.Panic:
			return nil, nil, false
		default:
			if f.exec(instr) {
				return nil, nil, false
			}
		}
	}
	return nil, nil, false
}

// arrive notes that the watched call is made.
func (f *frame) arrive() {
	a := arrival{renewed: f.st.renewed, items: f.st.items}
	f.st.items = false
	common := f.m.watch.Common()
	operands := common.Args
	if _, closure := common.Value.(*ssa.MakeClosure); closure || common.IsInvoke() || common.StaticCallee() == nil {
		operands = append([]ssa.Value{common.Value}, operands...)
	}
	for _, op := range operands {
		if value.IsContext(op.Type()) {
			continue
		}
		v := f.captured(f.value(op))
		v = f.content(v) // of a variable
		a.args = append(a.args, v.id)
		a.varies = a.varies || v.varies || f.st.altered[v.id]
		a.answers = a.answers || v.answers
	}
	for len(f.st.waits) < len(f.st.arrived) {
		f.st.waits = append(f.st.waits, pause{}) // before this one there was none
	}
	f.st.arrived = append(f.st.arrived, a)
	f.st.renewed = false
}

// captured is a function value with what the variables hold that it captured, but
// for those that tell how the last attempt ended.
func (f *frame) captured(v val) val {
	if v.kind != function {
		return v
	}
	ids := []uint64{v.id}
	for _, p := range v.parts {
		if p = f.content(p); !p.of() && p.kind != null {
			ids = append(ids, p.id)
			v = v.from(val{varies: p.varies || f.st.altered[p.id]})
		}
	}
	v.id = hash(ids...)
	return v
}

// same reports whether two attempts make the call with the same arguments.
func same(a, b arrival) bool { return !a.varies && !b.varies && slices.Equal(a.args, b.args) }
