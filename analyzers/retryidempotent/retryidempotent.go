package retryidempotent

import (
	_ "embed"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

//go:embed doc.go
var doc string

const rule = "R-RES-RE-1"

// New returns the analyzer that finds retries of writes that are not
// idempotent, apart from those that the rule on keys judges.
func New(set *engine.Set) *analysis.Analyzer {
	return set.Rule(rule, doc, judge)
}

// judge accuses a site of its gravest send: a write whose key the configuration
// says to be worth nothing, or a DELETE that is known to carry no key.
func judge(s *engine.Site) []finding.Finding {
	if s.Repeats {
		return nil
	}
	for _, wrong := range []func(*engine.Site, *retry.Send) *engine.Builder{ignored, forgotten, deleted, unpromised} {
		for i := range s.Sends {
			send := &s.Sends[i]
			if send.Elsewhere || !send.Repeats() || !send.Write() {
				continue
			}
			if b := wrong(s, send); b != nil {
				return b.Because(send.Pos, "leads to %s", send.Symbol).Done()
			}
		}
	}
	return nil
}

// keyed reports whether the write carries a key that its repeat carries, too.
func keyed(send *retry.Send) bool {
	return send.Key == effect.KeyStable || send.Key == effect.KeyPerCall
}

func ignored(s *engine.Site, send *retry.Send) *engine.Builder {
	system := s.System(send)
	if !keyed(send) || system == nil || system.Dedup != "none" {
		return nil
	}
	return s.Finding(rule, "dedup").
		Say("%s may be applied %s: %s does not deduplicate by the key (%s)", s.What(send), s.Times(), system.Name, s.Chain(send)).
		Short("%s without deduplication", s.What(send)).
		Hint("send it once, and look up what an answer that was lost has done")
}

func forgotten(s *engine.Site, send *retry.Send) *engine.Builder {
	system := s.System(send)
	if !keyed(send) || system == nil || system.KeyTTL == 0 {
		return nil
	}
	during, ok := s.Outlasts(time.Duration(system.KeyTTL))
	if !ok {
		return nil
	}
	return s.Finding(rule, "ttl").
		Say("%s may be sent again %s: %s remembers its key for %s (%s)", s.What(send), during, system.Name, system.KeyTTL, s.Chain(send)).
		Short("%s after its key is forgotten", s.What(send)).
		Hint("end the retries before %s have passed, and look up what an answer that was lost has done", system.KeyTTL)
}

func deleted(s *engine.Site, send *retry.Send) *engine.Builder {
	if send.Method != "DELETE" || send.Key != effect.KeyAbsent {
		return nil
	}
	return s.Finding(rule, "delete").
		Say("%s may be applied %s: no idempotency key (%s)", s.What(send), s.Times(), s.Chain(send)).
		Short("%s", s.What(send)).
		Hint("send it once, and look up what an answer that was lost has done")
}

func unpromised(s *engine.Site, send *retry.Send) *engine.Builder {
	system := s.System(send)
	if !keyed(send) || !s.PromiseRequired() || system != nil && system.Dedup != "" && system.Dedup != "unknown" {
		return nil
	}
	who := "the other side"
	if system != nil {
		who = system.Name
	}
	return s.Finding(rule, "contract").
		Say("%s may be applied %s: nothing written says that %s deduplicates by the key (%s)", s.What(send), s.Times(), who, s.Chain(send)).
		Short("%s without a promise", s.What(send)).
		Hint("write the promise into %s (dedup, contract and key_ttl of a system), or send it once", config.Name)
}
