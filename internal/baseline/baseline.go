// Package baseline keeps the findings that a code base has when it meets
// resilint, in a file that people review: they are known, and silent until they
// are gone.
package baseline

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
	"github.com/resilint/resilint/rules"
)

// Name is the name of the file, at the root of the module or workspace.
const Name = ".resilint-baseline.yml"

const version = 1

const head = `# Findings that resilint knows, and does not report until they are gone.
# resilint baseline writes this file, and resilint baseline -prune removes the
# entries of findings that are gone. A finding is known by its fingerprint; the
# rest is for those who read this.
`

// An Entry is one finding that is known. It is known by module and fingerprint;
// the rest is as it was when the entry was written.
type Entry struct {
	Rule        string // its alias
	Severity    string
	Module      string // the path of its module
	Package     string // the path of its package below the module's, "." for the module's own
	Function    string
	File        string // from the root of the module or workspace
	System      string // what the retried requests go to, "" when that is not known
	Says        string
	Fingerprint string

	Line int // in the file, 0 for one that is new
}

func (e Entry) identity() [2]string { return [2]string{e.Module, e.Fingerprint} }

// fields are those of an entry by their keys, in the order of the file.
func (e *Entry) fields() []field {
	return []field{
		{"rule", &e.Rule}, {"severity", &e.Severity}, {"module", &e.Module}, {"package", &e.Package}, {"function", &e.Function},
		{"file", &e.File}, {"system", &e.System}, {"says", &e.Says}, {"fingerprint", &e.Fingerprint},
	}
}

type field struct {
	key   string
	value *string
}

// A Baseline is what is known. The zero value knows nothing.
type Baseline struct {
	Entries []Entry
}

// Read reads the file with the path. Errors name it as shown, and the line. One
// that is missing wraps fs.ErrNotExist.
func Read(path, shown string) (*Baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	b, line, err := parse(data)
	switch {
	case err == nil:
		return b, nil
	case line > 0:
		return nil, fmt.Errorf("%s:%d: %w", shown, line, err)
	}
	return nil, fmt.Errorf("%s: %w", shown, err)
}

// parse returns with an error the line that it is about.
func parse(data []byte) (*Baseline, int, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		var line int
		message := err.Error()
		if n, _ := fmt.Sscanf(message, "yaml: line %d:", &line); n == 1 {
			message = message[len(fmt.Sprintf("yaml: line %d: ", line)):]
		}
		return nil, line, fmt.Errorf("this is no baseline: %s", message)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, 1, errors.New("this is no baseline: it needs the keys version and findings")
	}
	b := &Baseline{}
	seen := false
	root := doc.Content[0].Content
	for i := 0; i+1 < len(root); i += 2 {
		key, val := root[i], root[i+1]
		switch key.Value {
		case "version":
			if val.Value != strconv.Itoa(version) {
				return nil, val.Line, fmt.Errorf("version %q is none that is known: %d is", val.Value, version)
			}
			seen = true
		case "findings":
			if val.Kind != yaml.SequenceNode {
				return nil, val.Line, errors.New("findings has to be a list")
			}
			if line, err := b.parseEntries(val); err != nil {
				return nil, line, err
			}
		default:
			return nil, key.Line, fmt.Errorf("there is no key %q", key.Value)
		}
	}
	if !seen {
		return nil, 1, errors.New("this is no baseline: it has no version")
	}
	return b, 0, nil
}

func (b *Baseline) parseEntries(list *yaml.Node) (int, error) {
	first := map[[2]string]int{}
	for _, n := range list.Content {
		if n.Kind != yaml.MappingNode {
			return n.Line, errors.New("an entry has to be a mapping: rule, fingerprint and so on")
		}
		e := Entry{Line: n.Line}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, val := n.Content[i], n.Content[i+1]
			j := slices.IndexFunc(e.fields(), func(f field) bool { return f.key == key.Value })
			if j < 0 {
				return key.Line, fmt.Errorf("there is no key %q", key.Value)
			}
			if val.Kind != yaml.ScalarNode {
				return val.Line, fmt.Errorf("%s has to be a text", key.Value)
			}
			*e.fields()[j].value = val.Value
		}
		if _, err := rules.Find(e.Rule); err != nil {
			return n.Line, err
		}
		if e.Fingerprint == "" {
			return n.Line, errors.New("an entry needs its fingerprint")
		}
		if line, twice := first[e.identity()]; twice {
			return n.Line, fmt.Errorf("this finding is in line %d already", line)
		}
		first[e.identity()] = n.Line
		b.Entries = append(b.Entries, e)
	}
	return 0, nil
}

// Bytes is the baseline as a file holds it: sorted, so that two branches which
// add findings touch different lines, and one that moves code touches none.
func (b *Baseline) Bytes() ([]byte, error) {
	entries := slices.Clone(b.Entries)
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	list := &yaml.Node{Kind: yaml.SequenceNode}
	if len(entries) == 0 {
		list.Style = yaml.FlowStyle
	}
	for i := range entries {
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range entries[i].fields() {
			if *f.value != "" {
				n.Content = append(n.Content, text(f.key), text(*f.value))
			}
		}
		list.Content = append(list.Content, n)
	}
	doc := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		text("version"), {Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(version)},
		text("findings"), list,
	}}
	var out bytes.Buffer
	out.WriteString(head)
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func text(s string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(s)
	if n.Style == yaml.LiteralStyle {
		n.Style = yaml.DoubleQuotedStyle // one line for each thing that is said
	}
	return n
}

// Of is the baseline of a report: its findings at or above the floor that no
// comment silences.
func Of(r *report.Report) *Baseline {
	b := &Baseline{}
	prints := r.Fingerprints()
	systems := map[string]string{}
	for _, s := range r.Sites {
		for _, op := range s.Operation {
			if systems[s.ID] == "" {
				systems[s.ID] = op.System
			}
		}
	}
	for i, f := range r.Findings {
		if f.Severity < r.Floor || f.Status == finding.Suppressed {
			continue
		}
		module := r.Modules[f.Package]
		b.Entries = append(b.Entries, Entry{
			Rule: f.Alias, Severity: f.Severity.String(), Module: module, Package: cmp.Or(report.Within(module, f.Package), "."),
			Function: f.Function, File: report.Rel(r.Base, f.Pos.File), System: systems[f.Site], Says: f.Message, Fingerprint: prints[i],
		})
	}
	return b
}

// Apply marks the findings of a report that are known, with the reason. It
// returns the entries of findings that are gone: entries are not judged whose
// package was not analysed, or whose rule is off.
func (b *Baseline) Apply(r *report.Report, reason string, enabled func(rule, pkg string) bool) (stale []Entry) {
	known := map[[2]string]bool{}
	for _, e := range b.Entries {
		known[e.identity()] = false
	}
	for i, p := range r.Fingerprints() {
		f := &r.Findings[i]
		id := [2]string{r.Modules[f.Package], p}
		if _, ok := known[id]; !ok {
			continue
		}
		known[id] = true
		if f.Status != finding.Suppressed {
			f.Status, f.Reason = finding.Baselined, reason
		}
	}
	for _, e := range b.Entries {
		if !known[e.identity()] && judged(e, r, enabled) {
			stale = append(stale, e)
		}
	}
	return stale
}

// judged reports whether the report would have the entry's finding if there
// were one.
func judged(e Entry, r *report.Report, enabled func(rule, pkg string) bool) bool {
	rule, err := rules.Find(e.Rule)
	path := e.Module
	if e.Package != "." {
		path += "/" + e.Package
	}
	if err != nil || !enabled(rule.ID, path) {
		return false
	}
	if _, ok := r.Modules[path]; ok {
		return true
	}
	dir, ok := r.ModuleDirs[e.Module]
	if !ok {
		return false
	}
	_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(e.Package)))
	return errors.Is(err, fs.ErrNotExist) // the whole package is gone
}

// Without is the baseline without some of its entries.
func (b *Baseline) Without(gone []Entry) *Baseline {
	out := &Baseline{}
	for _, e := range b.Entries {
		if !slices.ContainsFunc(gone, func(g Entry) bool { return g.identity() == e.identity() }) {
			out.Entries = append(out.Entries, e)
		}
	}
	return out
}

// And adds the entries of another baseline that b has not, and takes over what
// the other says of those that it has. It returns how many were added.
func (b *Baseline) And(other *Baseline) (added int) {
	at := map[[2]string]int{}
	for i, e := range b.Entries {
		at[e.identity()] = i
	}
	for _, e := range other.Entries {
		if i, ok := at[e.identity()]; ok {
			b.Entries[i] = e
			continue
		}
		b.Entries = append(b.Entries, e)
		added++
	}
	return added
}
