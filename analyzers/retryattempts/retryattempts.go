package retryattempts

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-3"

// limit is the most attempts that a retry in memory may make, the first
// included: rule R-RES-RE-3 of the guide, and the hard cap of gRPC A6.
const limit = 5

// queue is the number of attempts from which a retry is a queue in memory.
const queue = 10

// New returns the analyzer that finds retries of too many attempts.
func New(set *engine.Set) *analysis.Analyzer {
	return set.PolicyRule(rule, doc, judge)
}

// judge accuses a site when every policy that it may have goes past the limit.
// Attempts that only a time limit ends are counted for an operation that fails
// at once, with mean jitter; the schedule of package retry does that.
func judge(s *engine.Site) []finding.Finding {
	if !s.Owned("attempts", "elapsed", "delays") {
		return nil
	}
	over := func(_ *retry.Policy, sched retry.Schedule) bool {
		return sched.Why == "" && (sched.Unbounded || sched.Attempts > limit)
	}
	if !s.All(over) {
		return nil
	}
	endless := s.All(func(_ *retry.Policy, sched retry.Schedule) bool { return sched.Unbounded })
	if endless {
		return s.Finding(rule, "unbounded").
			Say("retried without a limit on attempts or time%s: a system that stays down is called for as long as this process lives", s.Defaults()).
			Short("no limit").
			Hint("limit it to 5 attempts, 3 is typical; what has to succeed in the end belongs in a durable queue").
			Done()
	}
	over10 := s.All(func(_ *retry.Policy, sched retry.Schedule) bool { return sched.Unbounded || sched.Attempts >= queue })
	hint := "limit it to 5 attempts, 3 is typical"
	if over10 {
		hint = "fall back when the circuit breaker opens, or queue the task durably; in memory 3 attempts are typical, 5 the limit"
	}
	within := ""
	if typical := s.Typical(); typical > 0 {
		within = " over " + engine.Duration(typical)
	}
	return s.Finding(rule, "many").
		Say("%s%s%s; at most 5, 3 is typical", s.Count(), within, s.Defaults()).
		Short("%s", s.Count()).
		Hint("%s", hint).
		Because(s.Position("attempts", "elapsed"), "the limit is set here").
		Done()
}
