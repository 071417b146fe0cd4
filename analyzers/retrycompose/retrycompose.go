package retrycompose

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-2"

// New returns the analyzer that finds exponential backoff without jitter.
func New(set *engine.Set) *analysis.Analyzer {
	return set.PolicyRule(rule, doc, judge)
}

// judge accuses a site whose waits are known to grow and to have no randomness.
func judge(s *engine.Site) []finding.Finding {
	if s.Backoff() != "exponential" || !s.Owned("backoff", "jitter", "jitter_amount", "delays") {
		return nil
	}
	numbers := ""
	if w := s.Waits(); w != "" {
		numbers = " (" + w + ")"
	}
	return s.Finding(rule, "jitter").
		Say("exponential without jitter%s%s: clients that failed together come back together", numbers, s.Defaults()).
		Short("no jitter").
		Hint("add jitter: each pause uniform in half to all of it").
		Because(s.Position("backoff", "initial", "delays"), "the backoff is set here").
		Done()
}
