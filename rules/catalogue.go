package rules

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/resilint/resilint/internal/finding"
)

//go:embed rules.yaml
var catalogueYAML []byte

// A Rule is one entry of the catalogue.
type Rule struct {
	ID    string `yaml:"id"`    // R-RES-RE-3
	Alias string `yaml:"alias"` // retryattempts
	Title string `yaml:"title"`
	Since string `yaml:"since"`
	Tiers []Tier `yaml:"tiers"`
}

// A Tier is a case of a rule with severities of its own.
type Tier struct {
	Name        string           `yaml:"name"`
	Recommended finding.Severity `yaml:"recommended"`
	Guide       finding.Severity `yaml:"guide"`
}

// Short is the id as users type it: RE-3, X3, CB-1.
func (r *Rule) Short() string {
	short := strings.TrimPrefix(r.ID, "R-RES-")
	if x, ok := strings.CutPrefix(short, "RE-X"); ok {
		return "X" + x
	}
	return short
}

// Presets are the names of the severity columns, the default first.
func Presets() []string { return []string{"recommended", "guide"} }

// Severity is the severity of the rule's tier in the preset.
func (r *Rule) Severity(tier, preset string) finding.Severity {
	for _, t := range r.Tiers {
		if t.Name == tier {
			if preset == "guide" {
				return t.Guide
			}
			return t.Recommended
		}
	}
	panic(fmt.Sprintf("rule %s has no tier %q", r.ID, tier)) // a typing error in a rule
}

// All lists the rules in the order of the catalogue.
var All = sync.OnceValue(func() []*Rule {
	var doc struct {
		Rules []*Rule `yaml:"rules"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(catalogueYAML))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil {
		panic(fmt.Sprintf("rules.yaml: %v", err)) // embedded, and tested
	}
	return doc.Rules
})

// Find returns the rule that name means: its id, short id or alias.
func Find(name string) (*Rule, error) {
	for _, r := range All() {
		for _, known := range r.names() {
			if strings.EqualFold(name, known) {
				return r, nil
			}
		}
	}
	err := fmt.Errorf("no rule is called %q", name)
	if near := Nearest(name, allNames()); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return nil, err
}

func (r *Rule) names() []string {
	return []string{r.ID, strings.TrimPrefix(r.ID, "R-RES-"), r.Short(), r.Alias}
}

func allNames() []string {
	var out []string
	for _, r := range All() {
		out = append(out, r.names()...)
	}
	return out
}

// URL is where the rule is documented.
func URL(r *Rule) string {
	return "https://github.com/resilint/resilint/blob/main/docs/rules/" + r.Alias + ".md"
}

// Nearest is the candidate that name is most likely a misspelling of, or "".
func Nearest(name string, candidates []string) string {
	best, bestAt := "", len(name)/2+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < bestAt {
			best, bestAt = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
}

// Known is the rule with the id, which is written in the code.
func Known(id string) *Rule {
	r, err := Find(id)
	if err != nil {
		panic(err) // a rule that names itself wrongly
	}
	return r
}

// Doc is the documentation of the analyzer called name in the package comment
// of source, its doc.go: what follows the heading "# Analyzer name".
func Doc(source, name string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(source) {
		text, isComment := strings.CutPrefix(strings.TrimRight(line, "\n"), "//")
		if !isComment {
			continue
		}
		text = strings.TrimPrefix(text, " ")
		if rest, ok := strings.CutPrefix(text, "# Analyzer "); ok {
			in = rest == name
			continue
		}
		if in {
			b.WriteString(text + "\n")
		}
	}
	if b.Len() == 0 {
		panic("no documentation of analyzer " + name)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// Markdown turns the text of a Go comment into Markdown: what is indented is
// code.
func Markdown(text string) string {
	var b strings.Builder
	inCode := false
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		code, isCode := strings.CutPrefix(line, "\t")
		switch {
		case isCode && !inCode:
			b.WriteString("```go\n")
			inCode = true
		case !isCode && inCode && !(line == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t")):
			b.WriteString("```\n")
			inCode = false
		}
		if isCode {
			line = code
		}
		b.WriteString(line + "\n")
	}
	if inCode {
		b.WriteString("```\n")
	}
	return b.String()
}
