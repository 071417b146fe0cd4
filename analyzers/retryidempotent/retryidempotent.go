package retryidempotent

import (
	_ "embed"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-1"

// New returns the analyzer that finds retries of writes that are not
// idempotent, apart from those that the rule on keys judges.
func New(set *engine.Set) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "retryidempotent",
		Doc:        rules.Doc(doc, "retryidempotent"),
		URL:        rules.URLOf(rule),
		Requires:   []*analysis.Analyzer{set.Sites},
		ResultType: reflect.TypeFor[[]finding.Finding](),
		Run:        set.Each(judge),
	}
}

// judge accuses a site of a DELETE that is known to carry no key.
func judge(s *engine.Site) []finding.Finding {
	if s.Repeats {
		return nil
	}
	for i := range s.Sends {
		send := &s.Sends[i]
		if send.Elsewhere || send.Last || send.Method != "DELETE" || send.Key != effect.KeyAbsent {
			continue
		}
		return s.Finding(rule, "delete").
			Say("%s may be applied %s: no idempotency key (%s)", s.What(send), s.Times(), s.Chain(send)).
			Short("%s", s.What(send)).
			Hint("send it once, and look up what an answer that was lost has done").
			Because(send.Pos, "leads to %s", send.Symbol).
			Done()
	}
	return nil
}
