package driver

import (
	"go/types"
	"slices"
	"strings"
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
}

// unit is a package that is read from source.
type unit struct {
	pkg  *listed
	deps []*unit // that must be done before: nearest units on any import path

	// Written by the one worker that runs the unit, before its users start.
	types    *types.Package
	failure  *Failure
	value    any
	internal []string
}

// below is what lies under a package known from export data.
type below struct {
	units []*unit
	blame *listed // a failed package, or nil
}

func newPlan(list *listing, modelled func(string) bool) *plan {
	p := &plan{list: list, unit: map[string]*unit{}, below: map[string]*below{}, blames: map[string]*Failure{}}
	for _, pkg := range sources(list, modelled) {
		u := &unit{pkg: pkg}
		p.unit[pkg.ImportPath] = u
		p.units = append(p.units, u)
	}
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

// sources selects the packages to read from source: the named ones, those of
// the main modules below them, and those of other modules that use a modelled
// package directly and are reached from the former through such packages only.
// What a module does that itself provides a modelled package is said by the
// model.
func sources(list *listing, modelled func(string) bool) []*listed {
	provides := map[string]bool{}
	for _, p := range list.packages {
		if p.Module != nil && modelled(p.ImportPath) {
			provides[p.Module.Path] = true
		}
	}
	chosen := map[*listed]bool{}
	var out, queue []*listed
	add := func(p *listed) {
		if !chosen[p] {
			chosen[p] = true
			queue = append(queue, p)
			if p.hasCode() || p.Error != nil && p.named() {
				out = append(out, p)
			}
		}
	}
	for _, p := range list.packages {
		if p.named() || p.main() {
			add(p)
		}
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, path := range p.Imports {
			q := list.byPath[path]
			if q == nil || q.Standard || q.Module == nil || provides[q.Module.Path] {
				continue
			}
			if slices.ContainsFunc(q.Imports, modelled) {
				add(q)
			}
		}
	}
	return out
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
