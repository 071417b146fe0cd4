package retryafter

import (
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "RSL-AFTER"

// New returns the analyzer that finds retries that never read Retry-After.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses code that is seen to tell the status from others and to send
// again, or a client whose model says so.
func judge(s *engine.Site) []finding.Finding {
	status := 0
	if t := s.Between.Throttled; t != nil {
		status = t.Status
	} else if builtin(s) {
		status = 429
	}
	if status == 0 || listens(s) {
		return nil
	}
	b := s.Finding(rule, "status").
		Say("%d is sent again and Retry-After is never read: an attempt before its time is spent in vain", status).
		Short("Retry-After not read").
		Hint("wait for as long as the header says, within a limit")
	if t := s.Between.Throttled; t != nil {
		b.Because(t.Pos, "answered with %d", status)
	}
	return b.Done()
}

// listens reports whether the mechanism may read the header by itself.
func listens(s *engine.Site) bool {
	return !s.All(func(p *retry.Policy, _ retry.Schedule) bool {
		after, set := p.Get("retry_after")
		return !set || after.Is("false")
	})
}

// builtin reports whether a client sends again after 429, as its model says, and
// is set not to read the header.
func builtin(s *engine.Site) bool {
	return s.Mechanism == "builtin" && s.Owned("retry_after") && s.All(func(p *retry.Policy, _ retry.Schedule) bool {
		pred, known := p.Get("predicate")
		after, set := p.Get("retry_after")
		statuses, ok := strings.CutPrefix(pred.Word, "status:")
		return known && pred.Known() && ok && slices.Contains(strings.Split(statuses, ","), "429") && set && after.Is("false")
	})
}
