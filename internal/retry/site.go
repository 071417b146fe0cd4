package retry

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/attempt"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Site is a construct that may run one operation again because it failed.
type Site struct {
	Mechanism string         // library, builtin, loop, wrapper
	Library   *model.Library // whose mechanism it is
	Symbol    model.Symbol   // what is called: the library's function, or the helper
	Helper    bool           // the call is of a helper, in this package or another

	Pos, End token.Pos
	Function *ssa.Function // in which it stands

	// Policies are the ways in which it may retry; those of one attempt, which
	// do not, are left out.
	Policies  []*Policy
	Operation *value.Term // the code of one attempt, nil when that is a client's request

	// Startup says that it waits for the other side to be there when a program
	// starts: nobody is kept waiting by its waits.
	Startup bool

	Sends []Send // the requests that one attempt may send
	Seen  bool   // all that one attempt does is seen

	// Between is what is seen of the code from one attempt to the next.
	Between attempt.Facts

	Breaker   string // outside, inside, none, unknown
	Predicate string
	Unproved  []string

	schedules []Schedule
}

// Schedules are what the policies come to, in their order.
func (s *Site) Schedules() []Schedule {
	if s.schedules == nil {
		for _, p := range s.Policies {
			s.schedules = append(s.schedules, p.simulate())
		}
	}
	return s.schedules
}

// All reports whether f holds of each policy and its schedule: a claim is made
// only when every alternative bears it out.
func (s *Site) All(f func(*Policy, Schedule) bool) bool {
	for i, sched := range s.Schedules() {
		if !f(s.Policies[i], sched) {
			return false
		}
	}
	return len(s.Policies) > 0
}

// Backoff is the shape of the waits on which all policies agree.
func (s *Site) Backoff() string {
	scheds := s.Schedules()
	for _, other := range scheds[1:] {
		if other.Backoff != scheds[0].Backoff {
			return "unknown"
		}
	}
	return scheds[0].Backoff
}

// DefaultsOnly reports whether nothing of the attempts and waits is set in the
// code: the library's defaults apply.
func (s *Site) DefaultsOnly() bool {
	return s.All(func(p *Policy, _ Schedule) bool {
		for _, name := range []string{"attempts", "backoff", "initial", "max", "multiplier", "elapsed", "delays", "jitter"} {
			if set, ok := p.Get(name); ok && !set.Default {
				return false
			}
		}
		return true
	})
}

// Owned reports whether what the policies say of the settings is written where
// the site stands, or is the library's default: a setting that a caller passes
// is judged there, one that a helper fixes is judged in the helper.
func (s *Site) Owned(names ...string) bool {
	return s.All(func(p *Policy, _ Schedule) bool {
		helper, here := 0, 0
		for _, name := range names {
			set, ok := p.Get(name)
			switch {
			case !ok:
			case set.Param:
				return false
			case !set.Known(): // nobody wrote it
			case set.Helper:
				helper++
			default:
				here++
			}
		}
		return helper == 0 || here > 0 && !s.allDefault(p, names)
	})
}

// allDefault reports whether all settings not fixed in a helper are defaults.
func (s *Site) allDefault(p *Policy, names []string) bool {
	for _, name := range names {
		if set, ok := p.Get(name); ok && !set.Helper && !set.Default {
			return false
		}
	}
	return true
}

// position is where the first of the settings is written, the site's own place
// when that is not here.
func (s *Site) Position(names ...string) token.Pos {
	for _, p := range s.Policies {
		for _, name := range names {
			if set, ok := p.Get(name); ok && set.Pos.IsValid() {
				return set.Pos
			}
		}
	}
	return s.Pos
}

// explain fills Unproved: what is not fixed by the code, and why.
func (s *Site) explain() {
	add := func(what, why string) {
		if line := what + ": " + why; why != "" && !slices.Contains(s.Unproved, line) {
			s.Unproved = append(s.Unproved, line)
		}
	}
	for i, sched := range s.Schedules() {
		add("attempts", sched.Why)
		if sched.Backoff == "unknown" {
			set, _ := s.Policies[i].Get("backoff")
			if set.Known() {
				set, _ = s.Policies[i].Get("jitter")
			}
			if set.Known() {
				set.Unknown = "computed by code"
			}
			add("backoff", set.Unknown)
		}
		add("window", sched.SleepWhy)
	}
	if s.Predicate == "unknown" {
		why := "the operation or what decides is not seen through"
		for _, p := range s.Policies {
			if set, ok := p.Get("predicate"); ok && !set.Known() {
				why = set.Unknown
			}
		}
		add("predicate", why)
	}
}
