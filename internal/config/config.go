// Package config is what users decide: which rules, how severely, and what they
// know of the systems that their code talks to. It reads .resilint.yml, strictly.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/rules"
)

// Config is a configuration: as users write it, and as rules read it. Sites are
// judged by it; of all of it facts depend on models alone. The documentation of a key is its
// tag, which the schema and the table in docs/configuration.md are made of.
type Config struct {
	Preset      Preset           `yaml:"preset" doc:"the severities to use"`
	MinSeverity finding.Severity `yaml:"min-severity" doc:"the least severity that is printed and fails the run"`
	Only        []Rule           `yaml:"only" doc:"the rules to check, by id, short id or alias; all when left out"`
	Disable     []Rule           `yaml:"disable" doc:"the rules to leave out"`
	Severities  Severities       `yaml:"severities" doc:"severities of rules in all their cases, by id, short id or alias; they stand above the preset"`
	Overrides   []Override       `yaml:"overrides" doc:"what is otherwise in some packages; of several severities the last counts"`
	Strict      bool             `yaml:"strict" doc:"whether a retry with values that are not provable is a note"`
	Contracts   Contracts        `yaml:"contracts" doc:"whether a retried write with a key needs a system that promised to deduplicate; required by the preset guide"`
	Carriers    Carriers         `yaml:"carriers" doc:"headers, beside those that are known"`
	Systems     Systems          `yaml:"systems" doc:"what is known of other sides, by the name that messages use"`
	Models      Models           `yaml:"models" doc:"libraries that resilint does not know, or knows wrongly, in the schema of its own models"`
}

// Severities are those of rules, by full id.
type Severities map[Rule]finding.Severity

// An Override is what is otherwise in some packages.
type Override struct {
	Packages   []Pattern  `yaml:"packages" doc:"import paths; a last /... is all below"`
	Disable    []Rule     `yaml:"disable" doc:"rules to leave out there"`
	Severities Severities `yaml:"severities" doc:"severities of rules there"`
}

// Models are what users say of libraries.
type Models struct {
	Family *model.Family `yaml:"-"`
	text   string        // as it was written, from its key on
}

// Carriers are headers of all systems.
type Carriers struct {
	Keys        []Header `yaml:"keys" doc:"headers that hold an idempotency key"`
	Correlation []Header `yaml:"correlation" doc:"headers that hold none, although their name is known as a key's"`
}

// Systems are the other sides by name.
type Systems map[string]System

// A System is another side that requests go to.
type System struct {
	Match    Match      `yaml:"match" doc:"the requests that go to it"`
	Dedup    Dedup      `yaml:"dedup" doc:"whether it applies a write once that comes again with the same key"`
	Contract string     `yaml:"contract" doc:"where that promise is written: a link, or its words"`
	KeyTTL   Duration   `yaml:"key_ttl" doc:"how long it remembers a key, as a Go duration: 24h"`
	Carrier  Header     `yaml:"carrier" doc:"the header in which it takes the key"`
	Reads    []Endpoint `yaml:"reads" doc:"requests that change nothing, whatever their method: POST /search; * is one element of the path, a last /... any number"`
}

// Match says which requests go to a system: those to one of its hosts, and of
// those whose host the code does not fix, or when no host is listed, those sent
// by its functions.
type Match struct {
	Hosts   []Host    `yaml:"hosts" doc:"host names, without port; *.bank.example is all below bank.example"`
	Imports []Pattern `yaml:"imports" doc:"import paths of packages whose functions send; a last /... is all below"`
	Types   []Type    `yaml:"types" doc:"types whose methods send: example.com/pay/sber.Client"`
}

// Name is the name of the file.
const Name = ".resilint.yml"

// Default is the configuration of a code base that has none.
func Default() Config {
	return Config{Preset: "recommended", MinSeverity: finding.Warning}
}

// Enabled reports whether findings of the rule are wanted in a package.
func (c *Config) Enabled(rule, pkg string) bool {
	for i := range c.Overrides {
		if o := &c.Overrides[i]; o.covers(pkg) && slices.Contains(o.Disable, Rule(rule)) {
			return false
		}
	}
	if len(c.Only) > 0 && !slices.Contains(c.Only, Rule(rule)) {
		return false
	}
	return !slices.Contains(c.Disable, Rule(rule))
}

// Severity is that of a case of a rule in a package.
func (c *Config) Severity(rule *rules.Rule, tier, pkg string) finding.Severity {
	for _, o := range slices.Backward(c.Overrides) {
		if s, ok := o.Severities[Rule(rule.ID)]; ok && o.covers(pkg) {
			return s
		}
	}
	if s, ok := c.Severities[Rule(rule.ID)]; ok {
		return s
	}
	return rule.Severity(tier, string(c.Preset))
}

func (o *Override) covers(pkg string) bool {
	return slices.ContainsFunc(o.Packages, func(p Pattern) bool { return p.Matches(pkg) })
}

func (o *Override) check() error {
	if len(o.Packages) == 0 {
		return errors.New("packages is needed: nothing says where it is otherwise")
	}
	return nil
}

// PromiseRequired reports whether a key is worth nothing without a written
// promise to deduplicate by it.
func (c *Config) PromiseRequired() bool {
	return c.Contracts == "required" || c.Contracts == "" && c.Preset == "guide"
}

func (s *System) check() error {
	switch m := s.Match; {
	case len(m.Hosts)+len(m.Imports)+len(m.Types) == 0:
		return errors.New("match needs hosts, imports or types: nothing says which requests go there")
	case s.Dedup == "promised" && s.Contract == "":
		return errors.New("dedup promised needs contract: say where the promise is written")
	case s.Dedup != "promised" && s.Contract != "":
		return errors.New("contract needs dedup promised: it says where that is written")
	}
	return nil
}

// check reports what two systems claim: a request goes to one.
func (all *Systems) check() error {
	claims := map[string]string{}
	for _, name := range sortedKeys(*all) {
		m := (*all)[name].Match
		for _, claim := range slices.Concat(texts(m.Hosts), texts(m.Imports), texts(m.Types)) {
			if other, taken := claims[claim]; taken && other != name {
				return fmt.Errorf("%s matches both %s and %s", claim, other, name)
			}
			claims[claim] = name
		}
	}
	return nil
}

func (c *Carriers) check() error {
	for _, h := range c.Keys {
		if slices.Contains(c.Correlation, h) {
			return fmt.Errorf("%s is in keys and in correlation", h)
		}
	}
	return nil
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

// A Preset names a column of severities.
type Preset string

// Words are the values that there are, the default first.
func (Preset) Words() []string { return rules.Presets() }

func (p *Preset) UnmarshalText(text []byte) error { return word(p, p.Words(), text) }

// Contracts says whether promises are required. The zero value leaves it to the
// preset.
type Contracts string

func (Contracts) Words() []string { return []string{"optional", "required"} }

func (c *Contracts) UnmarshalText(text []byte) error { return word(c, c.Words(), text) }

// Dedup says what a system does with a key that it has seen.
type Dedup string

func (Dedup) Words() []string { return []string{"unknown", "promised", "none"} }

func (d *Dedup) UnmarshalText(text []byte) error { return word(d, d.Words(), text) }

// word sets a value that is one of a few words.
func word[T ~string](into *T, words []string, text []byte) error {
	if !slices.Contains(words, string(text)) {
		return proposing(fmt.Errorf("%q is none of %s", text, strings.Join(words, ", ")), string(text), words)
	}
	*into = T(text)
	return nil
}

// proposing adds the candidate that is nearest to what was written.
func proposing(err error, written string, candidates []string) error {
	if near := rules.Nearest(written, candidates); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}

// A Rule is the full id of a rule. It is written by any of its names.
type Rule string

func (r *Rule) UnmarshalText(text []byte) error {
	rule, err := rules.Find(string(text))
	if err == nil {
		*r = Rule(rule.ID)
	}
	return err
}
