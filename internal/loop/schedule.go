package loop

import (
	"math"

	"github.com/resilint/resilint/internal/value"
)

// A Schedule is how often a loop makes its call, and with which waits, as values
// over what the code around it does not fix. What is nil is not there.
type Schedule struct {
	Attempts *value.Term // a count, or "unbounded"
	Elapsed  *value.Term // the time after which no attempt is begun
	// Delays are the waits, where they are fixed. Else Backoff is their shape, by
	// Initial, Multiplier, Step and Max.
	Delays                                  *value.Term
	Backoff, Initial, Multiplier, Step, Max *value.Term
	Jitter, JitterAmount                    *value.Term
}

func word(s string) *value.Term { return value.Text(s) }

func count(n int) *value.Term { return value.Number(float64(n)) }

const computed = "computed by the loop"

// schedule reads the run off.
func (r *result) schedule() Schedule {
	var s Schedule
	s.Attempts, s.Elapsed = r.count()
	r.waits(&s)
	return s
}

// again is the run with another number for one leaf.
func (r *result) again(l *leaf, n float64, attempts int) *state {
	m := *r.m
	m.probes = map[string]float64{l.term.String(): n}
	m.leafs = map[leafKey]val{}
	return m.repeat(r.path, attempts)
}

// count is how often the call is made, or the time that limits it.
func (r *result) count() (attempts, elapsed *value.Term) {
	n := r.attempts()
	switch {
	case n < limit && !r.base.cut:
	case r.base.mayEnd:
		return value.Opaque("what ends the loop is not followed"), nil
	case r.base.counted && r.base.cut:
		return value.Opaque("more attempts than are followed"), nil
	default:
		return word("unbounded"), nil
	}
	var by *leaf
	for _, l := range r.m.leaves {
		other := r.again(l, l.probe()+3*unit(l), min(n+10, limit))
		changed := len(other.arrived)
		if changed == n {
			continue
		}
		switch {
		case by != nil:
			return value.Opaque("it depends on several values"), nil
		case l.duration && r.base.byTime:
			if changed < n {
				continue // a longer wait leaves room for fewer attempts
			}
			by = l
		case changed == n+3:
			by = l
		default:
			return value.Opaque(computed), nil
		}
	}
	switch {
	case by == nil:
		return count(n), nil
	case by.duration:
		return word("unbounded"), by.term
	}
	return value.Plus(by.term, n-int(by.probe())), nil
}

func unit(l *leaf) float64 {
	if l.duration {
		return 1e9
	}
	return 1
}

// maxDelays is how many waits are written down; the last stands for those that
// follow.
const maxDelays = 40

// waits fills in what is waited between attempts.
func (r *result) waits(s *Schedule) {
	waits := r.base.waits
	if n := r.attempts() - 1; len(waits) > n {
		waits = waits[:n]
	}
	if len(waits) > maxDelays {
		waits = waits[:maxDelays]
	}
	for _, w := range waits {
		if w.vague {
			s.Backoff = value.Opaque("what is waited is not followed")
			return
		}
	}
	shapes, jitter, amount := jittered(waits)
	if jitter != "" {
		s.Jitter = word(jitter)
		if amount > 0 {
			s.JitterAmount = value.Number(amount)
		}
	}
	by := r.scaling(waits)
	switch {
	case len(by) == 0:
		s.Delays = list(shapes)
	case len(by) == 1 && s.parametric(by[0], shapes):
	default:
		why := value.Opaque(computed)
		if len(by) > 0 && by[0].term.Kind == value.Unknown {
			why = by[0].term
		}
		s.Backoff = why
	}
}

// shown is how many attempts tell the shape of the waits.
const shown = 12

// scaling lists the leaves on which the waits depend.
func (r *result) scaling(waits []pause) []*leaf {
	var out []*leaf
	for _, l := range r.m.leaves {
		other := r.again(l, 2*l.probe(), min(len(waits)+1, shown))
		for i, w := range waits {
			if i < len(other.waits) && (other.waits[i].lo != w.lo || other.waits[i].hi != w.hi) {
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// parametric fills in waits that are a multiple of one value; ok is false when
// their shape is none that has a name.
func (s *Schedule) parametric(l *leaf, waits []float64) (ok bool) {
	if len(waits) == 0 || waits[0] == 0 {
		return false
	}
	ratio := waits[0] / l.probe()
	s.Initial = value.Times(l.term, ratio)
	if len(waits) == 1 {
		s.Backoff = word("constant")
		return true
	}
	constant, linear, exponential := true, true, true
	factor, step := waits[1]/waits[0], waits[1]-waits[0]
	capped := len(waits)
	for i := 1; i < len(waits); i++ {
		constant = constant && waits[i] == waits[0]
		linear = linear && near(waits[i]-waits[i-1], step)
		if i < capped && !near(waits[i]/waits[i-1], factor) {
			capped = i
		}
	}
	for i := capped + 1; i < len(waits); i++ {
		exponential = exponential && waits[i] == waits[capped]
	}
	switch {
	case constant:
		s.Backoff = word("constant")
	case linear:
		s.Backoff = word("linear")
		s.Step = value.Times(l.term, step/l.probe())
	case exponential && factor > 1 && capped > 1:
		s.Backoff = word("exponential")
		s.Multiplier = value.Number(factor)
		if capped < len(waits) {
			s.Max = value.Number(waits[capped])
		}
	default:
		s.Initial = nil
		return false
	}
	return true
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }

// jittered takes the randomness out of waits: what is left, its kind, and how
// much there is.
func jittered(waits []pause) (base []float64, kind string, amount float64) {
	full, additive, fraction := true, true, true
	random := false
	for _, w := range waits {
		if w.lo == w.hi {
			if w.hi > 0 {
				full = false
			}
			continue
		}
		if !random {
			random = true
			amount = w.hi - w.lo
		}
		full = full && w.lo == 0
		additive = additive && near(w.hi-w.lo, amount)
		fraction = fraction && w.lo > 0
	}
	for _, w := range waits {
		if random && full {
			base = append(base, w.hi)
		} else {
			base = append(base, w.lo)
		}
	}
	switch {
	case !random:
		return base, "", 0
	case full:
		return base, "full", 0
	case additive:
		return base, "additive", amount
	case fraction:
		share := 0.0
		for _, w := range waits {
			if w.lo > 0 {
				share = math.Max(share, w.hi/w.lo-1)
			}
		}
		return base, "fraction", share
	}
	return base, "additive", amount
}

func list(waits []float64) *value.Term {
	out := &value.Term{Kind: value.List}
	for _, w := range waits {
		out.Args = append(out.Args, value.Number(w))
	}
	return out
}
