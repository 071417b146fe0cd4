// Package pass does the work of a driver on one package: it checks the source
// and runs analyzers on it. Where imports and facts come from, and what becomes
// of the results, is for the drivers to say.
package pass

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/finding"
)

// Source says what a package consists of. All file names are absolute.
type Source struct {
	Path         string // import path
	GoVersion    string // as go/types wants it: go1.26
	Files        []string
	OtherFiles   []string
	IgnoredFiles []string
	Module       *analysis.Module // not nil
}

// Checked is a package that was parsed and type-checked.
type Checked struct {
	Source
	Fset   *token.FileSet
	Sizes  types.Sizes
	Syntax []*ast.File
	Types  *types.Package
	Info   *types.Info
}

// Error is what is wrong with a package.
type Error struct {
	Pos     finding.Position // zero when unknown
	Message string
}

// Check parses and type-checks a package. It is all or nothing: half-typed code
// proves nothing.
func Check(src Source, fset *token.FileSet, sizes types.Sizes, imports types.Importer) (c *Checked, errs []Error) {
	defer func() {
		if r := recover(); r != nil { // go/types met code that it cannot cope with
			c, errs = nil, []Error{{Message: fmt.Sprintf("the type checker failed: %v", r)}}
		}
	}()
	c = &Checked{Source: src, Fset: fset, Sizes: sizes, Info: newInfo()}
	for _, name := range src.Files {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, syntaxErrors(err)...)
			continue
		}
		c.Syntax = append(c.Syntax, f)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	conf := types.Config{
		Importer:  imports,
		Sizes:     sizes,
		GoVersion: src.GoVersion,
		Error:     func(err error) { errs = append(errs, typeError(err)) },
	}
	c.Types = types.NewPackage(src.Path, "") // the checker finds its name
	if err := types.NewChecker(&conf, fset, c.Types, c.Info).Files(c.Syntax); err != nil && len(errs) == 0 {
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
