// Package driver loads Go packages and runs an analysis over them in one
// process: the named packages from source, dependencies from the export data
// of the go command, and in between, for their facts alone, those dependencies
// that the analysis must see the code of.
//
// It exists beside go/packages and go/analysis/checker because those two
// together either parse every dependency or keep every package's syntax and
// SSA until the end.
package driver

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/pass"
)

// Config says what to analyse, and how.
type Config struct {
	Dir      string   // where the go command runs; "" is the current directory
	Patterns []string // as the go command understands them
	Tags     string   // -tags of the go command

	// Root is the analyzer whose results are wanted. Analyzers that it
	// requires and that have facts run on dependencies too.
	Root *analysis.Analyzer

	// Known chooses the dependencies that are read from source.
	Known pass.Knowledge

	// Progress, if not nil, is called after each package.
	Progress func(done, total int)
}

// Result is what a run tells. Its order does not depend on scheduling.
type Result struct {
	Base     string    // the directory that paths are told relative to
	Packages []Package // the named ones that were analysed, by path
	Failures []Failure // by package
	Warnings []string  // of the go command
	// FactsOnly lists the dependencies that were analysed for their facts.
	FactsOnly []string
	// TooLarge lists the dependencies that are not, for their size alone.
	TooLarge []string
	// FactErrors are the internal errors in the analysis of those.
	FactErrors []string
}

// Package is a named package that was analysed.
type Package struct {
	Path      string
	Module    string // module path, or ""
	ModuleDir string
	Value     any      // what Root returned, or nil when it failed
	Errors    []string // failures inside the analysis, not of the code
}

// Failure is a package that could not be analysed.
type Failure struct {
	Package string
	Errors  []Error
	Because string // the failed dependency, when that is the only reason
}

// Error is what the go command or the type checker says about a package.
type Error = pass.Error

// Run loads and analyses. An error means that nothing could be analysed, for
// a reason that lies in the request or the configuration of the module; what
// goes wrong with single packages is part of the result.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	if err := analysis.Validate([]*analysis.Analyzer{cfg.Root}); err != nil {
		return nil, err
	}
	env, err := goEnv(ctx, cfg.Dir)
	if err != nil {
		return nil, err
	}
	list, err := goList(ctx, cfg, everything...)
	if err != nil {
		return nil, err
	}
	plan := newPlan(list, cfg.Known)
	s := newScheduler(cfg.Root, plan, env)
	s.run(cfg.Progress)

	res := &Result{Base: env.base(), Warnings: list.warnings, TooLarge: plan.large}
	for _, u := range plan.units {
		switch {
		case u.failure != nil:
			res.Failures = append(res.Failures, *u.failure)
		case u.skipped:
		case u.pkg.named():
			res.Packages = append(res.Packages, Package{
				Path: u.pkg.ImportPath, Module: u.pkg.modulePath(), ModuleDir: u.pkg.moduleDir(),
				Value: u.value, Errors: u.internal,
			})
		default:
			res.FactsOnly = append(res.FactsOnly, u.pkg.ImportPath)
			for _, e := range u.internal {
				res.FactErrors = append(res.FactErrors, u.pkg.ImportPath+": "+e)
			}
		}
	}
	res.Failures = append(res.Failures, plan.blamed()...)
	slices.SortFunc(res.Failures, func(a, b Failure) int { return strings.Compare(a.Package, b.Package) })
	return res, nil
}
