package pass

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Ordered lists the analyzers and all that they require, requirements first.
func Ordered(roots ...*analysis.Analyzer) []*analysis.Analyzer {
	var out []*analysis.Analyzer
	seen := map[*analysis.Analyzer]bool{}
	var visit func(*analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			visit(req)
		}
		out = append(out, a)
	}
	for _, a := range roots {
		visit(a)
	}
	return out
}

// Factual lists the analyzers below root, root included, that have facts.
func Factual(root *analysis.Analyzer) []*analysis.Analyzer {
	return slices.DeleteFunc(Ordered(root), func(a *analysis.Analyzer) bool { return len(a.FactTypes) == 0 })
}

// Context is what passes share with the world outside their package.
type Context struct {
	Facts *Facts
	// Visible says whose facts a pass may list. It is asked when one does.
	Visible func() map[*types.Package]bool
	// Report takes diagnostics, and may be nil.
	Report func(*analysis.Analyzer, analysis.Diagnostic)
}

// Failure is an analyzer that panicked or returned an error.
type Failure struct {
	Analyzer *analysis.Analyzer
	Err      error
}

// Run runs the analyzers in the given order, which is that of Ordered, and
// returns their results. One that fails takes those with it that require it,
// and no more.
func (c *Checked) Run(analyzers []*analysis.Analyzer, ctx Context) (map[*analysis.Analyzer]any, []Failure) {
	results := map[*analysis.Analyzer]any{}
	var failures []Failure
	for _, a := range analyzers {
		if !ready(a, results) {
			continue // the cause is among the failures
		}
		result, err := c.runOne(a, results, ctx)
		if err != nil {
			failures = append(failures, Failure{a, err})
			continue
		}
		results[a] = result
	}
	return results, failures
}

func ready(a *analysis.Analyzer, results map[*analysis.Analyzer]any) bool {
	return !slices.ContainsFunc(a.Requires, func(req *analysis.Analyzer) bool {
		_, ok := results[req]
		return !ok
	})
}

func (c *Checked) runOne(a *analysis.Analyzer, results map[*analysis.Analyzer]any, ctx Context) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("analyzer %s panicked%s: %v", a.Name, panicPlace(), r)
		}
	}()
	resultOf := map[*analysis.Analyzer]any{}
	for _, req := range a.Requires {
		resultOf[req] = results[req]
	}
	p := &analysis.Pass{
		Analyzer:     a,
		Fset:         c.Fset,
		Files:        c.Syntax,
		OtherFiles:   c.OtherFiles,
		IgnoredFiles: c.IgnoredFiles,
		Pkg:          c.Types,
		TypesInfo:    c.Info,
		TypesSizes:   c.Sizes,
		Module:       c.Module,
		ResultOf:     resultOf,
		ReadFile:     os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			if ctx.Report != nil {
				ctx.Report(a, d)
			}
		},
		ImportObjectFact:  ctx.Facts.object,
		ImportPackageFact: ctx.Facts.ofPackage,
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			ctx.Facts.exportObject(c.Types, obj, fact)
		},
		ExportPackageFact: func(fact analysis.Fact) { ctx.Facts.exportPackage(c.Types, fact) },
		AllObjectFacts:    func() []analysis.ObjectFact { return ctx.Facts.allObjects(a, ctx.Visible()) },
		AllPackageFacts:   func() []analysis.PackageFact { return ctx.Facts.allPackages(a, ctx.Visible()) },
	}
	result, err = a.Run(p)
	if err != nil {
		return nil, fmt.Errorf("analyzer %s: %w", a.Name, err)
	}
	if got := reflect.TypeOf(result); got != a.ResultType {
		return nil, fmt.Errorf("analyzer %s returned a %v, not a %v", a.Name, got, a.ResultType)
	}
	return result, nil
}

// panicPlace says where the panic came from that is being recovered:
// " in summary.(*reader).call (call.go:12)". It must be called by the deferred
// function itself.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime {
			return fmt.Sprintf(" in %s (%s:%d)", f.Function[strings.LastIndex(f.Function, "/")+1:], filepath.Base(f.File), f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic" || f.Function == "runtime.sigpanic"
		if !more {
			return ""
		}
	}
}
