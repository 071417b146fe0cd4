package model

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Sets maps settings of a policy to where their values come from. In YAML a
// plain word is short for "the value at hand sets this": `InitialInterval:
// initial`.
type Sets map[string]Expr

// Settings are the fields of a policy that a model can set, with what they
// hold.
var settings = map[string]string{
	"attempts":      "count",    // attempts, the first included
	"backoff":       "shape",    // none, constant, linear, exponential, fibonacci, custom
	"delay":         "formula",  // the n-th wait, n from 0, when the shape's own formula is not it
	"initial":       "duration", // the first wait
	"max":           "duration", // no wait is longer
	"step":          "duration", // what a linear backoff adds, or an adjustment
	"multiplier":    "number",
	"jitter":        "jitter", // none, additive, spread, factor, fraction, half, full
	"jitter_amount": "amount", // a duration, or a share of the wait
	"jitter_from":   "duration",
	"delays":        "list",     // explicit waits, one per retry
	"repeat_last":   "bool",     // after the list the last wait repeats
	"elapsed":       "duration", // no retry after this time
	"elapsed_rule":  "rule",     // before, after, truncate
	"cap":           "cap",      // max bounds the wait before or after jitter
	"cap_ends":      "bool",     // reaching max ends the retries
	"timeout":       "duration", // of one attempt
	"predicate":     "predicate",
	"context":       "any",
	"retry_after":   "bool", // a Retry-After answer replaces the wait
	"methods":       "list of methods",
	"apply":         "value", // another value of the library, applied on top
}

// words are the literals that a setting of an enumerated kind takes.
var words = map[string][]string{
	"shape":     {"none", "constant", "linear", "exponential", "fibonacci", "custom"},
	"jitter":    {"none", "additive", "spread", "factor", "fraction", "half", "full"},
	"rule":      {"before", "after", "truncate"},
	"cap":       {"before-jitter", "after-jitter"},
	"bool":      {"true", "false"},
	"predicate": {"catch-all", "opt-in", "opt-out", "caller", "custom"},
}

// An Expr says where a setting's value comes from. Exactly one of Literal, Arg,
// Rest, Receiver and Self is in use.
type Expr struct {
	Literal string
	Arg     *int   `yaml:"arg"`
	Rest    *int   `yaml:"rest"`
	Self    bool   `yaml:"self"`
	Field   string `yaml:"field"` // of the struct argument

	Len      bool   `yaml:"len"`      // the number of elements, not the list
	Counts   string `yaml:"counts"`   // attempts (default) or retries
	Unit     string `yaml:"unit"`     // of a plain number used as duration: ms, s
	Zero     string `yaml:"zero"`     // what 0 means: a literal, or "ignored"
	Negative string `yaml:"negative"` // what less than 0 means
	Plus     int    `yaml:"plus"`     // added to a count
	Scale    string `yaml:"scale"`    // factor on a share: percent
	// Affects lists the settings that become unknown when an applied value is
	// not seen through; all of them when empty.
	Affects []string `yaml:"affects"`
	// True, False and Nil say what a constant true or false, or a nil, sets instead of itself.
	True  string `yaml:"true"`
	False string `yaml:"false"`
	Nil   string `yaml:"nil"`
}

// UnmarshalYAML accepts a literal or a mapping.
func (e *Expr) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		e.Literal = node.Value
		return nil
	}
	type plain Expr
	if err := strictKeys(node, plain{}); err != nil {
		return err
	}
	if err := node.Decode((*plain)(e)); err != nil {
		return err
	}
	if e.Arg == nil && e.Rest == nil && e.Field == "" {
		e.Self = true
	}
	return nil
}

// UnmarshalYAML accepts a mapping or the name of one setting.
func (s *Sets) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*s = Sets{node.Value: {Self: true}}
		return (*s).check(node.Line)
	}
	m := map[string]Expr{}
	if err := node.Decode(&m); err != nil {
		return err
	}
	*s = m
	return s.check(node.Line)
}

func (s Sets) check(line int) error {
	for name, e := range s {
		kind, ok := settings[name]
		if !ok {
			return fmt.Errorf("line %d: %q is no setting of a policy (there are %s)", line, name, strings.Join(sortedKeys(settings), ", "))
		}
		if allowed := words[kind]; allowed != nil && e.Literal != "" && !slices.Contains(allowed, e.Literal) && !strings.HasPrefix(e.Literal, "status:") {
			return fmt.Errorf("line %d: %s: %q is none of %s", line, name, e.Literal, strings.Join(allowed, ", "))
		}
		if e.Counts != "" && e.Counts != "attempts" && e.Counts != "retries" {
			return fmt.Errorf("line %d: %s: counts is %q, not attempts or retries", line, name, e.Counts)
		}
	}
	return nil
}
