package report

import (
	"fmt"
	"io"
	"strings"
)

// Format is one way to write a report.
type Format struct {
	Name  string
	Help  string
	Write func(io.Writer, *Report) error
}

// Formats are those of the check, the default first.
func Formats() []Format {
	return []Format{
		{"text", "for people: one finding per site, with its source line", writeText},
		{"json", "one object with all findings, notes included", writeJSON},
		{"sarif", "SARIF 2.1.0, for code scanning: all findings, silenced ones marked", writeSARIF},
		{"github", "annotations of a GitHub workflow, one per site", writeGitHub},
		{"gitlab", "a code quality report of GitLab, one issue per site", writeGitLab},
		{"checkstyle", "XML of Checkstyle, one error per site", writeCheckstyle},
		{"junit", "XML of JUnit, one failed test per site", writeJUnit},
	}
}

// SitesFormats are those of the inventory of retries, the default first. With
// unproved they hold the sites that have values which could not be proved.
func SitesFormats(unproved bool) []Format {
	return []Format{
		{"text", "a table", func(w io.Writer, r *Report) error { return writeSitesText(w, r, unproved) }},
		{"json", "one object with all sites", func(w io.Writer, r *Report) error { return writeSitesJSON(w, r, unproved) }},
	}
}

// Find returns the format called name.
func Find(formats []Format, name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("format %q is none of %s", name, strings.Join(names, ", "))
}
