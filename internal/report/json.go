package report

import (
	"encoding/json"
	"io"

	"github.com/resilint/resilint/internal/finding"
)

// formatVersion is raised when a field changes its meaning or goes away. New
// fields do not raise it.
const formatVersion = 1

type jsonReport struct {
	Version     int           `json:"version"`
	ToolVersion string        `json:"tool_version"`
	Preset      string        `json:"preset"`
	Findings    []jsonFinding `json:"findings"`
	Summary     jsonSummary   `json:"summary"`
}

type jsonFinding struct {
	Rule        string           `json:"rule"`
	Alias       string           `json:"alias"`
	Severity    finding.Severity `json:"severity"`
	Site        string           `json:"site"`
	Module      string           `json:"module"`
	File        string           `json:"file"`
	Line        int              `json:"line"`
	Column      int              `json:"column"`
	EndLine     int              `json:"end_line"`
	EndColumn   int              `json:"end_column"`
	Function    string           `json:"function"`
	Message     string           `json:"message"`
	Hint        string           `json:"hint"`
	Fingerprint string           `json:"fingerprint"`
	Status      finding.Status   `json:"status"`
	Reason      string           `json:"reason,omitempty"` // of a suppression
	Related     []jsonRelated    `json:"related"`
	Fixes       []jsonFix        `json:"fixes"`
	URL         string           `json:"url"`
}

type jsonRelated struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Class   string     `json:"class"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	New       string `json:"new"`
}

type jsonSummary struct {
	Error          int         `json:"error"`
	Warning        int         `json:"warning"`
	Note           int         `json:"note"`
	Sites          int         `json:"sites"`
	Unproved       int         `json:"unproved"`
	Packages       int         `json:"packages"`
	NotLoaded      []NotLoaded `json:"not_loaded"`
	InternalErrors int         `json:"internal_errors"`
}

// writeJSON is for programs: every finding of every severity, one per rule and
// site; lists are never null.
func writeJSON(w io.Writer, r *Report) error {
	out := jsonReport{
		Version: formatVersion, ToolVersion: r.ToolVersion, Preset: r.Preset,
		Findings: []jsonFinding{},
		Summary: jsonSummary{
			Error: r.count(finding.Error), Warning: r.count(finding.Warning), Note: r.count(finding.Note),
			Sites: len(r.Sites), Unproved: r.unproved(), Packages: r.Packages,
			NotLoaded: []NotLoaded{}, InternalErrors: len(r.InternalErrors),
		},
	}
	for _, n := range r.NotLoaded {
		if n.Errors == nil {
			n.Errors = []Error{}
		}
		out.Summary.NotLoaded = append(out.Summary.NotLoaded, n)
	}
	prints := r.Fingerprints()
	for i, f := range r.Findings {
		status := f.Status
		if status == "" {
			status = finding.New
		}
		j := jsonFinding{
			Rule: f.Rule, Alias: f.Alias, Severity: f.Severity, Site: f.Site, Module: r.Modules[f.Package],
			File: r.rel(f.Pos.File), Line: f.Pos.Line, Column: f.Pos.Column,
			EndLine: f.End.Line, EndColumn: f.End.Column, Function: f.Function,
			Message: f.Message, Hint: f.Hint, Fingerprint: prints[i], Status: status, Reason: f.Reason,
			Related: []jsonRelated{}, Fixes: []jsonFix{}, URL: f.URL,
		}
		for _, rel := range f.Related {
			j.Related = append(j.Related, jsonRelated{r.rel(rel.Pos.File), rel.Pos.Line, rel.Pos.Column, rel.Message})
		}
		for _, fix := range f.Fixes {
			edits := []jsonEdit{}
			for _, e := range fix.Edits {
				edits = append(edits, jsonEdit{r.rel(e.Pos.File), e.Pos.Line, e.Pos.Column, e.End.Line, e.End.Column, e.New})
			}
			j.Fixes = append(j.Fixes, jsonFix{fix.Message, fix.Class, edits})
		}
		out.Findings = append(out.Findings, j)
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // messages hold "->"
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
