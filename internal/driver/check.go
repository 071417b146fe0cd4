package driver

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"github.com/resilint/resilint/internal/finding"
)

// checked is a package that was parsed and type-checked.
type checked struct {
	files []*ast.File
	types *types.Package
	info  *types.Info
}

// check parses and type-checks a package. It is all or nothing: half-typed code
// proves nothing.
func (s *scheduler) check(p *listed) (c *checked, errs []Error) {
	defer func() {
		if r := recover(); r != nil { // go/types met code that it cannot cope with
			c, errs = nil, []Error{{Message: fmt.Sprintf("the type checker failed: %v", r)}}
		}
	}()
	c = &checked{info: newInfo()}
	for _, name := range p.sources() {
		f, err := parser.ParseFile(s.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, syntaxErrors(err)...)
			continue
		}
		c.files = append(c.files, f)
	}
	if len(errs) > 0 || len(c.files) == 0 {
		return nil, errs
	}
	conf := types.Config{
		Importer:  importer{exports: s.exports, from: p},
		Sizes:     s.sizes,
		GoVersion: p.goVersion(),
		Error: func(err error) {
			errs = append(errs, typeError(err))
		},
	}
	c.types = types.NewPackage(p.ImportPath, p.Name)
	if err := types.NewChecker(&conf, s.fset, c.types, c.info).Files(c.files); err != nil && len(errs) == 0 {
		errs = append(errs, typeError(err))
	}
	if len(errs) > 0 {
		// The checker goes by declarations, people go from top to bottom.
		slices.SortStableFunc(errs, func(a, b Error) int { return a.Pos.Compare(b.Pos) })
		return nil, errs
	}
	return c, nil
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Instances:    map[*ast.Ident]types.Instance{},
		Scopes:       map[ast.Node]*types.Scope{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		FileVersions: map[*ast.File]string{},
	}
}

func syntaxErrors(err error) []Error {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []Error{{Message: err.Error()}}
	}
	var out []Error
	for _, e := range list {
		out = append(out, Error{Pos: place(e.Pos), Message: e.Msg})
	}
	return out
}

func typeError(err error) Error {
	var e types.Error
	if errors.As(err, &e) {
		return Error{Pos: place(e.Fset.Position(e.Pos)), Message: e.Msg}
	}
	return Error{Message: err.Error()}
}

func place(p token.Position) finding.Position {
	return finding.Position{File: p.Filename, Line: p.Line, Column: p.Column}
}
