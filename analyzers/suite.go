// Package analyzers is the suite: all rules, and the one analyzer that drivers
// run.
package analyzers

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

// New returns the analyzer that drivers run. Its result is a *finding.Package;
// it reports, as diagnostics, what that package's findings come to at the
// configured floor, one per site.
func New(cfg engine.Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "resilint",
		Doc:        "find retries that apply a write twice, storm a system that is down, or hide it from its circuit breaker",
		URL:        "https://github.com/resilint/resilint",
		ResultType: reflect.TypeFor[*finding.Package](),
		Run: func(pass *analysis.Pass) (any, error) {
			return &finding.Package{Path: pass.Pkg.Path()}, nil
		},
	}
}

// Modelled reports whether the catalogue says what the functions of a package
// do, so that its code need not be looked at.
func Modelled(importPath string) bool { return false }

// Doc is the page of the rule with the given alias.
func Doc(alias string) string {
	rule, err := rules.Find(alias)
	if err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\n", rule.ID, rule.Alias, rule.Title)
	for _, t := range rule.Tiers {
		fmt.Fprintf(&b, "%s: %s in the preset recommended, %s in guide\n", t.Name, t.Recommended, t.Guide)
	}
	return b.String()
}
