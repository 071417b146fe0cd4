// Package engine ties the rooms together for one configuration: the summary
// and site analyzers that all rules share.
package engine

import (
	"slices"

	"github.com/resilint/resilint/internal/finding"
)

// Config is what the judgement of sites depends on. Facts do not depend on it.
type Config struct {
	Preset      string           // recommended (default) or guide
	MinSeverity finding.Severity // what is printed; DefaultConfig says warning
	Only        []string         // full ids; empty means all
	Disable     []string         // full ids
	Strict      bool             // not provable is a note
}

// DefaultConfig is the configuration of a code base that has none.
func DefaultConfig() Config {
	return Config{Preset: "recommended", MinSeverity: finding.Warning}
}

// Enabled reports whether findings of the rule are wanted.
func (c Config) Enabled(rule string) bool {
	if len(c.Only) > 0 && !slices.Contains(c.Only, rule) {
		return false
	}
	return !slices.Contains(c.Disable, rule)
}
