package retrylost

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

//go:embed doc.go
var doc string

const rule = "RSL-LOST"

// New returns the analyzer that finds retries that drop the cause.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses a site on a way from a failed attempt to the end on which nobody
// is told of the failure.
func judge(s *engine.Site) []finding.Finding {
	lost := s.Between.Lost
	if lost == nil {
		return nil
	}
	b := s.Finding(rule, "cause").Short("cause dropped")
	if lost.Swallowed {
		b.Say("when the attempts are over nobody learns why they failed: the operation drops its error")
	} else {
		b.Say("when the attempts are over nobody learns why they failed: another error is returned in place of theirs")
	}
	return b.Hint("wrap the last attempt's error").
		Because(lost.Pos, "this says nothing of the cause").
		Because(lost.Cause, "it failed here").
		Done()
}
