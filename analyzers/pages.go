package analyzers

import (
	"fmt"
	"strings"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

// A Page is what is told of a rule.
type Page struct {
	*rules.Rule
	Summary string // what it reports, in a line
	Body    string // the documentation of its analyzer: a Go comment, code indented
}

// Pages are those of all rules, in the order of the suite; the last is that of
// what resilint says of its own comments and configuration.
func Pages() []Page {
	var out []Page
	told := map[string]bool{}
	for _, a := range Rules(engine.NewSet(config.Default(), nil)) {
		rule := rules.Known(a.Name)
		told[rule.ID] = true
		head, body, _ := strings.Cut(a.Doc, "\n\n")
		_, summary, _ := strings.Cut(head, ": ")
		out = append(out, Page{rule, strings.TrimPrefix(strings.TrimSpace(summary), "report "), body})
	}
	for _, rule := range rules.All() {
		if !told[rule.ID] {
			out = append(out, Page{rule, rule.Title, ""})
		}
	}
	return out
}

// Text is the page as a terminal shows it: what is reported and why, and in
// which cases with which severities.
func (p Page) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\n", p.ID, p.Alias, p.Title)
	if p.Body != "" {
		b.WriteString(p.Body + "\n")
	}
	for _, t := range p.Tiers {
		fmt.Fprintf(&b, "%-12s %s in the preset recommended, %s in guide\n", t.Name, t.Recommended, t.Guide)
	}
	return b.String()
}

// Worst is the highest severity of a rule's cases in a code base that has no
// configuration.
func (p Page) Worst() finding.Severity {
	worst := finding.Note
	for _, t := range p.Tiers {
		worst = max(worst, t.Recommended)
	}
	return worst
}
