package model

import (
	"fmt"
	"go/types"
	"io/fs"
	"strings"
	"sync"
)

// A Set is the catalogue of all families, read when first asked for: most
// packages use none of them. It is immutable and safe for concurrent use.
type Set struct {
	fsys  fs.FS
	index map[string]string // import path to file
	files sync.Map          // file to *parsed
}

type parsed struct {
	once   sync.Once
	family *Family
	err    error
}

// NewSet returns the catalogue in fsys; index says which file speaks of which
// import path.
func NewSet(fsys fs.FS, index map[string]string) *Set {
	return &Set{fsys: fsys, index: index}
}

// Has reports whether some library of the catalogue has the import path.
func (s *Set) Has(path string) bool { return s.index[path] != "" }

// For returns what the catalogue knows, with libraries that share an import
// path told apart by the API of the packages at hand, pkg and what it imports.
func (s *Set) For(pkg *types.Package) (*Catalogue, error) {
	c := &Catalogue{entries: map[Symbol]*Entry{}}
	byPath := map[string]*types.Package{}
	var visit func(*types.Package)
	visit = func(p *types.Package) {
		if byPath[p.Path()] != nil {
			return
		}
		byPath[p.Path()] = p
		for _, imp := range p.Imports() {
			visit(imp)
		}
	}
	visit(pkg)
	done := map[string]bool{}
	for path := range byPath {
		file := s.index[path]
		if file == "" || done[file] {
			continue
		}
		done[file] = true
		f, err := s.family(file)
		if err != nil {
			return nil, err
		}
		for i := range f.Libraries {
			c.add(&f.Libraries[i], byPath)
		}
	}
	return c, nil
}

func (s *Set) family(file string) (*Family, error) {
	v, _ := s.files.LoadOrStore(file, &parsed{})
	p := v.(*parsed)
	p.once.Do(func() {
		data, err := fs.ReadFile(s.fsys, file)
		if err != nil {
			p.err = err
			return
		}
		p.family, p.err = Parse(file, data)
	})
	return p.family, p.err
}

// A Catalogue answers questions for one package. It is immutable once made.
type Catalogue struct {
	entries map[Symbol]*Entry
}

// An Entry is all that is known of one symbol. At most one of each kind is
// set; a function may be both a retry and a breaker.
type Entry struct {
	Library   *Library
	Retry     *Retry
	Value     *Value
	Breaker   *Breaker
	Predicate *Predicate
	Marker    *Marker
	Error     *ErrorVar
}

// Lookup is what is known of the function, method, type or variable, or nil.
func (c *Catalogue) Lookup(s Symbol) *Entry { return c.entries[s] }

func (c *Catalogue) add(lib *Library, byPath map[string]*types.Package) {
	if !lib.applies(byPath) {
		return
	}
	put := func(name string, set func(*Entry)) {
		paths, rn, err := lib.symbol(name)
		if err != nil {
			panic(fmt.Sprintf("entry %s was not checked: %v", name, err)) // Parse does
		}
		for _, path := range paths {
			sym := Symbol{Pkg: path, Recv: rn[0], Name: rn[1]}
			e := c.entries[sym]
			if e == nil {
				e = &Entry{Library: lib}
				c.entries[sym] = e
			}
			set(e)
		}
	}
	for i := range lib.Retries {
		r := &lib.Retries[i]
		put(r.Func, func(e *Entry) { e.Retry = r })
	}
	for i := range lib.Values {
		v := &lib.Values[i]
		put(v.name(), func(e *Entry) { e.Value = v })
	}
	for i := range lib.Breakers {
		b := &lib.Breakers[i]
		put(b.Func, func(e *Entry) { e.Breaker = b })
	}
	for i := range lib.Predicates {
		p := &lib.Predicates[i]
		put(p.name(), func(e *Entry) { e.Predicate = p })
	}
	for i := range lib.Markers {
		m := &lib.Markers[i]
		put(m.name(), func(e *Entry) { e.Marker = m })
	}
	for i := range lib.Errors {
		v := &lib.Errors[i]
		put(v.name(), func(e *Entry) { e.Error = v })
	}
}

// applies reports whether the library's condition on its API holds, where its
// first package is at hand.
func (lib *Library) applies(byPath map[string]*types.Package) bool {
	if lib.When == nil {
		return true
	}
	var pkg *types.Package
	for _, p := range lib.Packages {
		if pkg = byPath[p.Path]; pkg != nil {
			break
		}
	}
	if pkg == nil {
		return false
	}
	if h := lib.When.Has; h != "" && !declares(pkg, h) {
		return false
	}
	// Of a package that is only known through others, what is missing is not
	// proof of its absence.
	if l := lib.When.Lacks; l != "" && (!pkg.Complete() || declares(pkg, l)) {
		return false
	}
	return true
}

// declares reports whether pkg declares Name or Type.Method.
func declares(pkg *types.Package, name string) bool {
	recv, method, ok := strings.Cut(name, ".")
	if !ok {
		return pkg.Scope().Lookup(name) != nil
	}
	tn, isType := pkg.Scope().Lookup(recv).(*types.TypeName)
	if !isType {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(tn.Type(), true, pkg, method)
	return obj != nil
}
