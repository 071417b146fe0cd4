// Package analyzers is the suite: all rules, and the one analyzer that drivers
// run.
package analyzers

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers/retryafter"
	"github.com/resilint/resilint/analyzers/retryattempts"
	"github.com/resilint/resilint/analyzers/retrybackoff"
	"github.com/resilint/resilint/analyzers/retrybody"
	"github.com/resilint/resilint/analyzers/retrycompose"
	"github.com/resilint/resilint/analyzers/retryctx"
	"github.com/resilint/resilint/analyzers/retryidempotent"
	"github.com/resilint/resilint/analyzers/retryleak"
	"github.com/resilint/resilint/analyzers/retrylost"
	"github.com/resilint/resilint/analyzers/retrytimeout"
	"github.com/resilint/resilint/analyzers/retrywindow"
	"github.com/resilint/resilint/analyzers/retrywrite"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/directive"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/suppress"
	"github.com/resilint/resilint/rules"
)

// Rules returns the analyzers of all rules over the shared ones of set.
func Rules(set *engine.Set) []*analysis.Analyzer {
	return []*analysis.Analyzer{
		retrywrite.New(set),
		retryidempotent.New(set),
		retryattempts.New(set),
		retrywindow.New(set),
		retrybackoff.New(set),
		retrycompose.New(set),
		retrybody.New(set),
		retryleak.New(set),
		retrytimeout.New(set),
		retrylost.New(set),
		retryctx.New(set),
		retryafter.New(set),
	}
}

// shipped is the catalogue that drivers ask.
var shipped = sync.OnceValue(func() *model.Set { return model.NewSet(rules.Models(), rules.ModelIndex()) })

// Modelled reports whether the catalogue says what the functions of a package
// of a retry library do, so that its code need not be looked at.
func Modelled(importPath string) bool {
	return shipped().Has(importPath)
}

// Senders names the functions by which requests that change something are sent with
// a package.
func Senders(importPath string) []string {
	return shipped().Senders(importPath)
}

// Skips reports whether the code of a module need not be looked at: the catalogue
// speaks of packages of it, or it is known to send nothing for its caller.
func Skips(module string) bool {
	return shipped().Provides(module) || effect.StaysInside(module)
}

// New returns the analyzer that drivers run. Its result is a *finding.Package;
// it reports, as diagnostics, what that package's findings come to at the
// configured floor, one per site.
func New(cfg config.Config) *analysis.Analyzer {
	models := model.NewSet(rules.Models(), rules.ModelIndex())
	if users := cfg.Models.Family; users != nil {
		models = models.With(users)
	}
	set := engine.NewSet(cfg, models)
	judges := Rules(set)
	return &analysis.Analyzer{
		Name:       "resilint",
		Doc:        "find retries that apply a write twice, storm a system that is down, or hide it from its circuit breaker",
		URL:        "https://github.com/resilint/resilint",
		Requires:   append([]*analysis.Analyzer{set.Sites}, judges...),
		ResultType: reflect.TypeFor[*finding.Package](),
		Run: func(pass *analysis.Pass) (any, error) {
			sites := pass.ResultOf[set.Sites].(*engine.Sites)
			out := &finding.Package{Path: pass.Pkg.Path(), InternalErrors: sites.Errors}
			for _, j := range judges {
				out.Findings = append(out.Findings, pass.ResultOf[j].([]finding.Finding)...)
			}
			for _, s := range sites.List {
				out.Sites = append(out.Sites, s.Inventory())
				if cfg.Strict && cfg.Enabled("resilint", s.Package) {
					out.Findings = append(out.Findings, unproved(s)...)
				}
			}
			applySuppressions(pass, cfg, sites.Misdeclared, out)
			slices.SortStableFunc(out.Findings, finding.Compare)
			report(pass, cfg, out)
			return out, nil
		},
	}
}

// unproved tells, of those who are strict with themselves, what nothing is
// claimed of.
func unproved(s *engine.Site) []finding.Finding {
	reasons := slices.Clone(s.Unproved)
	configured := s.Mechanism == "builtin" && len(s.Sends) == 0 // a client, which has yet to send
	if !configured && s.Effect() == "unknown" {
		reasons = append(reasons, "effect: whether it is safe to repeat is not known")
	}
	if len(reasons) == 0 || s.Generated {
		return nil
	}
	return s.Finding("resilint", "unproved").
		Say("not provable: %s", strings.Join(reasons, "; ")).
		Short("not provable").
		Done()
}

// applySuppressions marks what comments silence, and adds what is wrong with
// these and with declarations as findings.
func applySuppressions(pass *analysis.Pass, cfg config.Config, misdeclared []directive.Problem, out *finding.Package) {
	var files []*ast.File
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			files = append(files, f)
		}
	}
	comments, problems := suppress.Read(pass.Fset, files)
	problems = append(problems, suppress.Apply(out.Findings, comments, time.Now(), func(rule string) bool {
		return cfg.Enabled(rule, pass.Pkg.Path())
	})...)
	problems = append(problems, misdeclared...)
	rule := rules.Known("resilint")
	for _, p := range problems {
		at := position(pass.Fset, p.Pos)
		tier := "suppression"
		if p.Broken {
			tier = "broken"
		}
		out.Findings = append(out.Findings, finding.Finding{
			Rule: rule.ID, Alias: rule.Alias, Severity: cfg.Severity(rule, tier, pass.Pkg.Path()),
			Site: fmt.Sprintf("comment %s/%s:%d", pass.Pkg.Path(), filepath.Base(at.File), at.Line), Package: pass.Pkg.Path(),
			Pos: at, End: at, At: p.Pos, Message: p.Message, Short: rule.Alias, URL: rules.URL(rule), Status: finding.New,
		})
	}
}

// report turns the merged findings into diagnostics for the drivers that know
// nothing else. What they drop (category, link, related places) is not needed
// to understand the message.
func report(pass *analysis.Pass, cfg config.Config, out *finding.Package) {
	for _, f := range finding.Merge(out.Findings, cfg.MinSeverity) {
		pass.Report(analysis.Diagnostic{
			Pos:      f.At,
			Category: f.Alias,
			Message:  fmt.Sprintf("%s [%s %s]", f.Message, f.Rule, f.Alias),
			URL:      f.URL,
		})
	}
}

func position(fset *token.FileSet, pos token.Pos) finding.Position {
	p := fset.Position(pos)
	return finding.Position{File: filepath.Clean(p.Filename), Line: p.Line, Column: p.Column}
}
