// Package report writes what a run found: one sorted list of findings and one
// of sites, in any of a table of formats.
package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/finding"
)

// Report is everything that a run tells.
type Report struct {
	ToolVersion string
	Preset      string
	Floor       finding.Severity // what is printed where people read
	Base        string           // absolute; paths are told relative to it
	Repo        string           // absolute; what the host of the repository reads is told relative to it; Base when empty
	Color       bool             // the reader is a terminal that wants colour
	Rules       []Rule           // those that there are, for formats that explain themselves

	Findings       []finding.Finding // all severities
	Sites          []finding.Site
	Modules        map[string]string // import path of a package to its module's path
	ModuleDirs     map[string]string // path of a module to its directory
	Packages       int               // analysed
	NotLoaded      []NotLoaded
	InternalErrors []string
}

// Rule is what a format tells of a rule beside its findings.
type Rule struct {
	ID       string
	Alias    string
	Title    string
	Summary  string           // what it reports
	Severity finding.Severity // the worst of its cases
	Text     string           // its page
	Markdown string           // the same
	URL      string
}

// NotLoaded is a package that was not analysed.
type NotLoaded struct {
	Package string  `json:"package"`
	Errors  []Error `json:"errors"`
	Because string  `json:"because,omitempty"` // the dependency that failed
}

// Error is what is wrong with a package.
type Error struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

func (e Error) String() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Sort puts findings and sites in the order in which all formats tell them.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Findings, finding.Compare)
	slices.SortStableFunc(r.Sites, func(a, b finding.Site) int {
		if c := a.Pos.Compare(b.Pos); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
}

// Worst is the highest severity of the findings that count, and whether there
// are any.
func (r *Report) Worst() (worst finding.Severity, any bool) {
	for _, f := range r.Findings {
		if counts(f) {
			worst, any = max(worst, f.Severity), true
		}
	}
	return worst, any
}

// Partial reports whether something was not analysed, or only in part.
func (r *Report) Partial() bool { return len(r.NotLoaded) > 0 || len(r.InternalErrors) > 0 }

// counts reports whether a finding is neither suppressed nor in the baseline.
func counts(f finding.Finding) bool { return f.Status == "" || f.Status == finding.New }

func (r *Report) count(s finding.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if counts(f) && f.Severity == s {
			n++
		}
	}
	return n
}

// known is how many findings at the floor are silent because they are in the
// baseline, or older than what is asked for.
func (r *Report) known() int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == finding.Baselined && f.Severity >= r.Floor {
			n++
		}
	}
	return n
}

func (r *Report) unproved() int {
	n := 0
	for _, s := range r.Sites {
		if len(s.Unproved) > 0 {
			n++
		}
	}
	return n
}

// Summary is the last line of every text:
// "12 errors, 30 warnings, 55 notes; 214 retries, 31 not provable".
func (r *Report) Summary() string {
	s := fmt.Sprintf("%s, %s, %s; %s, %d not provable",
		plural(r.count(finding.Error), "error", "errors"),
		plural(r.count(finding.Warning), "warning", "warnings"),
		plural(r.count(finding.Note), "note", "notes"),
		plural(len(r.Sites), "retry", "retries"), r.unproved())
	if n := r.known(); n > 0 {
		s += fmt.Sprintf("; %d known", n)
	}
	if n := len(r.NotLoaded); n > 0 {
		s += "; " + plural(n, "package", "packages") + " not loaded"
	}
	if n := len(r.InternalErrors); n > 0 {
		s += "; " + plural(n, "internal error", "internal errors")
	}
	return s
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Rel is the file's name as reports tell it: relative to base, with forward
// slashes. A file elsewhere keeps its name.
func Rel(base, file string) string {
	if rel, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}

func (r *Report) rel(file string) string { return Rel(r.Base, file) }

// inRepo is the file's name as the host of the repository knows it.
func (r *Report) inRepo(file string) string {
	if r.Repo == "" {
		return r.rel(file)
	}
	return Rel(r.Repo, file)
}

// absolute undoes Rel.
func absolute(base, file string) string {
	if name := filepath.FromSlash(file); !filepath.IsAbs(name) {
		return filepath.Join(base, name)
	}
	return file
}
