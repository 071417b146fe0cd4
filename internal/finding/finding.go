// Package finding holds what an analysis tells: findings and the inventory of
// retry sites, as plain data that any driver can sort, merge and print.
package finding

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Severity orders findings. The zero value is Note.
type Severity int

const (
	Note Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"note", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// MarshalText makes JSON and YAML say "warning" rather than 1.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (s *Severity) UnmarshalText(text []byte) error {
	v, err := ParseSeverity(string(text))
	*s = v
	return err
}

// ParseSeverity reads note, warning or error.
func ParseSeverity(name string) (Severity, error) {
	if i := slices.Index(severityNames[:], name); i >= 0 {
		return Severity(i), nil
	}
	return 0, fmt.Errorf("severity %q is none of %s", name, strings.Join(severityNames[:], ", "))
}

// A Position is a place in a file. File is as the go command names it: absolute.
type Position struct {
	File   string
	Line   int
	Column int
}

// Compare orders positions by file, line and column.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Status says whether a finding counts.
type Status string

const (
	New        Status = "new"
	Baselined  Status = "baselined"
	Suppressed Status = "suppressed"
)

// A Finding is one rule broken at one site.
type Finding struct {
	Rule     string // full id, R-RES-RE-3
	Alias    string // retryattempts
	Severity Severity
	Site     string // id of the site, which other rules may have findings at
	Pos      Position
	End      Position
	At       token.Pos // Pos in the file set of the driver that analyses the package
	Function string    // as a reader writes it: (*pay.Adapter).Register
	Package  string    // import path

	// Message states the consequence with its numbers; Short is the form in
	// which it follows a worse finding of the same site ("RE-3 10 attempts").
	Message string
	Short   string
	Hint    string // the way out
	Related []Related
	Fixes   []Fix
	URL     string

	Status Status
	Reason string // of a suppression
}

// Related is a place that helps to understand a finding.
type Related struct {
	Pos     Position
	Message string
}

// A Fix is a change of the code that mends a finding. Class says whether it
// keeps or safely narrows what the code does ("safe"), or has to be looked at
// ("review").
type Fix struct {
	Message string
	Class   string
	Edits   []Edit
}

// An Edit puts other text in the place of what lies between two positions.
type Edit struct {
	Pos, End Position
	New      string
}

// Compare orders findings as they are printed: by place, then worst first,
// then by rule.
func Compare(a, b Finding) int {
	return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
}

// Merge joins the findings of each site into one, for the drivers that print a
// site once: the worst leads with its sentence, the others follow with their
// numbers. Findings that are suppressed, or below the floor, take no part.
func Merge(all []Finding, floor Severity) []Finding {
	bySite := map[string][]Finding{}
	var order []string
	for _, f := range all {
		if f.Status != New && f.Status != "" {
			continue
		}
		if _, seen := bySite[f.Site]; !seen {
			order = append(order, f.Site)
		}
		bySite[f.Site] = append(bySite[f.Site], f)
	}
	var out []Finding
	for _, site := range order {
		fs := bySite[site]
		slices.SortStableFunc(fs, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(rank(a.Rule), rank(b.Rule)))
		})
		lead := fs[0]
		if lead.Severity < floor {
			continue
		}
		var also []string
		for _, f := range fs[1:] {
			also = append(also, f.Short)
		}
		if len(also) > 0 {
			lead.Message += " (also " + strings.Join(also, ", ") + ")"
		}
		out = append(out, lead)
	}
	slices.SortFunc(out, Compare)
	return out
}

// rank orders rules of one severity: when RE-3 and RE-4 have one cause, RE-3
// leads.
func rank(rule string) int {
	order := []string{"R-RES-RE-X1", "R-RES-RE-1", "R-RES-CB-1", "R-RES-RE-X2", "R-RES-RE-3", "R-RES-RE-4", "R-RES-RE-X3", "R-RES-RE-2", "R-RES-RE-5", "R-RES-RE-X4",
		"RSL-BODY", "RSL-LEAK", "RSL-TIMEOUT", "RSL-LOST", "RSL-CTX", "RSL-AFTER"}
	if i := slices.Index(order, rule); i >= 0 {
		return i
	}
	return len(order)
}

// Package is what the analysis of one package tells.
type Package struct {
	Path     string
	Findings []Finding // all severities, sorted; suppressed ones marked
	Sites    []Site    // sorted by place
	// InternalErrors name the functions whose analysis failed inside the tool.
	InternalErrors []string
}
