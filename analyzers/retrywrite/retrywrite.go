package retrywrite

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-X1"

// New returns the analyzer that finds retries that may apply a write twice.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses a site of its gravest send. A send is accused when its method
// is known to write and its key is known to be missing, or to be useless; what
// may be keyed, and what only callers know, is not.
func judge(s *engine.Site) []finding.Finding {
	var worst, blind *retry.Send
	for i := range s.Sends {
		send := &s.Sends[i]
		if send.Blind && send.Repeats() {
			blind = send
		}
		if send.Elsewhere || !send.Repeats() || !send.Write() || send.Method == "DELETE" {
			continue
		}
		if rank(send) > 0 && (worst == nil || rank(send) > rank(worst)) {
			worst = send
		}
	}
	if worst == nil && blind != nil {
		return s.Finding(rule, "resender").
			Say("sends every method again, POST included, %s: neither method nor key is looked at (%s)", s.Times(), s.Chain(blind)).
			Short("every method again").
			Hint("send again only what reads, or what carries an idempotency key").
			Because(blind.Pos, "leads to %s", blind.Symbol).
			Done()
	}
	if worst == nil || s.Repeats {
		return nil
	}
	b := s.Finding(rule, tier(worst))
	what := s.What(worst)
	switch worst.Key {
	case effect.KeyUnstable:
		b.Say("%s of %s gets another %s: %s runs inside the retry", s.Each(), what, keyName(worst), worst.Fresh).
			Short("unstable key").
			Hint("make the key once per user action, store it, and pass it in").
			Because(worst.FreshPos, "the key is made here, anew for each attempt")
	case effect.KeyConstant:
		b.Say("%s always carries the same idempotency key: every later one is taken for a repeat (%s)", what, s.Chain(worst)).
			Short("constant key").
			Hint("make the key once per user action, store it, and pass it in")
	case effect.KeyPerCall:
		b.Say("the %s of %s is made by the call that retries (%s): a caller that tries again makes another", keyName(worst), what, worst.Fresh).
			Short("key per call").
			Hint("make the key once per user action, and store it with the command").
			Because(worst.FreshPos, "the key is made here")
	default:
		hint := "send an idempotency key that the other side deduplicates by, or send it once"
		if system := s.System(worst); system != nil && system.Dedup == "none" {
			hint = fmt.Sprintf("send it once: %s would not deduplicate by a key either", system.Name)
		}
		b.Say("%s may be applied %s: no idempotency key (%s)", what, s.Times(), s.Chain(worst)).
			Short("%s without a key", what).
			Hint("%s", hint)
	}
	return b.Because(worst.Pos, "%s", fmt.Sprintf("leads to %s", worst.Symbol)).Done()
}

// keyName is what the key of a send is called: by the other side's name for it
// where no header is known to hold it.
func keyName(s *retry.Send) string {
	if s.Call.Name != "" && s.Carrier != "" {
		return s.Carrier
	}
	return "idempotency key"
}

// rank orders what may be wrong with a send, 0 for nothing.
func rank(s *retry.Send) int {
	switch s.Key {
	case effect.KeyAbsent:
		if s.Method == "PUT" || s.Call.Name != "" {
			return 3
		}
		return 5
	case effect.KeyUnstable, effect.KeyConstant:
		return 4
	case effect.KeyPerCall:
		return 1
	}
	return 0
}

func tier(s *retry.Send) string {
	switch {
	case s.Key == effect.KeyPerCall:
		return "per-call"
	case s.Call.Name != "" && s.Key == effect.KeyAbsent:
		return "call"
	case s.Method == "PUT":
		return "put"
	}
	return "write"
}
