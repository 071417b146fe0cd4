package pass

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// Facts holds the facts of all packages in sight. Objects exist once in a
// process, so they are the keys, and nothing is encoded or copied from package
// to package. It is safe for concurrent use.
type Facts struct {
	mu       sync.RWMutex
	packages map[*types.Package]*factSet
}

// factSet holds the facts of one package.
type factSet struct {
	objects  map[objectKey]analysis.Fact
	ofItself map[reflect.Type]analysis.Fact
}

type objectKey struct {
	object types.Object
	fact   reflect.Type
}

func NewFacts() *Facts { return &Facts{packages: map[*types.Package]*factSet{}} }

func (s *Facts) object(obj types.Object, ptr analysis.Fact) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	set := s.packages[obj.Pkg()]
	if set == nil {
		return false
	}
	return copyFact(ptr, set.objects[objectKey{obj, reflect.TypeOf(ptr)}])
}

func (s *Facts) ofPackage(pkg *types.Package, ptr analysis.Fact) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	set := s.packages[pkg]
	if set == nil {
		return false
	}
	return copyFact(ptr, set.ofItself[reflect.TypeOf(ptr)])
}

func copyFact(ptr, fact analysis.Fact) bool {
	if fact == nil {
		return false
	}
	reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
	return true
}

// Each calls yield with every fact; the object is nil when the fact is about
// the package. The order is not defined, and yield must not use the store.
func (s *Facts) Each(yield func(*types.Package, types.Object, analysis.Fact)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for pkg, set := range s.packages {
		for key, fact := range set.objects {
			yield(pkg, key.object, fact)
		}
		for _, fact := range set.ofItself {
			yield(pkg, nil, fact)
		}
	}
}

// Add stores a fact that came from elsewhere, about the object or, when that
// is nil, the package.
func (s *Facts) Add(pkg *types.Package, obj types.Object, fact analysis.Fact) {
	if obj == nil {
		s.exportPackage(pkg, fact)
		return
	}
	s.exportObject(pkg, obj, fact)
}

func (s *Facts) exportObject(pkg *types.Package, obj types.Object, fact analysis.Fact) {
	if obj.Pkg() != pkg {
		panic(fmt.Sprintf("a fact about %v was exported from %s", obj, pkg.Path()))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(pkg).objects[objectKey{obj, reflect.TypeOf(fact)}] = fact
}

func (s *Facts) exportPackage(pkg *types.Package, fact analysis.Fact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(pkg).ofItself[reflect.TypeOf(fact)] = fact
}

func (s *Facts) set(pkg *types.Package) *factSet {
	set := s.packages[pkg]
	if set == nil {
		set = &factSet{objects: map[objectKey]analysis.Fact{}, ofItself: map[reflect.Type]analysis.Fact{}}
		s.packages[pkg] = set
	}
	return set
}

// allObjects lists the facts of the analyzer's types about objects of the
// packages that visible admits, ordered by package and place.
func (s *Facts) allObjects(a *analysis.Analyzer, visible map[*types.Package]bool) []analysis.ObjectFact {
	wanted := factTypes(a)
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []analysis.ObjectFact
	for pkg, set := range s.packages {
		if !visible[pkg] {
			continue
		}
		for key, fact := range set.objects {
			if wanted[key.fact] {
				out = append(out, analysis.ObjectFact{Object: key.object, Fact: fact})
			}
		}
	}
	slices.SortFunc(out, func(a, b analysis.ObjectFact) int {
		return cmp.Or(
			cmp.Compare(a.Object.Pkg().Path(), b.Object.Pkg().Path()),
			cmp.Compare(a.Object.Pos(), b.Object.Pos()),
			cmp.Compare(reflect.TypeOf(a.Fact).String(), reflect.TypeOf(b.Fact).String()))
	})
	return out
}

// allPackages is allObjects for facts about packages.
func (s *Facts) allPackages(a *analysis.Analyzer, visible map[*types.Package]bool) []analysis.PackageFact {
	wanted := factTypes(a)
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []analysis.PackageFact
	for pkg, set := range s.packages {
		if !visible[pkg] {
			continue
		}
		for typ, fact := range set.ofItself {
			if wanted[typ] {
				out = append(out, analysis.PackageFact{Package: pkg, Fact: fact})
			}
		}
	}
	slices.SortFunc(out, func(a, b analysis.PackageFact) int {
		return cmp.Or(
			cmp.Compare(a.Package.Path(), b.Package.Path()),
			cmp.Compare(reflect.TypeOf(a.Fact).String(), reflect.TypeOf(b.Fact).String()))
	})
	return out
}

func factTypes(a *analysis.Analyzer) map[reflect.Type]bool {
	out := map[reflect.Type]bool{}
	for _, f := range a.FactTypes {
		out[reflect.TypeOf(f)] = true
	}
	return out
}
