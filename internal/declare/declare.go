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
	"go/token"
	"go/types"
	"strings"
)

// An Effect is what is declared of a function; empty when nothing is.
type Effect string

const (
	Reads      Effect = "read"
	Idempotent Effect = "idempotent"
)

const prefix = "//resilint:"

// A Problem is a declaration that cannot be honoured.
type Problem struct {
	Pos     token.Pos
	Message string
}

// Read finds the declarations in the files, and what is wrong with them.
func Read(files []*ast.File, info *types.Info) (map[*types.Func]Effect, []Problem) {
	r := reader{info: info, declared: map[*types.Func]Effect{}, placed: map[*ast.Comment]bool{}}
	for _, f := range files {
		if !mentions(f) {
			continue
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
		for _, group := range f.Comments {
			for _, c := range group.List {
				if word, _, ok := parse(c); ok && !r.placed[c] {
					r.problem(c, "%s%s says something of the function that it documents: there is none here", prefix, word)
				}
			}
		}
	}
	return r.declared, r.problems
}

type reader struct {
	info     *types.Info
	declared map[*types.Func]Effect
	placed   map[*ast.Comment]bool
	problems []Problem
}

func (r *reader) problem(c *ast.Comment, format string, args ...any) {
	r.problems = append(r.problems, Problem{c.Pos(), fmt.Sprintf(format, args...)})
}

// function notes what the documentation of a function declares.
func (r *reader) function(name *ast.Ident, doc *ast.CommentGroup) {
	fn, ok := r.info.Defs[name].(*types.Func)
	if doc == nil || !ok {
		return
	}
	for _, c := range doc.List {
		word, reason, ok := parse(c)
		if !ok {
			continue
		}
		r.placed[c] = true
		switch {
		case reason == "":
			r.problem(c, "%s%s gives no reason: without one nothing is declared", prefix, word)
		case r.declared[fn] != "" && r.declared[fn] != word:
			r.problem(c, "%s%s: %s is declared %s already", prefix, word, name.Name, r.declared[fn])
		default:
			r.declared[fn] = word
		}
	}
}

// mentions reports whether a file holds a declaration: few do.
func mentions(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if _, _, ok := parse(c); ok {
				return true
			}
		}
	}
	return false
}

func parse(c *ast.Comment) (word Effect, reason string, ok bool) {
	rest, ok := strings.CutPrefix(c.Text, prefix)
	if !ok {
		return "", "", false
	}
	text, reason, _ := strings.Cut(rest, " ")
	word = Effect(strings.TrimSpace(text))
	return word, strings.TrimSpace(reason), word == Reads || word == Idempotent
}
