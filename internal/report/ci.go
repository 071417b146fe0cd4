package report

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/resilint/resilint/internal/finding"
)

// writeGitHub is for the log of a GitHub workflow, which shows each such line
// beside the code of a pull request: ten errors, ten warnings and ten notices
// of a step, and no others. Files are known to it from the root of the
// repository. A newline is written %0A, and a title is the bold first line.
func writeGitHub(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	for _, f := range finding.Merge(r.Findings, r.Floor) {
		fmt.Fprintf(out, "::%s file=%s,line=%d", githubLevels[f.Severity], githubProperty.Replace(r.inRepo(f.Pos.File)), f.Pos.Line)
		if f.Pos.Column > 0 {
			fmt.Fprintf(out, ",col=%d", f.Pos.Column)
		}
		if f.End.Line > f.Pos.Line { // on one line it would want an end column as well
			fmt.Fprintf(out, ",endLine=%d", f.End.Line)
		}
		fmt.Fprintf(out, ",title=%s::%s\n", githubProperty.Replace(f.Rule+" "+f.Alias), githubData.Replace(sentences(f)))
	}
	for _, n := range r.NotLoaded {
		for _, e := range n.Errors[:min(len(n.Errors), 1)] {
			fmt.Fprint(out, "::error ")
			if e.File != "" {
				fmt.Fprintf(out, "file=%s,line=%d,", githubProperty.Replace(r.ofError(e)), e.Line)
			}
			fmt.Fprintf(out, "title=%s::%s\n", githubProperty.Replace(n.Package+" does not load"), githubData.Replace(e.Message))
		}
	}
	return out.Flush()
}

var (
	githubLevels   = [...]string{finding.Note: "notice", finding.Warning: "warning", finding.Error: "error"}
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab is for the artifact codequality of a GitLab job. The widget of a
// merge request compares fingerprints with those of the target branch, and
// shows issues with equal ones once: they have to differ between modules, too.
// Severities are info, minor, major, critical and blocker; the path is that from
// the root of the repository, without ./ in front.
func writeGitLab(w io.Writer, r *Report) error {
	prints := map[printed]string{}
	for i, p := range r.Fingerprints() {
		f := r.Findings[i]
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{r.Modules[f.Package], p}))
		prints[printed{f.Rule, f.Site}] = hex.EncodeToString(sum[:16])
	}
	issues := []gitlabIssue{}
	for _, f := range finding.Merge(r.Findings, r.Floor) {
		issues = append(issues, gitlabIssue{
			Description: f.Message, CheckName: f.Alias, Fingerprint: prints[printed{f.Rule, f.Site}],
			Severity: gitlabSeverities[f.Severity],
			Location: gitlabLocation{r.inRepo(f.Pos.File), gitlabLines{max(f.Pos.Line, 1)}},
		})
	}
	return encode(w, issues)
}

// printed is what a finding is found again by when those of its site are one.
type printed struct{ rule, site string }

var gitlabSeverities = [...]string{finding.Note: "info", finding.Warning: "major", finding.Error: "critical"}

type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// writeCheckstyle is for Jenkins, reviewdog and others that read what Checkstyle
// writes: severities are error, warning and info, the source is what they group
// by, and the version is one of Checkstyle.
func writeCheckstyle(w io.Writer, r *Report) error {
	doc := checkstyle{Version: "5.0"}
	for _, f := range finding.Merge(r.Findings, r.Floor) {
		name := r.inRepo(f.Pos.File)
		if n := len(doc.Files); n == 0 || doc.Files[n-1].Name != name {
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		severity := f.Severity.String()
		if f.Severity == finding.Note {
			severity = "info"
		}
		file := &doc.Files[len(doc.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{f.Pos.Line, f.Pos.Column, severity, sentences(f), "resilint." + f.Alias})
	}
	return encodeXML(w, doc)
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit is for CI systems that know nothing but test reports. A suite is a
// package; a report without any test counts as a broken one for some, so that
// a run without findings is one test that passed. What did not load is an error
// of a test, which is more than a failure.
func writeJUnit(w io.Writer, r *Report) error {
	doc := junitSuites{}
	suites := map[string]int{}
	add := func(pkg string, c junitCase) {
		i, ok := suites[pkg]
		if !ok {
			i = len(doc.Suites)
			suites[pkg] = i
			doc.Suites = append(doc.Suites, junitSuite{Name: pkg})
		}
		s := &doc.Suites[i]
		c.Class = pkg
		s.Cases = append(s.Cases, c)
		s.Tests++
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
	for _, f := range finding.Merge(r.Findings, r.Floor) {
		place := fmt.Sprintf("%s:%d", r.inRepo(f.Pos.File), f.Pos.Line)
		text := place + ": " + f.Severity.String() + ": " + sentences(f) + "\n"
		for _, rel := range f.Related {
			text += fmt.Sprintf("%s:%d: %s\n", r.inRepo(rel.Pos.File), rel.Pos.Line, rel.Message)
		}
		add(f.Package, junitCase{
			Name: strings.TrimSpace(f.Alias + " " + f.Function + " " + place), File: r.inRepo(f.Pos.File),
			Failure: &junitFailure{Message: f.Message, Type: f.Rule, Text: text + f.URL},
		})
	}
	for _, n := range r.NotLoaded {
		message := "not analysed because of " + cmp.Or(n.Because, "its errors")
		var text []string
		for _, e := range n.Errors {
			text = append(text, e.String())
		}
		add(n.Package, junitCase{Name: "loads", Error: &junitFailure{Message: message, Type: "not loaded", Text: strings.Join(text, "\n")}})
	}
	if len(doc.Suites) == 0 {
		add("resilint", junitCase{Name: "no unsafe retries"})
	}
	return encodeXML(w, doc)
}

func encodeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// ofError is the file of a package's error, whose name is relative to Base.
func (r *Report) ofError(e Error) string {
	if r.Repo == "" {
		return e.File
	}
	return Rel(r.Repo, absolute(r.Base, e.File))
}
