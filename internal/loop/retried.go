package loop

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/value"
)

// A leaf is a number that the code around the loop does not fix.
type leaf struct {
	term     *value.Term
	duration bool
	integer  bool
	index    int
}

// probe is the number that stands for the leaf in a run.
func (l *leaf) probe() float64 {
	switch {
	case l.duration:
		return float64(l.index+1) * 1e9
	case l.integer:
		return float64(5 + 2*l.index)
	}
	return 2 + float64(l.index)
}

// leaf is a number from outside of the loop: the one that the code fixes, or one
// that stands for it.
func (f *frame) leaf(v ssa.Value, id uint64) val {
	m := f.m
	at := leafKey{f.id, v}
	if known, ok := m.leafs[at]; ok {
		known.id = id
		return known
	}
	known := f.numberOf(v, id)
	m.leafs[at] = known
	return known
}

// leafKey is a value in one activation of a function.
type leafKey struct {
	frame uint64
	v     ssa.Value
}

func (f *frame) numberOf(v ssa.Value, id uint64) val {
	m := f.m
	t := m.reader.Evaluator.Value(v, nil)
	if f.depth > 0 {
		t = value.Subst(t, f.fn, f.args)
	}
	if n, ok := t.Float(); ok {
		return num(id, n)
	}
	key := t.String()
	l := m.known[key]
	if l == nil {
		l = &leaf{term: t, duration: isDuration(v.Type()), integer: isInteger(v.Type()), index: len(m.leaves)}
		m.known[key] = l
		m.leaves = append(m.leaves, l)
	}
	n, changed := m.probes[key]
	if !changed {
		n = l.probe()
	}
	return num(id, n)
}

// A result is a loop that retries a call, and how.
type result struct {
	m    *machine
	path *state // how control comes back to the call
	base *state // all attempts
}

// limit is the number of attempts from which a loop counts as endless.
const limit = 1200

func (r *result) attempts() int { return len(r.base.arrived) }

// failures are the ways in which a call fails that may pass by themselves.
func failures(call *ssa.Call) []outcome {
	sig := call.Common().Signature()
	n := sig.Results().Len()
	var out []outcome
	if value.IsError(sig.Results().At(n - 1).Type()) {
		out = append(out, outcome{fails: true})
	}
	if returnsResponse(sig) {
		return append(out, outcome{status: 503}, outcome{status: 500}, outcome{status: 429})
	}
	if n > 1 {
		out = append(out, outcome{status: 503, bad: true})
	}
	return out
}

// successes are the ways in which it succeeds.
func successes(call *ssa.Call) []outcome {
	if returnsResponse(call.Common().Signature()) {
		return []outcome{{status: 200}, {status: 201}, {status: 204}}
	}
	return []outcome{{}}
}

// flagged reports whether something in the loop is asked by a name that says whether
// an answer is a success.
func flagged(fn *ssa.Function, l *natural) bool {
	for _, b := range fn.Blocks {
		if !l.has(b) {
			continue
		}
		for _, instr := range b.Instrs {
			name := ""
			switch i := instr.(type) {
			case *ssa.FieldAddr:
				name = value.FieldName(i)
			case *ssa.Field:
				name = i.X.Type().Underlying().(*types.Struct).Field(i.Field).Name()
			case *ssa.Call:
				if i.Common().Signature().Results().Len() != 1 {
					continue
				}
				name = calleeSymbol(i.Common()).Name
				if contains(name, "retry", "retriable") {
					return true
				}
			default:
				continue
			}
			if flagOf(name) != noFlag || isStatus(name) {
				return true
			}
		}
	}
	return false
}

// retried is how the loop retries the call, nil when it does not.
func (r *Reader) retried(all []*natural, l *natural, call *ssa.Call) *result {
	run := func(o outcome, counting bool) (*machine, *state, bool) {
		m := r.machine(all, l, call, o)
		m.counting = counting
		st, again := m.explore(2)
		return m, st, again
	}
	for _, o := range failures(call) {
		if o.bad && !flagged(call.Parent(), l) {
			continue
		}
		// The very same arguments, or else the same but for the attempt's number.
		m, path, again := run(o, false)
		if !again && m.other {
			m, path, again = run(o, true)
		}
		if !again {
			continue
		}
		ends := slices.ContainsFunc(successes(call), func(s outcome) bool {
			done, _, asks := run(s, m.counting)
			return !asks && (done.left || done.other)
		})
		if !ends {
			return nil // it asks on after an answer, or waits for more work: a poll, or a worker
		}
		if path.arrived[1].answers && overwrites(calleeSymbol(call.Common()).Name) {
			return nil // what is read anew and written again is another write
		}
		res := &result{m: m, path: path}
		res.base = m.repeat(path, limit)
		if res.attempts() < 2 || res.renews() {
			return nil
		}
		return res
	}
	return nil
}

// renews reports whether the call is made once more after new credentials were
// got, or again and again with new ones: no retry of a failure.
func (r *result) renews() bool {
	again := r.path.arrived[1]
	if !again.renewed {
		return false
	}
	waits := len(r.base.waits) > 0 && r.base.waits[0].hi > 0
	return r.attempts() <= 2 || !waits && (r.base.cut || r.attempts() >= limit)
}
