package retrywindow

import (
	_ "embed"
	"fmt"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-4"

// The windows of rule R-RES-RE-4: the sleep of the longest schedule that the
// rule on attempts allows (5 attempts, 500 ms doubling), and the outage from
// which on only a durable task survives.
const (
	soft = 7500 * time.Millisecond
	hard = 30 * time.Second
)

// New returns the analyzer that finds retries that wait too long in memory.
func New(set *engine.Set) *analysis.Analyzer {
	return set.PolicyRule(rule, doc, judge)
}

// judge accuses a site when every policy that it may have waits, or lasts, too
// long. A policy without any limit is the business of the rule on attempts.
func judge(s *engine.Site) []finding.Finding {
	if !s.Owned("attempts", "elapsed", "initial", "max", "multiplier", "backoff", "delays", "step", "jitter_amount") {
		return nil
	}
	beyond := func(limit time.Duration) bool {
		return s.All(func(_ *retry.Policy, sched retry.Schedule) bool {
			return sched.SleepWhy == "" && !sched.Unbounded && sched.Sleep > limit
		})
	}
	switch {
	case beyond(hard):
		return sleeps(s, "hard", "queue the task durably (a task table or a job queue), or give up within 30s")
	case beyond(soft):
		return sleeps(s, "sleep", "fewer attempts or shorter pauses: 3 attempts from 500ms wait 1.5s")
	}
	return total(s)
}

func sleeps(s *engine.Site, tier, hint string) []finding.Finding {
	sleep, _ := s.Sleep()
	how := s.Count()
	if s.DefaultsOnly() {
		how = s.Library.Name + " defaults, " + how
	} else if waits := s.Waits(); waits != "" && sleep <= hard {
		how += ": " + waits
	}
	harm := "a restart loses it"
	if tier == "sleep" {
		harm = "callers pile up behind it"
	}
	return s.Finding(rule, tier).
		Say("waits up to %s in memory (%s): %s", engine.Duration(sleep), how, harm).
		Short("%s", engine.Duration(sleep)).
		Hint("%s", hint).
		Because(s.Position("initial", "delays", "elapsed", "max"), "the waits are set here").
		Done()
}

// total judges the window that includes the attempts themselves: what is to be
// lowered there is the timeout of an attempt, not the retry.
func total(s *engine.Site) []finding.Finding {
	var longest time.Duration
	var detail string
	over := s.All(func(p *retry.Policy, sched retry.Schedule) bool {
		t, known := engine.TotalWindow(p, sched)
		if known && t > longest {
			longest = t
			timeout, _ := p.Get("timeout")
			detail = fmt.Sprintf("%d attempts of up to %s each", sched.Attempts, engine.Duration(time.Duration(timeout.Number)))
		}
		// The longest schedule allowed, 5 attempts of 5 s, lasts 32.5 s.
		return known && t > hard && !(sched.Attempts <= 5 && timeoutOf(p) <= 5*time.Second)
	})
	if !over {
		return nil
	}
	return s.Finding(rule, "total").
		Say("lasts up to %s (%s): the timeout of an attempt is what to lower", engine.Duration(longest), detail).
		Short("%s in all", engine.Duration(longest)).
		Hint("5s for one attempt is typical").
		Because(s.Position("timeout"), "the timeout is set here").
		Done()
}

func timeoutOf(p *retry.Policy) time.Duration {
	t, _ := p.Get("timeout")
	return time.Duration(t.Number)
}
