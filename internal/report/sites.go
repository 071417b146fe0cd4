package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/resilint/resilint/internal/finding"
)

type jsonSites struct {
	Version int        `json:"version"`
	Sites   []jsonSite `json:"sites"`
}

type jsonSite struct {
	ID          string          `json:"id"`
	Module      string          `json:"module"`
	File        string          `json:"file"`
	Line        int             `json:"line"`
	Column      int             `json:"column"`
	EndLine     int             `json:"end_line"`
	Function    string          `json:"function"`
	Kind        string          `json:"kind"`
	Mechanism   string          `json:"mechanism"`
	Library     string          `json:"library"`
	Operation   []jsonOperation `json:"operation"`
	Effect      string          `json:"effect"`
	Attempts    *jsonAttempts   `json:"attempts"` // null when unknown
	Backoff     string          `json:"backoff"`
	Predicate   string          `json:"predicate"`
	SleepWindow string          `json:"sleep_window"`
	TotalWindow string          `json:"total_window"`
	Breaker     string          `json:"breaker"`
	Unproved    []string        `json:"unproved"`
}

type jsonOperation struct {
	Method    string     `json:"method"` // empty when unknown
	Path      string     `json:"path"`
	Key       string     `json:"key"`
	KeySource string     `json:"key_source,omitempty"`
	System    string     `json:"system,omitempty"`
	Send      *jsonPlace `json:"send,omitempty"`
}

type jsonPlace struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type jsonAttempts struct {
	Min       int  `json:"min"`
	Max       int  `json:"max"`
	Unbounded bool `json:"unbounded"`
	Default   bool `json:"default"`
}

func (r *Report) sites(unproved bool) []finding.Site {
	if !unproved {
		return r.Sites
	}
	var out []finding.Site
	for _, s := range r.Sites {
		if len(s.Unproved) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func writeSitesJSON(w io.Writer, r *Report, unproved bool) error {
	out := jsonSites{Version: formatVersion, Sites: []jsonSite{}}
	for _, s := range r.sites(unproved) {
		j := jsonSite{
			ID: s.ID, Module: r.Modules[s.Package],
			File: r.rel(s.Pos.File), Line: s.Pos.Line, Column: s.Pos.Column, EndLine: s.EndLine,
			Function: s.Function, Kind: orUnknown(s.Kind), Mechanism: s.Mechanism, Library: s.Library,
			Operation: []jsonOperation{}, Effect: orUnknown(s.Effect),
			Backoff: orUnknown(s.Backoff), Predicate: orUnknown(s.Predicate),
			SleepWindow: orUnknown(s.SleepWindow), TotalWindow: orUnknown(s.TotalWindow),
			Breaker: orUnknown(s.Breaker), Unproved: append([]string{}, s.Unproved...),
		}
		for _, op := range s.Operation {
			o := jsonOperation{Method: op.Method, Path: op.Path, Key: op.Key, KeySource: op.KeySource, System: op.System}
			if op.Send.File != "" {
				o.Send = &jsonPlace{r.rel(op.Send.File), op.Send.Line}
			}
			j.Operation = append(j.Operation, o)
		}
		if a := s.Attempts; a != nil {
			j.Attempts = &jsonAttempts{a.Min, a.Max, a.Unbounded, a.Default}
		}
		out.Sites = append(out.Sites, j)
	}
	return encode(w, out)
}

// writeSitesText is a table. What is not proved of a site stands below its row
// only when that was asked for: the reasons would drown the table.
func writeSitesText(w io.Writer, r *Report, unproved bool) error {
	sites := r.sites(unproved)
	var rows bytes.Buffer
	table := tabwriter.NewWriter(&rows, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "PLACE\tFUNCTION\tLIBRARY\tATTEMPTS\tBACKOFF\tSLEEP WINDOW\tPREDICATE\tBREAKER")
	for _, s := range sites {
		fmt.Fprintf(table, "%s:%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.rel(s.Pos.File), s.Pos.Line, s.Function, retryKind(s),
			attempts(s.Attempts), orUnknown(s.Backoff), orUnknown(s.SleepWindow), orUnknown(s.Predicate), orUnknown(s.Breaker))
	}
	table.Flush()
	out := bufio.NewWriter(w)
	if len(sites) > 0 {
		header, _ := rows.ReadString('\n')
		out.WriteString(header)
	}
	for _, s := range sites {
		row, _ := rows.ReadString('\n')
		out.WriteString(row)
		if unproved {
			for _, reason := range s.Unproved {
				fmt.Fprintln(out, indent+reason)
			}
		}
	}
	fmt.Fprintf(out, "%s, %d not provable\n", plural(len(r.Sites), "retry", "retries"), r.unproved())
	return out.Flush()
}

func attempts(a *finding.Attempts) string {
	if a == nil {
		return "unknown"
	}
	s := fmt.Sprint(a.Max)
	switch {
	case a.Unbounded:
		s = "unbounded"
	case a.Min != a.Max:
		s = fmt.Sprintf("%d-%d", a.Min, a.Max)
	}
	if a.Default {
		s += " (default)"
	}
	return s
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
