package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
	"elapsed_rule":  "rule",     // before, after, truncate, cut
	"deadline":      "duration", // of a context: it ends with what runs under it
	"cap":           "cap",      // max bounds the wait before or after jitter
	"cap_ends":      "bool",     // reaching max ends the retries
	"timeout":       "duration", // of one attempt
	"predicate":     "predicate",
	"context":       "any",
	"breaker":       "bool",    // a client asks a breaker before each attempt
	"retry_after":   "bool",    // a Retry-After answer replaces the wait
	"methods":       "methods", // of requests that are sent again: GET,PUT or all
	"apply":         "value",   // another value of the library, applied on top
}

// words are the literals that a setting of an enumerated kind takes.
var words = map[string][]string{
	"shape":  {"none", "constant", "linear", "exponential", "fibonacci", "custom"},
	"jitter": {"none", "additive", "spread", "factor", "fraction", "half", "full"},
	"rule":   {"before", "after", "truncate", "cut"},
	"cap":    {"before-jitter", "after-jitter", "none"}, // none: max only feeds the formula
	"bool":   {"true", "false"},
	// transport: any failure to get an answer, no answer whatever its status.
	// transient: only what may pass by itself. status:429,500-599 lists the
	// answers that are tried again, and says nothing of errors.
	"predicate": {"catch-all", "opt-in", "opt-out", "caller", "custom", "transport", "transient"},
}

// An Expr says where a setting's value comes from. Exactly one of Literal, Var, Arg,
// Rest, Receiver and Self is in use.
type Expr struct {
	Literal string
	Arg     *int   `yaml:"arg"`
	Rest    *int   `yaml:"rest"`
	Self    bool   `yaml:"self"`
	Field   string `yaml:"field"` // of the struct argument
	// Var is a variable of the library's package that programs may write to, and
	// Is the literal that it holds when they do not.
	Var string `yaml:"var"`
	Is  string `yaml:"is"`

	Len      bool   `yaml:"len"`      // the number of elements, not the list
	Counts   string `yaml:"counts"`   // attempts (default) or retries
	Unit     string `yaml:"unit"`     // of a plain number used as duration: ns, ms, s
	Zero     string `yaml:"zero"`     // what 0 means: a literal, or "ignored"
	Negative string `yaml:"negative"` // what less than 0 means
	Plus     int    `yaml:"plus"`     // added to a count
	Most     int    `yaml:"most"`     // a larger count is this one
	Scale    string `yaml:"scale"`    // factor on a share: percent
	// Affects lists the settings that become unknown when an applied value is
	// not seen through; all of them when empty.
	Affects []string `yaml:"affects"`
	// True, False and Nil say what a constant true or false, or a nil, sets instead of itself.
	True  string `yaml:"true"`
	False string `yaml:"false"`
	Nil   string `yaml:"nil"`
	// Adds marks a predicate that is asked beside others: what one does not let
	// through to another attempt, another may.
	Adds bool `yaml:"adds"`
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
	if e.Arg == nil && e.Rest == nil && e.Field == "" && e.Var == "" {
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
	for _, name := range sortedKeys(s) {
		if err := checkSetting(name, s[name]); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return nil
}

func checkSetting(name string, e Expr) error {
	kind, ok := settings[name]
	if !ok {
		return fmt.Errorf("%q is no setting of a policy (there are %s)", name, strings.Join(sortedKeys(settings), ", "))
	}
	for _, lit := range []string{e.Literal, e.Is, e.Zero, e.Negative, e.True, e.False, e.Nil} {
		if err := checkLiteral(kind, lit); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if e.Literal == "ignored" {
		return fmt.Errorf("%s: only zero, negative and nil can be ignored", name)
	}
	if e.Counts != "" && e.Counts != "attempts" && e.Counts != "retries" {
		return fmt.Errorf("%s: counts is %q, not attempts or retries", name, e.Counts)
	}
	if e.Unit != "" && !slices.Contains([]string{"ns", "ms", "s"}, e.Unit) {
		return fmt.Errorf("%s: unit is %q, not ns, ms or s", name, e.Unit)
	}
	if e.Scale != "" && e.Scale != "percent" {
		return fmt.Errorf("%s: scale is %q, not percent", name, e.Scale)
	}
	if (e.Var == "") != (e.Is == "") {
		return fmt.Errorf("%s: var and is belong together", name)
	}
	return checkAffects(e.Affects)
}

// checkAffects reports the first name that is no setting.
func checkAffects(names []string) error {
	for _, a := range names {
		if settings[a] == "" {
			return fmt.Errorf("affects: %q is no setting of a policy", a)
		}
	}
	return nil
}

// IsWord reports whether a setting can be the word, rather than a number.
func IsWord(setting, word string) bool {
	return slices.Contains(words[settings[setting]], word) || settings[setting] == "count" && (word == "unbounded" || word == "never")
}

// checkLiteral reports whether a setting of the kind can have the value lit.
func checkLiteral(kind, lit string) error {
	if lit == "" || lit == "ignored" {
		return nil
	}
	if allowed := words[kind]; allowed != nil {
		if slices.Contains(allowed, lit) {
			return nil
		}
		if list, ok := strings.CutPrefix(lit, "status:"); ok && kind == "predicate" {
			return checkStatuses(list)
		}
		return fmt.Errorf("%q is none of %s", lit, strings.Join(allowed, ", "))
	}
	ok := true
	switch kind {
	case "count":
		n, err := strconv.Atoi(lit)
		ok = err == nil && n > 0 || lit == "unbounded" || lit == "never" || lit == "context"
	case "duration":
		_, err := time.ParseDuration(lit)
		ok = err == nil && lit != "0" || lit == "uncapped"
	case "number":
		_, err := strconv.ParseFloat(lit, 64)
		ok = err == nil
	case "amount":
		_, isShare := strconv.ParseFloat(lit, 64)
		_, isTime := time.ParseDuration(lit)
		ok = isShare == nil || isTime == nil
	case "methods":
		ok = lit == "all" || lit == strings.ToUpper(lit)
	case "formula":
		return checkFormula(lit)
	}
	if !ok {
		return fmt.Errorf("%q is no %s", lit, kind)
	}
	return nil
}

// checkStatuses reports whether list is like 429,500-599.
func checkStatuses(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(item, "-")
		a, err := strconv.Atoi(from)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(to)
		}
		if err != nil || a < 100 || b > 599 || b < a {
			return fmt.Errorf("%q is no status or range of statuses", item)
		}
	}
	return nil
}

// Names lists the settings in a fixed order, apply last.
func (s Sets) Names() []string {
	names := sortedKeys(s)
	if i := slices.Index(names, "apply"); i >= 0 {
		names = append(slices.Delete(names, i, i+1), "apply")
	}
	return names
}

// PolicySettings lists the settings that a policy has.
func PolicySettings() []string {
	names := sortedKeys(settings)
	return slices.DeleteFunc(names, func(n string) bool { return n == "apply" })
}
