package vettool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/gcexportdata"

	"github.com/resilint/resilint/internal/pass"
)

// unit analyses one package from the export data that the go command passes,
// as the unit checker did up to x/tools v0.49. The one of today takes types
// from vetx files, which means that every dependency down to the runtime is
// parsed and type-checked: thirty times the work when few packages matter.
type unit struct {
	*unitchecker.Config
	known    pass.Knowledge
	choice   pass.Choice
	fset     *token.FileSet
	packages map[string]*types.Package
}

// hasExports reports whether the go command passes export data. A unit without
// imports cannot tell, and needs none.
func hasExports(cfg *unitchecker.Config) bool {
	return len(cfg.PackageFile) > 0 || leaf(cfg)
}

func leaf(cfg *unitchecker.Config) bool {
	for _, path := range cfg.ImportMap {
		if path != "unsafe" {
			return false
		}
	}
	return true
}

// run analyses the unit, prints diagnostics, and returns the exit status.
func (u *unit) run(root *analysis.Analyzer, part part, asJSON bool, stdout, stderr io.Writer) (int, error) {
	if part == factsOnly {
		matters, err := u.look()
		if err != nil {
			return 1, err
		}
		if !matters {
			part = nothing
		}
	}
	if part == nothing && !leaf(u.Config) {
		return 0, writeVetx(u.VetxOutput, nil, nil)
	}
	module := u.Module
	if module == nil {
		module = &analysis.Module{Path: u.ModulePath, Version: u.ModuleVersion, GoVersion: u.GoVersion}
	}
	sizes := types.SizesFor("gc", build.Default.GOARCH)
	c, errs := pass.Check(pass.Source{
		Path: u.ImportPath, GoVersion: u.GoVersion,
		Files: u.GoFiles, OtherFiles: u.NonGoFiles, IgnoredFiles: u.IgnoredFiles, Module: module,
	}, u.fset, sizes, u)
	if len(errs) > 0 && u.choice != pass.Read {
		return 0, writeVetx(u.VetxOutput, nil, nil) // the compiler made something of it
	}
	if len(errs) > 0 {
		for _, e := range errs {
			fmt.Fprintf(stderr, "%s:%d:%d: %s\n", e.Pos.File, e.Pos.Line, e.Pos.Column, e.Message)
		}
		return 1, nil
	}
	facts := pass.NewFacts()
	for _, path := range sortedKeys(u.PackageVetx) {
		if _, err := u.facts(facts, path); err != nil {
			return 1, err
		}
	}
	analyzers := pass.Ordered(root)
	if part != all {
		analyzers = pass.Ordered(pass.Factual(root)...)
	}
	if part == nothing {
		analyzers = nil
	}
	var diagnostics []analysis.Diagnostic
	_, failures := c.Run(analyzers, pass.Context{
		Facts: facts,
		Visible: func() map[*types.Package]bool {
			visible := map[*types.Package]bool{c.Types: true}
			for _, pkg := range u.packages {
				visible[pkg] = true
			}
			return visible
		},
		Report: func(a *analysis.Analyzer, d analysis.Diagnostic) {
			if a == root {
				diagnostics = append(diagnostics, d)
			}
		},
	})
	if err := u.export(c, facts); err != nil {
		return 1, err
	}
	if part != all {
		for _, f := range failures { // nobody reads the standard output of such a unit
			fmt.Fprintf(stderr, "resilint: internal error: %s: %v\n", u.ImportPath, f.Err)
		}
		return 0, nil
	}
	if asJSON {
		return 0, u.printJSON(stdout, root, diagnostics, failures)
	}
	for _, f := range failures {
		fmt.Fprintf(stderr, "resilint: internal error: %s: %v\n", u.ImportPath, f.Err)
	}
	for _, d := range diagnostics {
		fmt.Fprintf(stderr, "%s: %s\n", u.fset.Position(d.Pos), d.Message)
	}
	if len(failures)+len(diagnostics) > 0 {
		return 1, nil
	}
	return 0, nil
}

// look reports whether the unit is worth checking, by the look that its choice
// asks for.
func (u *unit) look() (bool, error) {
	if u.choice == pass.Read {
		return true, nil
	}
	carried := map[string]bool{}
	facts := pass.NewFacts()
	for _, path := range sortedKeys(u.PackageVetx) {
		if !pass.Within(path, modulePath(u.Config)) {
			continue
		}
		some, err := u.facts(nil, path)
		if err != nil {
			return false, err
		}
		if !some {
			continue
		}
		pkg, err := u.read(path)
		if err != nil {
			continue // the check will say so
		}
		if _, err := u.facts(facts, path); err != nil {
			return false, err
		}
		facts.Names(pkg, carried)
	}
	return u.known.Look(u.choice, u.GoFiles, imports(u.Config), carried), nil
}

// facts adds what the unit's import with the path tells, and reports whether that
// is anything.
func (u *unit) facts(facts *pass.Facts, path string) (bool, error) {
	data, err := readVetx(u.PackageVetx[path])
	if err == nil && facts != nil {
		err = decodeFacts(facts, data, u.packages)
	}
	if err != nil {
		return false, fmt.Errorf("facts of %s: %w", path, err)
	}
	return len(data) > 0, nil
}

// export writes the vetx file.
func (u *unit) export(c *pass.Checked, facts *pass.Facts) error {
	data, err := encodeFacts(facts, c.Types)
	if err != nil {
		return fmt.Errorf("facts of %s: %w", u.ImportPath, err)
	}
	var typ []byte
	if leaf(u.Config) {
		if typ, err = exportTypes(c); err != nil {
			return err
		}
	}
	return writeVetx(u.VetxOutput, typ, data)
}

// Import implements types.Importer.
func (u *unit) Import(path string) (*types.Package, error) {
	resolved, ok := u.ImportMap[path]
	if !ok {
		return nil, fmt.Errorf("can't resolve import %q", path)
	}
	return u.read(resolved)
}

// read is the package with the import path, from export data.
func (u *unit) read(resolved string) (*types.Package, error) {
	if resolved == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := u.packages[resolved]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	file, ok := u.PackageFile[resolved]
	if !ok {
		return nil, fmt.Errorf("no export data for %q", resolved)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("export data of %q: %w", resolved, err)
	}
	return gcexportdata.Read(r, u.fset, u.packages, resolved)
}

// The JSON form is the unit checker's, which the go command reads: package to
// analyzer to a list of diagnostics, or an error.

type jsonDiagnostic struct {
	Category string        `json:"category,omitempty"`
	Posn     string        `json:"posn"`
	End      string        `json:"end"`
	Message  string        `json:"message"`
	Fixes    []jsonFix     `json:"suggested_fixes,omitempty"`
	Related  []jsonRelated `json:"related,omitempty"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

type jsonRelated struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

type jsonError struct {
	Err string `json:"error"`
}

func (u *unit) printJSON(w io.Writer, root *analysis.Analyzer, diagnostics []analysis.Diagnostic, failures []pass.Failure) error {
	byAnalyzer := map[string]any{}
	var list []jsonDiagnostic
	for _, d := range diagnostics {
		list = append(list, u.jsonDiagnostic(d))
	}
	if len(list) > 0 {
		byAnalyzer[root.Name] = list
	}
	for _, f := range failures {
		byAnalyzer[f.Analyzer.Name] = jsonError{fmt.Sprintf("internal error: %v", f.Err)}
	}
	tree := map[string]any{}
	if len(byAnalyzer) > 0 {
		tree[u.ID] = byAnalyzer
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

func (u *unit) jsonDiagnostic(d analysis.Diagnostic) jsonDiagnostic {
	posn := func(p token.Pos) string { return u.fset.Position(p).String() }
	out := jsonDiagnostic{Category: d.Category, Posn: posn(d.Pos), End: posn(cmp.Or(d.End, d.Pos)), Message: d.Message}
	for _, fix := range d.SuggestedFixes {
		j := jsonFix{Message: fix.Message}
		for _, e := range fix.TextEdits {
			j.Edits = append(j.Edits, jsonEdit{
				Filename: u.fset.Position(e.Pos).Filename,
				Start:    u.fset.Position(e.Pos).Offset, End: u.fset.Position(cmp.Or(e.End, e.Pos)).Offset,
				New: string(e.NewText),
			})
		}
		out.Fixes = append(out.Fixes, j)
	}
	for _, r := range d.Related {
		out.Related = append(out.Related, jsonRelated{posn(r.Pos), posn(cmp.Or(r.End, r.Pos)), r.Message})
	}
	return out
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
