package retryctx

import (
	_ "embed"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "RSL-CTX"

// New returns the analyzer that finds waits that ignore a context.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// brief is the time that nobody minds to wait.
const brief = 100 * time.Millisecond

// judge accuses a wait that is seen to ignore a context at hand. Of a library's,
// all policies that the site may have must be without one.
func judge(s *engine.Site) []finding.Finding {
	deaf := s.Between.Deaf
	if deaf == nil || s.Backoff() == "none" || s.Mechanism == "library" && !without(s) {
		return nil
	}
	long := s.All(func(_ *retry.Policy, sched retry.Schedule) bool { return longest(sched) > time.Second })
	if total, known := s.Sleep(); known && total < brief || deaf.Tested && !long && !admitted(s) {
		return nil
	}
	tier, upTo := "wait", ""
	if long {
		tier = "long"
	}
	if scheds := s.Schedules(); len(scheds) == 1 && longest(scheds[0]) > 0 {
		upTo = ", up to " + engine.Duration(longest(scheds[0])) + " each time"
	}
	b := s.Finding(rule, tier)
	if s.Mechanism == "library" {
		b.Say("%s waits between attempts whatever %s says%s: who gives up waits to the end", deaf.By, deaf.Context, upTo).
			Hint("give it the context, or wait in a way that ends with it")
	} else {
		b.Say("%s ignores %s%s: who gives up waits to the end", deaf.By, deaf.Context, upTo).
			Hint("wait in a select with <-%s.Done()", deaf.Context)
	}
	return b.Short("wait ignores %s", deaf.Context).Because(deaf.Pos, "it waits here").Done()
}

// without reports whether no policy of the site has a context that may end it.
// One that is made for the retry alone is told from one that was forgotten by
// what the operation uses.
func without(s *engine.Site) bool {
	return s.All(func(p *retry.Policy, _ retry.Schedule) bool {
		ctx, set := p.Get("context")
		return !set || ctx.Is("todo") || ctx.Is("background") && s.Between.Deaf.Used
	})
}

// admitted reports whether the code says that it has yet to pass a context.
func admitted(s *engine.Site) bool {
	return s.All(func(p *retry.Policy, _ retry.Schedule) bool {
		ctx, _ := p.Get("context")
		return ctx.Is("todo")
	})
}

func longest(s retry.Schedule) time.Duration {
	var out time.Duration
	for _, w := range s.Waits {
		out = max(out, w)
	}
	return out
}
