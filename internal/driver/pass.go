package driver

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

// analyze runs the analyzers on one package, in order, and keeps the result of
// the root. One that fails takes those with it that require it, and no more.
func (s *scheduler) analyze(u *unit, c *checked) {
	analyzers := s.all
	if !u.pkg.named() {
		analyzers = s.factual
	}
	results := map[*analysis.Analyzer]any{}
	for _, a := range analyzers {
		if !ready(a, results) {
			continue // the cause was told
		}
		result, err := s.runPass(u, c, a, results)
		if err != nil {
			u.internal = append(u.internal, err.Error())
			continue
		}
		results[a] = result
	}
	if u.pkg.named() {
		u.value = results[s.root]
	}
}

func ready(a *analysis.Analyzer, results map[*analysis.Analyzer]any) bool {
	return !slices.ContainsFunc(a.Requires, func(req *analysis.Analyzer) bool {
		_, ok := results[req]
		return !ok
	})
}

func (s *scheduler) runPass(u *unit, c *checked, a *analysis.Analyzer, results map[*analysis.Analyzer]any) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("analyzer %s panicked%s: %v", a.Name, panicPlace(), r)
		}
	}()
	resultOf := map[*analysis.Analyzer]any{}
	for _, req := range a.Requires {
		resultOf[req] = results[req]
	}
	p := u.pkg
	pass := &analysis.Pass{
		Analyzer:     a,
		Fset:         s.fset,
		Files:        c.files,
		OtherFiles:   p.absAll(p.CFiles, p.HFiles, p.SFiles),
		IgnoredFiles: p.absAll(p.IgnoredGoFiles),
		Pkg:          c.types,
		TypesInfo:    c.info,
		TypesSizes:   s.sizes,
		Module:       p.Module.analysis(),
		ResultOf:     resultOf,
		ReadFile:     os.ReadFile,
		// The root's result says all that its diagnostics say, and more.
		Report:            func(analysis.Diagnostic) {},
		ImportObjectFact:  s.facts.object,
		ImportPackageFact: s.facts.ofPackage,
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			s.facts.exportObject(c.types, obj, fact)
		},
		ExportPackageFact: func(fact analysis.Fact) { s.facts.exportPackage(c.types, fact) },
		AllObjectFacts:    func() []analysis.ObjectFact { return s.facts.allObjects(a, s.visible(u)) },
		AllPackageFacts:   func() []analysis.PackageFact { return s.facts.allPackages(a, s.visible(u)) },
	}
	result, err = a.Run(pass)
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

// analysis is the module in the form that passes carry.
func (m *listedModule) analysis() *analysis.Module {
	if m == nil {
		return &analysis.Module{}
	}
	out := &analysis.Module{
		Path: m.Path, Version: m.Version, Main: m.Main, Indirect: m.Indirect,
		Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion,
	}
	if m.Replace != nil {
		out.Replace = m.Replace.analysis()
	}
	return out
}
