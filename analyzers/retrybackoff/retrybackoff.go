package retrybackoff

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-X3"

// New returns the analyzer that finds retries whose pauses do not grow.
func New(set *engine.Set) *analysis.Analyzer {
	return set.PolicyRule(rule, doc, judge)
}

const hint = "let the pauses double and add jitter, for instance 500ms, 1s, 2s"

// judge reads the shape of the waits as they come out, not as options call
// them: an exponential backoff with factor 1 is constant.
func judge(s *engine.Site) []finding.Finding {
	if !s.Owned("backoff", "initial", "delays", "jitter", "multiplier", "step") {
		return nil
	}
	switch s.Backoff() {
	case "none":
		return none(s)
	case "constant":
		return s.Finding(rule, "constant").
			Say("%s %s%s: a system that comes back meets everyone at once", s.Count(), pause(s, "a constant"), s.Defaults()).
			Short("constant%s", known(s)).
			Hint(hint).
			Because(s.Position("backoff", "initial", "delays"), "the pause is set here").
			Done()
	case "constant+jitter":
		return s.Finding(rule, "jittered").
			Say("%s %s, with jitter but without growth%s", s.Count(), pause(s, "up to"), s.Defaults()).
			Short("constant with jitter").
			Hint(hint).
			Because(s.Position("backoff", "initial", "delays"), "the pause is set here").
			Done()
	case "linear", "linear+jitter":
		return s.Finding(rule, "linear").
			Say("pauses grow linearly%s%s: the load on a system that is down hardly falls", numbers(s), s.Defaults()).
			Short("linear").
			Hint(hint).
			Because(s.Position("backoff", "initial", "delays", "step"), "the pause is set here").
			Done()
	}
	return nil
}

// none judges a retry without pauses. One immediate second attempt is fine: it
// replaces a connection that had gone stale. A number that is not known may be that.
func none(s *engine.Site) []finding.Finding {
	few := s.All(func(_ *retry.Policy, sched retry.Schedule) bool {
		return sched.Why != "" || !sched.Unbounded && !sched.ByTime && sched.Attempts <= 2
	})
	if few {
		return nil
	}
	hot := s.All(func(_ *retry.Policy, sched retry.Schedule) bool { return sched.Unbounded || sched.ByTime })
	if hot {
		return s.Finding(rule, "hot").
			Say("retried at once and without end%s: a hot loop against a system that is down", s.Defaults()).
			Short("hot loop").
			Hint(hint).
			Done()
	}
	return s.Finding(rule, "none").
		Say("%s without a pause%s: all are spent within the failure that caused the first", s.Count(), s.Defaults()).
		Short("no pause").
		Hint(hint).
		Because(s.Position("backoff", "initial", "attempts"), "set here").
		Done()
}

// pause says how far apart the attempts are: "a constant 2s apart".
func pause(s *engine.Site, how string) string {
	if known(s) == "" {
		return "after constant pauses"
	}
	return how + known(s) + " apart"
}

// known is the length of the constant pause after a space, when it is known.
func known(s *engine.Site) string {
	longest := ""
	for _, sched := range s.Schedules() {
		if len(sched.Waits) == 0 {
			return ""
		}
		longest = " " + engine.Duration(sched.Waits[0])
	}
	return longest
}

func numbers(s *engine.Site) string {
	if w := s.Waits(); w != "" {
		return " (" + w + ")"
	}
	return ""
}
