package driver

import (
	"go/types"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/pass"
)

// plan says which packages are read from source, and in what order.
type plan struct {
	list  *listing
	units []*unit // by import path
	unit  map[string]*unit
	// below caches, for packages known from export data, the units that they
	// depend on and the failure that makes them unusable.
	below  map[string]*below
	blames map[string]*Failure // failed packages that are no units
	known  pass.Knowledge
	large  []string // packages that are too large to be read, sorted
}

// unit is a package that is read from source.
type unit struct {
	pkg    *listed
	choice pass.Choice
	deps   []*unit // that must be done before: nearest units on any import path

	// Written by the one worker that runs the unit, before its users start.
	types    *types.Package
	failure  *Failure
	skipped  bool // a look at it has shown that nothing of it matters
	value    any
	internal []string
}

// below is what lies under a package known from export data.
type below struct {
	units []*unit
	blame *listed // a failed package, or nil
}

func newPlan(list *listing, known pass.Knowledge) *plan {
	p := &plan{list: list, known: known, unit: map[string]*unit{}, below: map[string]*below{}, blames: map[string]*Failure{}}
	p.choose()
	slices.SortFunc(p.units, func(a, b *unit) int { return strings.Compare(a.pkg.ImportPath, b.pkg.ImportPath) })
	for _, u := range p.units {
		deps, blame := p.under(u.pkg)
		u.deps = deps
		if blame != nil {
			p.blame(blame)
			u.failure = &Failure{Package: u.pkg.ImportPath, Because: blame.ImportPath}
		}
	}
	return p
}

// choose makes units of the packages to read from source: the named ones, those
// of the main modules below them, and those of other modules that may matter and
// are reached from the former through such packages only. A look at those of the
// last kind may still show that they do not.
func (p *plan) choose() {
	c := chooser{plan: p, choices: map[*listed]pass.Choice{}}
	chosen := map[*listed]bool{}
	var queue []*listed
	add := func(pkg *listed, choice pass.Choice) {
		if chosen[pkg] {
			return
		}
		chosen[pkg] = true
		queue = append(queue, pkg)
		if pkg.hasCode() || pkg.Error != nil && pkg.named() {
			u := &unit{pkg: pkg, choice: choice}
			p.unit[pkg.ImportPath] = u
			p.units = append(p.units, u)
		}
	}
	for _, pkg := range p.list.packages {
		if pkg.named() || pkg.main() {
			add(pkg, pass.Read)
		}
	}
	for len(queue) > 0 {
		pkg := queue[0]
		queue = queue[1:]
		for _, path := range pkg.Imports {
			if q := p.list.byPath[path]; q != nil && !chosen[q] {
				if choice := c.choice(q); choice != pass.Skip {
					add(q, choice)
				}
			}
		}
	}
	slices.Sort(p.large)
}

// A chooser says of each dependency what it is chosen for.
type chooser struct {
	plan    *plan
	choices map[*listed]pass.Choice
}

func (c *chooser) choice(pkg *listed) pass.Choice {
	if pkg.Standard || pkg.Module == nil {
		return pass.Skip
	}
	if known, ok := c.choices[pkg]; ok {
		return known
	}
	c.choices[pkg] = pass.Skip // ends recursion, should imports ever be cyclic
	choice := c.plan.known.Choose(pkg.Module.Path, pkg.Imports)
	if choice == pass.Carrying && !slices.ContainsFunc(pkg.Imports, func(path string) bool {
		q := c.plan.list.byPath[path]
		return q != nil && pass.Within(path, pkg.Module.Path) && c.choice(q) != pass.Skip
	}) {
		choice = pass.Skip
	}
	if choice != pass.Skip && pass.TooLarge(pkg.compiled()) {
		c.plan.large = append(c.plan.large, pkg.ImportPath)
		choice = pass.Skip
	}
	c.choices[pkg] = choice
	return choice
}

// under collects the nearest units below a package, and a failed package known
// from export data if there is one on the way.
func (p *plan) under(pkg *listed) ([]*unit, *listed) {
	var units []*unit
	var blame *listed
	for _, path := range pkg.Imports {
		if path == "unsafe" {
			continue
		}
		if u := p.unit[path]; u != nil {
			units = append(units, u)
			continue
		}
		b := p.exported(path)
		units = append(units, b.units...)
		if blame == nil {
			blame = b.blame
		}
	}
	slices.SortFunc(units, func(a, b *unit) int { return strings.Compare(a.pkg.ImportPath, b.pkg.ImportPath) })
	return slices.Compact(units), blame
}

// exported is under for a package known from export data, once.
func (p *plan) exported(path string) *below {
	if b := p.below[path]; b != nil {
		return b
	}
	b := new(below)
	p.below[path] = b // ends recursion, should imports ever be cyclic
	pkg := p.list.byPath[path]
	if pkg == nil {
		pkg = &listed{ImportPath: path, Error: &listedError{Err: "the go command does not list it"}}
	}
	b.units, b.blame = p.under(pkg)
	if b.blame == nil && pkg.Export == "" && (pkg.Error != nil || len(b.units) == 0) {
		b.blame = pkg // nothing below it explains why it has no export data
	}
	return b
}

func (p *plan) blame(pkg *listed) {
	if p.blames[pkg.ImportPath] == nil {
		f := &Failure{Package: pkg.ImportPath, Errors: []Error{{Message: "the go command made no export data"}}}
		if pkg.Error != nil {
			f.Errors = p.list.errors(pkg.Error)
		} else if len(pkg.DepsErrors) > 0 {
			f.Errors = p.list.errors(pkg.DepsErrors[0])
		}
		p.blames[pkg.ImportPath] = f
	}
}

// blamed lists the failed packages that are not read from source.
func (p *plan) blamed() []Failure {
	var out []Failure
	for _, f := range p.blames {
		out = append(out, *f)
	}
	return out
}
