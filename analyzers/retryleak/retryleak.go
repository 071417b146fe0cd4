package retryleak

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

//go:embed doc.go
var doc string

const rule = "RSL-LEAK"

// New returns the analyzer that finds retries that leave responses open.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses a way from a response to the next attempt on which nothing may
// close it.
func judge(s *engine.Site) []finding.Finding {
	leak := s.Between.Leak
	if leak == nil {
		return nil
	}
	b := s.Finding(rule, "open").Short("response left open").Because(leak.Pos, "the response comes from here")
	if leak.Deferred {
		return b.Say("the response of a failed attempt stays open during all others: its Close is deferred to the end of the function").
			Hint("close it before the next attempt, or make an attempt a function of its own").
			Done()
	}
	return b.Say("the response of a failed attempt is never closed: each retry may lose a connection").
		Hint("drain and close the body before the next attempt").
		Done()
}
