package model

import (
	"go/types"
	"strings"
)

// A Symbol names a package-level function, a method, a type or a variable, so
// that a fact or a model can speak of it where its object is not at hand.
type Symbol struct {
	Pkg  string // import path
	Recv string // receiver's type name, without pointer and type arguments
	Name string
}

func (s Symbol) String() string {
	pkg := s.Pkg[strings.LastIndex(s.Pkg, "/")+1:]
	if isMajor(pkg) {
		path := strings.TrimSuffix(s.Pkg, "/"+pkg)
		pkg = path[strings.LastIndex(path, "/")+1:]
	}
	if s.Recv != "" {
		return pkg + "." + s.Recv + "." + s.Name
	}
	return pkg + "." + s.Name
}

// isMajor reports whether the last element of an import path is a major
// version, v2 and up.
func isMajor(elem string) bool {
	return len(elem) > 1 && elem[0] == 'v' && strings.Trim(elem[1:], "0123456789") == ""
}

// FuncSymbol is the symbol of fn, taken at its generic origin.
func FuncSymbol(fn *types.Func) Symbol {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		return Symbol{Name: fn.Name()}
	}
	s := Symbol{Pkg: fn.Pkg().Path(), Name: fn.Name()}
	if recv := fn.Signature().Recv(); recv != nil {
		s.Recv = TypeSymbol(recv.Type()).Name
	}
	return s
}

// TypeSymbol is the symbol of the named type t, pointers stripped; it is zero
// for other types.
func TypeSymbol(t types.Type) Symbol {
	t = types.Unalias(t)
	for {
		p, ok := t.(*types.Pointer)
		if !ok {
			break
		}
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return Symbol{}
	}
	return Symbol{Pkg: n.Obj().Pkg().Path(), Name: n.Obj().Name()}
}
