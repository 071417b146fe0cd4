package retrybody

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

//go:embed doc.go
var doc string

const rule = "RSL-BODY"

// New returns the analyzer that finds retries that send a spent body.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses a request, or a reader, that is made before the attempts.
func judge(s *engine.Site) []finding.Finding {
	spent := s.Between.Spent
	if spent == nil {
		return nil
	}
	b := s.Finding(rule, "body").Short("body not rewound")
	switch {
	case spent.Any:
		b.Say("every request is sent again as it is: the body of one that has any was read by the first attempt").
			Hint("set req.Body from req.GetBody before each attempt, and send what has none once")
	case spent.What == "reader":
		b.Say("attempts after the first are sent without a body: all read the same reader").
			Hint("make the reader in each attempt, from the bytes").
			Because(spent.Made, "the reader is made here, once")
	default:
		b.Say("attempts after the first have no body left to send: all send the same request").
			Hint("set req.Body from req.GetBody before each attempt, or make the request in each").
			Because(spent.Made, "the request is made here, once")
	}
	return b.Because(spent.Pos, "sent here").Done()
}
