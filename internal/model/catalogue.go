package model

import (
	"fmt"
	"go/types"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// A Set is the catalogue of all families, read when first asked for: most
// packages use none of them. It is immutable and safe for concurrent use.
type Set struct {
	fsys  fs.FS
	index map[string]string // import path to file
	files sync.Map          // file to *parsed

	users   *Family // what users say, which goes before
	shipped *Set    // without it
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

// With returns the catalogue with what users say laid on top: of a symbol that
// both speak of, the users' entry counts alone.
func (s *Set) With(users *Family) *Set {
	return &Set{fsys: s.fsys, index: s.index, users: users, shipped: s}
}

// Shipped is the catalogue without what users say.
func (s *Set) Shipped() *Set {
	if s.shipped != nil {
		return s.shipped
	}
	return s
}

// said reports whether users speak of the import path.
func (s *Set) said(path string) bool {
	if s.users == nil {
		return false
	}
	for i := range s.users.Libraries {
		for _, p := range s.users.Libraries[i].Packages {
			if p.Path == path {
				return true
			}
		}
	}
	return false
}

// Has reports whether the import path is of a library that retries, or of one
// around retries.
func (s *Set) Has(path string) bool {
	file := s.index[path]
	return file != "" && strings.Count(file, "/") == 1 || s.said(path)
}

// Sends reports whether requests are made or sent with the package: files of
// such libraries, which do not retry by themselves, are in effects/.
func (s *Set) Sends(path string) bool {
	return strings.HasPrefix(s.index[path], "models/effects/")
}

// Senders names the functions and methods, without their receivers, by which
// requests that may change something are sent with the package: what clients do, not
// the transports below them.
func (s *Set) Senders(path string) []string {
	if !s.Sends(path) {
		return nil
	}
	f, err := s.family(s.index[path])
	if err != nil {
		return nil // Lookup tells
	}
	var out []string
	for i := range f.Libraries {
		lib := &f.Libraries[i]
		if !slices.ContainsFunc(lib.Packages, func(p Package) bool { return p.Path == path }) {
			continue
		}
		for _, sender := range lib.Senders {
			if sender.Request != nil && sender.Request.Arg != nil && sender.Client == nil {
				continue // a transport, which clients send by
			}
			if m := sender.Method; m != nil && slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, m.Literal) {
				continue
			}
			out = append(out, sender.Func[strings.LastIndex(sender.Func, ".")+1:])
		}
	}
	return out
}

// Provides reports whether packages of the module are modelled.
func (s *Set) Provides(module string) bool {
	for path := range s.index {
		if (path == module || strings.HasPrefix(path, module+"/")) && (s.Has(path) || s.Sends(path)) {
			return true
		}
	}
	return false
}

// For returns what the catalogue knows, with libraries that share an import
// path told apart by the API of the packages at hand, pkg and what it imports
// directly: packages below may be incomplete, and change while others are read.
func (s *Set) For(pkg *types.Package) *Catalogue {
	c := &Catalogue{set: s, entries: map[Symbol]*Entry{}, read: map[string]bool{}, packages: map[string]*types.Package{}}
	for _, p := range append([]*types.Package{pkg}, pkg.Imports()...) {
		c.packages[p.Path()] = p
	}
	if s.users != nil {
		c.users = map[Symbol]*Entry{}
		c.addAll(s.users, c.users)
	}
	return c
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

// A Catalogue answers questions for one package. It reads a family when first
// asked about it, and is not safe for concurrent use.
type Catalogue struct {
	set      *Set
	packages map[string]*types.Package // at hand, by import path
	read     map[string]bool           // files
	entries  map[Symbol]*Entry
	users    map[Symbol]*Entry
	names    *Names
	err      error
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
	Request   *Request
	Sender    *Sender
	Fresh     bool
}

// Lookup is what is known of the function, method, type or variable, or nil.
func (c *Catalogue) Lookup(s Symbol) *Entry {
	if e := c.users[s]; e != nil {
		return e
	}
	if file := c.set.index[s.Pkg]; file != "" && !c.read[file] {
		c.read[file] = true
		f, err := c.set.family(file)
		if err != nil {
			c.err = err
			return nil
		}
		c.addAll(f, c.entries)
	}
	return c.entries[s]
}

// addAll adds the libraries of a family whose conditions hold.
func (c *Catalogue) addAll(f *Family, entries map[Symbol]*Entry) {
	assumed := map[string]bool{}
	for i := range f.Libraries {
		if lib := &f.Libraries[i]; c.applies(lib, assumed) {
			add(lib, entries)
		}
	}
}

// Err is the first error met in reading the catalogue.
func (c *Catalogue) Err() error { return c.err }

// Runs reports whether values of the type run operations by a method of theirs:
// a retrier does, a backoff does not.
func (lib *Library) Runs(typeName string) bool {
	for _, r := range lib.Retries {
		parts := strings.Split(r.Func, ".")
		if r.Kind == "" && len(parts) >= 2 && parts[len(parts)-2] == typeName {
			return true
		}
	}
	return false
}

// Named is the value of the library with the entry's name, as entries refer to
// each other.
func (lib *Library) Named(name string) *Value {
	for i := range lib.Values {
		if lib.Values[i].name() == name {
			return &lib.Values[i]
		}
	}
	return nil
}

func add(lib *Library, entries map[Symbol]*Entry) {
	put := func(name string, set func(*Entry)) {
		paths, rn, err := lib.symbol(name)
		if err != nil {
			panic(fmt.Sprintf("entry %s was not checked: %v", name, err)) // Parse does
		}
		for _, path := range paths {
			sym := Symbol{Pkg: path, Recv: rn[0], Name: rn[1]}
			e := entries[sym]
			if e == nil {
				e = &Entry{Library: lib}
				entries[sym] = e
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
	for i := range lib.Requests {
		r := &lib.Requests[i]
		put(r.name(), func(e *Entry) { e.Request = r })
	}
	for i := range lib.Senders {
		s := &lib.Senders[i]
		put(s.name(), func(e *Entry) { e.Sender = s })
	}
	for i := range lib.Fresh {
		put(lib.Fresh[i].Func, func(e *Entry) { e.Fresh = true })
	}
	for i := range lib.Errors {
		v := &lib.Errors[i]
		put(v.name(), func(e *Entry) { e.Error = v })
	}
}

// applies reports whether the library's condition on its API holds. Where none
// of its packages is at hand a fact speaks of it, and of the versions that
// share its path the one named first, the newest, is assumed.
func (c *Catalogue) applies(lib *Library, assumed map[string]bool) bool {
	if lib.When == nil {
		return true
	}
	for _, p := range lib.Packages {
		if c.packages[p.Path] != nil {
			return lib.applies(c.packages)
		}
	}
	first := !assumed[lib.Packages[0].Path]
	assumed[lib.Packages[0].Path] = true
	return first
}

// applies reports whether the condition on the API holds of the packages.
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
