package retrytimeout

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "RSL-TIMEOUT"

// New returns the analyzer that finds retries whose attempts have no time limit.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses an attempt that neither its client, nor its context, nor the
// mechanism that retries it ends.
func judge(s *engine.Site) []finding.Finding {
	endless := s.Between.Endless
	if endless == nil {
		return nil
	}
	limited := !s.All(func(p *retry.Policy, _ retry.Schedule) bool {
		t, set := p.Get("timeout")
		return !set || t.Is("uncapped")
	})
	if limited {
		return nil
	}
	return s.Finding(rule, "endless").
		Say("an attempt may hang for ever: %s has no time limit and the request no context", endless.Client).
		Short("no time limit").
		Hint("give the client a Timeout, or each attempt a context with one").
		Because(endless.Pos, "sent here").
		Done()
}
