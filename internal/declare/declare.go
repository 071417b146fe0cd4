// Package declare reads the comments with which users say what a function does
// to the other side:
//
//	//resilint:read reason
//	//resilint:idempotent reason
//
// in the documentation of a function, method or interface method. The first says
// that a call changes nothing, the second that a repeated call changes nothing
// more. Callers in all packages profit. The reason is required.
package declare

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/resilint/resilint/internal/directive"
)

// An Effect is what is declared of a function; empty when nothing is.
type Effect string

const (
	Reads      Effect = "read"
	Idempotent Effect = "idempotent"
)

// Read finds the declarations in the files, and what is wrong with them.
func Read(files []*ast.File, info *types.Info) (map[*types.Func]Effect, []directive.Problem) {
	r := reader{info: info, declared: map[*types.Func]Effect{}, placed: map[*ast.Comment]bool{}}
	for _, f := range files {
		written := slices.Collect(directive.In(f, string(Reads), string(Idempotent)))
		if len(written) == 0 {
			continue // as in most files
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				r.function(n.Name, n.Doc)
				return false
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, name := range m.Names {
						r.function(name, m.Doc)
					}
				}
			}
			return true
		})
		for _, c := range written {
			if !r.placed[c] {
				word, _, _ := directive.Parse(c)
				r.problem(c, "%s%s says something of the function that it documents: there is none here", directive.Prefix, word)
			}
		}
	}
	return r.declared, r.problems
}

type reader struct {
	info     *types.Info
	declared map[*types.Func]Effect
	placed   map[*ast.Comment]bool
	problems []directive.Problem
}

func (r *reader) problem(c *ast.Comment, format string, args ...any) {
	r.problems = append(r.problems, directive.Problem{Pos: c.Pos(), Message: fmt.Sprintf(format, args...)})
}

// function notes what the documentation of a function declares.
func (r *reader) function(name *ast.Ident, doc *ast.CommentGroup) {
	fn, ok := r.info.Defs[name].(*types.Func)
	if doc == nil || !ok {
		return
	}
	for _, c := range doc.List {
		word, reason, _ := directive.Parse(c)
		as := Effect(word)
		if as != Reads && as != Idempotent {
			continue
		}
		r.placed[c] = true
		switch {
		case reason == "":
			r.problem(c, "%s%s gives no reason: without one nothing is declared", directive.Prefix, as)
		case r.declared[fn] != "" && r.declared[fn] != as:
			r.problem(c, "%s%s: %s is declared %s already", directive.Prefix, as, name.Name, r.declared[fn])
		default:
			r.declared[fn] = as
		}
	}
}
