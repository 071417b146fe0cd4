package model

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestResolve compares every entry of the catalogue with the real library: what
// it names exists, its arguments are in range and of the right kind, and its
// source stands where it says. The libraries are required by the modules under
// analyzers/testdata, several of them where versions of one path differ.
func TestResolve(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the real libraries")
	}
	loaded, std := loadLibraries(t), loadStd(t)
	for _, f := range catalogue(t) {
		for i := range f.Libraries {
			lib := &f.Libraries[i]
			t.Run(lib.ID, func(t *testing.T) {
				for _, p := range lib.Packages {
					if p.Resolve == "no" {
						t.Logf("%s is not resolved: %s", p.Path, p.Why)
						continue
					}
					pkg := loaded[p.Module+"@"+p.Version+" "+p.Path]
					if p.Resolve == "std" {
						pkg = std[p.Path]
					}
					if pkg == nil {
						t.Errorf("no module under analyzers/testdata has package %s of %s@%s", p.Path, p.Module, p.Version)
						continue
					}
					r := resolver{lib: lib, path: p.Path, pkg: pkg.Types}
					if w := lib.When; w != nil && p.Path == lib.Packages[0].Path {
						if w.Has != "" && !declares(pkg.Types, w.Has) || w.Lacks != "" && declares(pkg.Types, w.Lacks) {
							t.Errorf("the condition %+v does not hold for %s@%s", *w, p.Module, p.Version)
						}
					}
					if lib.Source == p.Module+"@"+p.Version {
						r.dir = pkg.Module.Dir
					}
					r.library()
					for _, err := range r.errs {
						t.Error(err)
					}
				}
			})
		}
	}
}

// loadLibraries returns the packages of the modules under analyzers/testdata,
// by "module@version path".
func loadLibraries(t *testing.T) map[string]*packages.Package {
	mods, err := filepath.Glob("../../analyzers/testdata/*/imports.go")
	if err != nil || len(mods) == 0 {
		t.Fatalf("no modules under analyzers/testdata: %v", err)
	}
	out := map[string]*packages.Package{}
	for _, file := range mods {
		dir := filepath.Dir(file)
		env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		download := exec.Command("go", "mod", "download")
		download.Dir, download.Env = dir, env
		if msg, err := download.CombinedOutput(); err != nil {
			t.Fatalf("go mod download in %s: %v\n%s", dir, err, msg)
		}
		pkgs, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedModule,
			Dir:  dir, Env: env,
		}, ".")
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for path := range pkgs[0].Imports {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		pkgs, err = packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedTypes | packages.NeedModule,
			Dir:  dir, Env: env,
		}, paths...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pkgs {
			if len(p.Errors) > 0 {
				t.Errorf("%s: %v", p.PkgPath, p.Errors)
				continue
			}
			out[p.Module.Path+"@"+p.Module.Version+" "+p.PkgPath] = p
		}
	}
	return out
}

// loadStd returns the packages of the standard library that models speak of.
// Where their sources stand depends on the toolchain and is not compared.
func loadStd(t *testing.T) map[string]*packages.Package {
	var paths []string
	for _, f := range catalogue(t) {
		for _, lib := range f.Libraries {
			for _, p := range lib.Packages {
				if p.Resolve == "std" {
					paths = append(paths, p.Path)
				}
			}
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*packages.Package{}
	for _, p := range pkgs {
		out[p.PkgPath] = p
	}
	return out
}

// A resolver compares the entries of a library that belong to one package with
// the package.
type resolver struct {
	lib  *Library
	path string
	pkg  *types.Package
	dir  string // of the module that the sources refer to, if this is it

	kind, name string // the entry at hand
	errs       []error
}

func (r *resolver) errorf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s %s: %s", r.lib.ID, r.kind, r.name, fmt.Sprintf(format, args...)))
}

func (r *resolver) library() {
	for _, e := range r.lib.Retries {
		if fn := r.function("retry", e.Func, e.Source); fn != nil {
			r.operation(fn, e.Operation)
			r.context(fn, e.Context)
			r.sets(fn, e.Sets)
			r.refs(fn, e.Policy)
		}
	}
	for _, e := range r.lib.Values {
		r.value(e)
	}
	for _, e := range r.lib.Breakers {
		if fn := r.function("breaker", e.Func, e.Source); fn != nil {
			r.operation(fn, e.Operation)
			r.context(fn, e.Context)
			if e.Fallback != nil {
				r.operation(fn, *e.Fallback)
			}
		}
	}
	for _, e := range r.lib.Predicates {
		r.object("predicate", e.name(), e.Source)
	}
	for _, e := range r.lib.Markers {
		r.object("marker", e.name(), e.Source)
	}
	for _, e := range r.lib.Errors {
		r.object("error", e.name(), e.Source)
	}
	for _, q := range r.lib.Requests {
		if q.Type != "" {
			obj := r.object("request", q.Type, q.Source)
			if obj == nil {
				continue
			}
			st, _ := obj.Type().Underlying().(*types.Struct)
			for _, name := range sortedKeys(q.Fields) {
				if st == nil || field(st, name) == nil {
					r.errorf("has no field %s", name)
				}
			}
			continue
		}
		if fn := r.function("request", q.Func, q.Source); fn != nil {
			r.shape(fn, q.Shape)
			r.refs(fn, q.Editors)
			if q.Base != nil {
				r.refs(fn, []Ref{*q.Base})
			}
			if (q.Mutates || q.Fluent) && fn.Signature().Recv() == nil {
				r.errorf("is no method")
			}
		}
	}
	for _, s := range r.lib.Senders {
		if s.Option != "" {
			if obj := r.object("sender", s.Option, s.Source); obj != nil {
				if _, ok := obj.(*types.TypeName); !ok {
					r.errorf("is no type")
				}
			}
			continue
		}
		if fn := r.function("sender", s.Func, s.Source); fn != nil {
			r.shape(fn, s.Shape)
			r.hooks(fn, s)
			for _, ref := range []*Ref{s.Request, s.Client} {
				if ref != nil {
					r.refs(fn, []Ref{*ref})
				}
			}
		}
	}
	for _, f := range r.lib.Fresh {
		r.function("fresh", f.Func, f.Source)
	}
}

// hooks checks that the client has the fields whose code may change a request.
func (r *resolver) hooks(fn *types.Func, s Sender) {
	recv := fn.Signature().Recv()
	if len(s.Hooks) == 0 || recv == nil {
		return
	}
	typ := recv.Type()
	if ptr, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = ptr.Elem()
	}
	st, _ := typ.Underlying().(*types.Struct)
	for _, name := range s.Hooks {
		if field(st, name) == nil {
			r.errorf("the client has no field %s", name)
		}
	}
}

// shape checks that the parts of a request are among the arguments.
func (r *resolver) shape(fn *types.Func, s Shape) {
	exprs := []*Expr{s.Method, s.Implies, s.URL, s.Headers, s.Key}
	if s.Header != nil {
		exprs = append(exprs, s.Header.Name, s.Header.Value)
	}
	for _, e := range exprs {
		if e != nil && e.Arg != nil {
			r.param(fn, *e.Arg)
		}
	}
}

func (r *resolver) value(v Value) {
	switch {
	case v.Type != "":
		obj := r.object("value", v.Type, v.Source)
		if obj == nil {
			return
		}
		if _, ok := obj.(*types.TypeName); !ok {
			r.errorf("is no type")
			return
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if v.Fields != nil && !ok {
			r.errorf("is no struct")
			return
		}
		for _, name := range sortedKeys(v.Fields) {
			f := field(st, name)
			if f == nil || !f.Exported() {
				r.errorf("has no field %s", name)
				continue
			}
			for _, e := range v.Fields[name] {
				if e.Arg != nil || e.Rest != nil {
					r.errorf("field %s: a field has no arguments", name)
				}
			}
		}
	case v.Var != "":
		obj := r.object("value", v.Var, v.Source)
		if _, ok := obj.(*types.Var); obj != nil && !ok {
			r.errorf("is no variable")
		}
	default:
		fn := r.function("value", v.Func, v.Source)
		if fn == nil {
			return
		}
		r.sets(fn, v.Sets)
		r.refs(fn, v.Policy)
		if v.Runs != nil {
			r.refs(fn, []Ref{*v.Runs})
		}
		if v.JSON != nil {
			if typ := r.param(fn, *v.JSON.Arg); typ != nil && !types.Identical(typ, types.Typ[types.String]) {
				r.errorf("json: argument %d is a %s", *v.JSON.Arg, typ)
			}
		}
		if v.Base != nil {
			r.refs(fn, []Ref{*v.Base})
		}
		recv := fn.Signature().Recv()
		if (v.Mutates || v.Fluent || v.Derives) && recv == nil {
			r.errorf("is no method")
		}
		if v.Fluent && fn.Signature().Results().Len() != 1 {
			r.errorf("does not return its receiver")
		}
	}
}

// object is what the entry names, when it belongs to the package at hand.
func (r *resolver) object(kind, name, source string) types.Object {
	r.kind, r.name = kind, name
	paths, rn, err := r.lib.symbol(name)
	if err != nil {
		r.errorf("%v", err)
		return nil
	}
	if !slices.Contains(paths, r.path) {
		return nil
	}
	r.source(source, rn[1])
	top := rn[0]
	if top == "" {
		top = rn[1]
	}
	obj := r.pkg.Scope().Lookup(top)
	if obj == nil || !obj.Exported() {
		r.errorf("%s has no %s", r.path, top)
		return nil
	}
	if rn[0] == "" {
		return obj
	}
	// The static receiver counts: a method may be declared in an embedded
	// type or interface.
	m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, r.pkg, rn[1])
	if m == nil {
		r.errorf("%s.%s has no %s", r.path, rn[0], rn[1])
		return nil
	}
	return m
}

func (r *resolver) function(kind, name, source string) *types.Func {
	obj := r.object(kind, name, source)
	if obj == nil {
		return nil
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		r.errorf("is no function")
	}
	return fn
}

// source checks that file:line of the module speaks of the name.
func (r *resolver) source(source, name string) {
	if r.dir == "" {
		return // read elsewhere, or the same in another module
	}
	file, at, _ := strings.Cut(source, ":")
	n, err := strconv.Atoi(at)
	if err != nil {
		r.errorf("source %q is not file:line", source)
		return
	}
	data, err := os.ReadFile(filepath.Join(r.dir, file))
	if err != nil {
		r.errorf("source: %v", err)
		return
	}
	lines := bytes.Split(data, []byte("\n"))
	if n < 1 || n > len(lines) || !bytes.Contains(lines[n-1], []byte(name)) {
		r.errorf("source %s does not speak of %s", source, name)
	}
}

// param is the type of parameter i; a variadic one counts as its element.
func (r *resolver) param(fn *types.Func, i int) types.Type {
	params := fn.Signature().Params()
	if i < 0 || i >= params.Len() {
		r.errorf("no argument %d, there are %d", i, params.Len())
		return nil
	}
	typ := params.At(i).Type()
	if fn.Signature().Variadic() && i == params.Len()-1 {
		typ = typ.(*types.Slice).Elem()
	}
	return typ
}

func (r *resolver) rest(fn *types.Func, i int) {
	sig := fn.Signature()
	if !sig.Variadic() || i != sig.Params().Len()-1 {
		r.errorf("argument %d is not the variadic one", i)
	}
}

func (r *resolver) refs(fn *types.Func, refs []Ref) {
	for _, ref := range refs {
		if ref.Arg != nil {
			if typ := r.param(fn, *ref.Arg); typ != nil && ref.List {
				if _, ok := typ.Underlying().(*types.Slice); !ok {
					r.errorf("argument %d is no list", *ref.Arg)
				}
			}
		}
		if ref.Rest != nil {
			r.rest(fn, *ref.Rest)
		}
		if ref.Receiver && fn.Signature().Recv() == nil {
			r.errorf("has no receiver")
		}
	}
}

func (r *resolver) sets(fn *types.Func, sets Sets) {
	for _, name := range sortedKeys(sets) {
		e := sets[name]
		if e.Self {
			r.errorf("%s: a call is not the value itself", name)
		}
		if e.Rest != nil {
			r.rest(fn, *e.Rest)
		}
		if e.Var != "" {
			v, ok := r.pkg.Scope().Lookup(e.Var).(*types.Var)
			if !ok {
				r.errorf("%s: there is no variable %s", name, e.Var)
			} else if !fits(name, e, v.Type()) {
				r.errorf("%s: %s is a %s", name, e.Var, v.Type())
			}
		}
		if e.Arg == nil {
			continue
		}
		if typ := r.param(fn, *e.Arg); typ != nil && !fits(name, e, typ) {
			r.errorf("%s: argument %d is a %s", name, *e.Arg, typ)
		}
	}
}

// fits reports whether an argument of the type can say what the setting is.
func fits(setting string, e Expr, typ types.Type) bool {
	basic, isBasic := typ.Underlying().(*types.Basic)
	if e.True != "" || e.False != "" {
		return isBasic && basic.Info()&types.IsBoolean != 0
	}
	isDuration := TypeSymbol(typ) == Symbol{Pkg: "time", Name: "Duration"}
	switch settings[setting] {
	case "count":
		return e.Len || isBasic && basic.Info()&types.IsInteger != 0 && !isDuration
	case "duration":
		return isDuration || e.Unit != "" && isBasic && basic.Info()&types.IsNumeric != 0
	case "number":
		return isBasic && basic.Info()&types.IsNumeric != 0 && !isDuration
	case "amount":
		return isBasic && basic.Info()&types.IsNumeric != 0
	case "any":
		return TypeSymbol(typ) == Symbol{Pkg: "context", Name: "Context"}
	}
	return true
}

// operation checks that the code of an attempt is a function.
func (r *resolver) operation(fn *types.Func, ref Ref) {
	if ref.Arg == nil {
		return
	}
	typ := r.param(fn, *ref.Arg)
	if typ == nil {
		return
	}
	if ref.Field != "" {
		st, _ := typ.Underlying().(*types.Struct)
		f := field(st, ref.Field)
		if f == nil {
			r.errorf("argument %d has no field %s", *ref.Arg, ref.Field)
			return
		}
		typ = f.Type()
	}
	if _, ok := typ.Underlying().(*types.Signature); !ok {
		r.errorf("the operation is a %s", typ)
	}
}

func (r *resolver) context(fn *types.Func, ref *Ref) {
	if ref == nil || ref.Arg == nil {
		return
	}
	if typ := r.param(fn, *ref.Arg); typ != nil && TypeSymbol(typ) != (Symbol{Pkg: "context", Name: "Context"}) {
		r.errorf("the context is a %s", typ)
	}
}

func field(st *types.Struct, name string) *types.Var {
	if st == nil {
		return nil
	}
	for f := range st.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}
