// Package summary is what is known of a package once its functions have been
// read: the evaluator over them, their retry sites, and, as facts, what callers
// in other packages need. It is the only owner of facts.
package summary

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/declare"
	"github.com/resilint/resilint/internal/directive"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/loop"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/internal/value"
)

// A Package is the result of the analyzer. It is empty for packages in which
// nothing can matter.
type Package struct {
	Sites []*retry.Site
	// Misdeclared are the declarations of users that cannot be honoured.
	Misdeclared []directive.Problem
	// Errors name the functions whose analysis failed inside the tool.
	Errors []string
}

// New returns the analyzer that reads a package with the given models.
func New(models *model.Set) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       "resilintsummary",
		Doc:        "read what functions retry, return and configure",
		FactTypes:  []analysis.Fact{new(Function), new(Variable), new(Present)},
		ResultType: reflect.TypeFor[*Package](),
		Run: func(pass *analysis.Pass) (any, error) {
			models := models
			if pass.Module != nil && pass.Module.Version != "" {
				models = models.Shipped() // users speak for their own code, as go vet has it
			}
			r := &reader{pass: pass}
			r.declared, r.out.Misdeclared = declare.Read(r.shipped(), pass.TypesInfo)
			loops := pass.Module == nil || pass.Module.Version == ""
			if !matters(pass, models) && len(r.declared) == 0 && !(loops && r.turns()) {
				return &r.out, nil
			}
			r.catalogue = models.For(pass.Pkg)
			return r.read(), r.catalogue.Err()
		},
	}
}

// matters is the gate: some import is modelled, or carries a fact. Everything
// else costs nothing but this.
func matters(pass *analysis.Pass, models *model.Set) bool {
	for _, imp := range pass.Pkg.Imports() {
		if models.Has(imp.Path()) || models.Sends(imp.Path()) || pass.ImportPackageFact(imp, new(Present)) {
			return true
		}
	}
	return false
}

// turns reports whether some function of the package calls functions in a loop that
// may be one of attempts: of a range over a list each turn is for another element.
func (r *reader) turns() bool {
	found := false
	for _, f := range r.shipped() {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				found = found || calls(n.Body)
			case *ast.BranchStmt:
				found = found || n.Tok == token.GOTO
			case *ast.RangeStmt:
				switch r.pass.TypesInfo.TypeOf(n.X).Underlying().(type) {
				case *types.Basic, *types.Signature:
					found = found || calls(n.Body)
				}
			}
			return !found
		})
	}
	return found
}

func calls(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

// A reader reads one package.
type reader struct {
	pass      *analysis.Pass
	catalogue *model.Catalogue
	declared  map[*types.Func]declare.Effect // of this package
	out       Package
}

func (r *reader) read() *Package {
	pkg := r.build()
	functions := r.sources(pkg)
	eval := value.New(pkg, functions, library{r.catalogue}, facts{r.pass})
	effects := &effect.Reader{Evaluator: eval, Catalogue: r.catalogue, Imported: r.effects, ImportedResult: r.resultEffects, Declared: r.declares}
	finder := &retry.Finder{
		Effects:   effects,
		Evaluator: eval,
		Catalogue: r.catalogue,
		Functions: functions,
		Files:     r.pass.Files,
		Imported:  r.imported,
		Loops:     &loop.Reader{Evaluator: eval, Catalogue: r.catalogue, Effects: effects},
	}
	for _, fn := range functions {
		r.contain(fn, func() { r.out.Sites = append(r.out.Sites, finder.InFunction(fn)...) })
	}
	r.out.Sites = slices.DeleteFunc(r.out.Sites, func(s *retry.Site) bool { return r.inTest(s.Pos) || servesTests(s.Function) })
	retry.Sort(r.out.Sites)
	r.export(pkg, eval, finder, effects)
	return &r.out
}

// contain runs read, which analyses fn; a panic in it is noted, and the rest of
// the package is still analysed.
func (r *reader) contain(fn *ssa.Function, read func()) {
	defer func() {
		if p := recover(); p != nil {
			r.out.Errors = append(r.out.Errors, fmt.Sprintf("%s: %s: %v (%s)", r.pass.Fset.Position(fn.Pos()), fn, p, topFrame()))
		}
	}()
	read()
}

// topFrame is the place in this module where a panic was raised: the first below
// the panic itself.
func topFrame() string {
	_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
	for line := range strings.Lines(stack) {
		_, rest, ok := strings.Cut(line, "/internal/")
		if place, _, isFile := strings.Cut(rest, " +0x"); ok && isFile {
			return "internal/" + place
		}
	}
	return "unknown place"
}

// build makes the SSA form of the package. It is built here, behind the gate,
// and not required from buildssa, which would build it for every dependency.
func (r *reader) build() *ssa.Package {
	prog := ssa.NewProgram(r.pass.Fset, 0)
	// Only what is imported directly is complete. Packages below it may be
	// stand-ins that the driver is about to fill; their methods are made on
	// demand.
	for _, p := range r.pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	// Test files come in the same unit under go vet, and take part in the
	// order of initialisation: they are built, but their functions not read.
	pkg := prog.CreatePackage(r.pass.Pkg, r.pass.Files, r.pass.TypesInfo, false)
	pkg.Build()
	return pkg
}

// shipped lists the files that are no tests.
func (r *reader) shipped() []*ast.File {
	return slices.DeleteFunc(slices.Clone(r.pass.Files), func(f *ast.File) bool { return r.inTest(f.FileStart) })
}

// inTest reports whether pos lies in a test file.
func (r *reader) inTest(pos token.Pos) bool {
	file := r.pass.Fset.File(pos)
	return file != nil && strings.HasSuffix(file.Name(), "_test.go")
}

// servesTests reports whether a function outside of test files is for tests alone: it
// is given the one that runs.
func servesTests(fn *ssa.Function) bool {
	for _, p := range value.Outermost(fn).Params {
		if sym := model.TypeSymbol(p.Type()); sym.Pkg == "testing" {
			return true
		}
	}
	return false
}

// sources lists the functions with bodies: declared ones, their closures, and
// those that run when package variables are initialised. Generic bodies are
// read once, at their origin.
func (r *reader) sources(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	add := func(fn *ssa.Function) {
		if fn == nil || len(fn.Blocks) == 0 {
			return
		}
		for _, nested := range retry.WithClosures(fn) {
			if !r.inTest(nested.Pos()) {
				out = append(out, nested)
			}
		}
	}
	add(pkg.Func("init"))
	names := pkg.Pkg.Scope().Names()
	for _, name := range names {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			add(m)
		case *ssa.Type:
			named, ok := m.Type().(*types.Named)
			if !ok {
				continue
			}
			for i := range named.NumMethods() {
				add(pkg.Prog.FuncValue(named.Method(i)))
			}
		}
	}
	for i := 1; ; i++ { // func init() {}: init#1, init#2, ...
		fn := pkg.Func(fmt.Sprintf("init#%d", i))
		if fn == nil {
			return out
		}
		add(fn)
	}
}

// library tells the evaluator which calls are modelled.
type library struct{ catalogue *model.Catalogue }

func (l library) Tracks(typ model.Symbol) bool {
	e := l.catalogue.Lookup(typ)
	return e != nil && e.Request != nil
}

func (l library) Configured(typ model.Symbol) bool {
	e := l.catalogue.Lookup(typ)
	if e == nil || e.Value == nil {
		return false
	}
	switch e.Value.Role {
	case "", "policy", "client":
		return true
	}
	return false
}

func (l library) Fresh(sym model.Symbol) bool {
	e := l.catalogue.Lookup(sym)
	return e != nil && e.Fresh
}

func (l library) Call(c *ssa.CallCommon) (value.Use, bool) {
	for _, sym := range value.CalleeSymbols(c) {
		if e := l.catalogue.Lookup(sym); e != nil {
			use := value.Use{Symbol: sym}
			if e.Value != nil {
				use.Mutates, use.Fluent = e.Value.Mutates, e.Value.Fluent
			}
			if e.Request != nil {
				use.Mutates, use.Fluent = use.Mutates || e.Request.Mutates, use.Fluent || e.Request.Fluent
				use.Edits = len(e.Request.Editors) > 0
			}
			return use, true
		}
	}
	if c.IsInvoke() {
		if sym, ok := effect.Doer(c.Method); ok {
			return value.Use{Symbol: sym}, true
		}
	}
	// Methods of a fluent type that return it need no entry of their own.
	recv := value.Receiver(c)
	if recv == nil {
		return value.Use{}, false
	}
	typ := value.TypeSymbol(recv.Type())
	results := c.Signature().Results()
	if typ.Name == "" || results.Len() != 1 || value.TypeSymbol(results.At(0).Type()) != typ {
		return value.Use{}, false
	}
	if e := l.catalogue.Lookup(typ); e != nil && e.Value != nil && e.Value.Fluent {
		return value.Use{Fluent: true}, true
	}
	return value.Use{}, false
}
