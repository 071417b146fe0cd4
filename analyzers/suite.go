// Package analyzers is the suite: all rules, and the one analyzer that drivers
// run.
package analyzers

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
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
