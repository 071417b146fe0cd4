package driver

import (
	"go/token"
	"go/types"
	"runtime"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/pass"
)

// scheduler runs units, dependencies first, as many at a time as there are
// processors. What a unit's analysis needs lives on the stack of its worker:
// when it is done only types, facts and the result are left.
type scheduler struct {
	plan    *plan
	fset    *token.FileSet
	sizes   types.Sizes
	exports *exports
	facts   *pass.Facts
	all     []*analysis.Analyzer // in the order in which they run on a named package
	factual []*analysis.Analyzer // those of them that facts depend on
	root    *analysis.Analyzer
}

func newScheduler(root *analysis.Analyzer, p *plan, env *environment) *scheduler {
	fset := token.NewFileSet()
	sizes := types.SizesFor("gc", env.GOARCH)
	if sizes == nil {
		sizes = types.SizesFor("gc", "amd64")
	}
	return &scheduler{
		plan: p, fset: fset, sizes: sizes, root: root,
		exports: newExports(p.list, fset),
		facts:   pass.NewFacts(),
		all:     pass.Ordered(root),
		factual: pass.Ordered(pass.Factual(root)...),
	}
}

func (s *scheduler) run(progress func(done, total int)) {
	waiting := map[*unit]int{}
	users := map[*unit][]*unit{}
	for _, u := range s.plan.units {
		waiting[u] = len(u.deps)
		for _, d := range u.deps {
			users[d] = append(users[d], u)
		}
	}
	ready := make(chan *unit, len(s.plan.units))
	done := make(chan *unit)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for u := range ready {
				s.do(u)
				done <- u
			}
		})
	}
	running := 0
	start := func(u *unit) {
		running++
		ready <- u
	}
	for _, u := range s.plan.units {
		if waiting[u] == 0 {
			start(u)
		}
	}
	total := len(s.plan.units)
	finished := 0
	for running > 0 {
		u := <-done
		running--
		finished++
		if progress != nil {
			progress(finished, total)
		}
		for _, user := range users[u] {
			if waiting[user]--; waiting[user] == 0 {
				start(user)
			}
		}
	}
	close(ready)
	workers.Wait()
	if finished < total {
		s.cyclic(waiting)
	}
}

// cyclic marks the units that never became ready: the go command names one
// package of an import cycle, the others and their importers hang on it.
func (s *scheduler) cyclic(waiting map[*unit]int) {
	var named *unit
	for _, u := range s.plan.units {
		if waiting[u] > 0 && u.pkg.Error != nil && named == nil {
			named = u
		}
	}
	for _, u := range s.plan.units {
		switch {
		case waiting[u] == 0 || u.failure != nil:
		case u == named:
			u.failure = &Failure{Package: u.pkg.ImportPath, Errors: s.plan.list.errors(u.pkg.Error)}
		case named == nil:
			u.failure = &Failure{Package: u.pkg.ImportPath, Errors: []Error{{Message: "import cycle not allowed"}}}
		default:
			u.failure = &Failure{Package: u.pkg.ImportPath, Because: named.pkg.ImportPath}
		}
	}
}

// do checks and analyses one unit.
func (s *scheduler) do(u *unit) {
	if u.failure != nil {
		return // a dependency known from export data failed
	}
	for _, d := range u.deps {
		if d.failure != nil {
			because := d.failure.Because
			if because == "" {
				because = d.pkg.ImportPath
			}
			u.failure = &Failure{Package: u.pkg.ImportPath, Because: because}
			return
		}
	}
	if !s.plan.known.Look(u.choice, u.pkg.compiled(), u.pkg.Imports, s.carried(u)) {
		u.skipped = true
		return
	}
	c, errs := pass.Check(u.pkg.source(), s.fset, s.sizes, importer{s.exports, u.pkg})
	if len(errs) == 0 && u.pkg.Error != nil {
		errs = s.plan.list.errors(u.pkg.Error) // the compiler, or the go command, knows better
	}
	if len(errs) > 0 && u.choice != pass.Read && u.pkg.Export != "" {
		u.skipped = true // the compiler made something of it
		return
	}
	if len(errs) > 0 {
		u.failure = &Failure{Package: u.pkg.ImportPath, Errors: errs}
		return
	}
	s.exports.add(c.Types)
	u.types = c.Types
	s.analyze(u, c)
}

// carried are the names of the functions of its direct imports that carry facts, of
// its own module.
func (s *scheduler) carried(u *unit) map[string]bool {
	names := map[string]bool{}
	if u.choice == pass.Read {
		return names
	}
	for _, path := range u.pkg.Imports {
		if d := s.plan.unit[path]; d != nil && d.types != nil && pass.Within(path, u.pkg.modulePath()) {
			s.facts.Names(d.types, names)
		}
	}
	return names
}

// analyze runs the analyzers that the unit is there for. Diagnostics are not
// collected: the root's result says all that they say, and more.
func (s *scheduler) analyze(u *unit, c *pass.Checked) {
	analyzers := s.all
	if !u.pkg.named() {
		analyzers = s.factual
	}
	results, failures := c.Run(analyzers, pass.Context{
		Facts:   s.facts,
		Visible: func() map[*types.Package]bool { return visible(u) },
	})
	for _, f := range failures {
		u.internal = append(u.internal, f.Err.Error())
	}
	if u.pkg.named() {
		u.value = results[s.root]
	}
}

// visible is the set of packages whose facts a unit may list: its own, and
// those of the units below it.
func visible(u *unit) map[*types.Package]bool {
	out := map[*types.Package]bool{}
	seen := map[*unit]bool{}
	var visit func(*unit)
	visit = func(u *unit) {
		if seen[u] {
			return
		}
		seen[u] = true
		if u.types != nil {
			out[u.types] = true
		}
		for _, d := range u.deps {
			visit(d)
		}
	}
	visit(u)
	return out
}
