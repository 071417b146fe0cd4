package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

// Settings are a Config as users write it: in flags, or in the settings of
// another tool. What is empty has its default.
type Settings struct {
	Preset      string   `json:"preset"`       // the severities to use: recommended, guide
	MinSeverity string   `json:"min-severity"` // the least severity to print: note, warning, error
	Only        []string `json:"only"`         // the rules to check, by id, short id or alias; all when empty
	Disable     []string `json:"disable"`      // the rules to leave out
}

// Config is what the settings mean. An error starts with the name of the
// setting.
func (s Settings) Config() (Config, error) {
	cfg := DefaultConfig()
	if s.Preset != "" {
		if !slices.Contains(rules.Presets(), s.Preset) {
			err := fmt.Errorf("preset: %q is none of %s", s.Preset, strings.Join(rules.Presets(), ", "))
			if near := rules.Nearest(s.Preset, rules.Presets()); near != "" {
				err = fmt.Errorf("%w; did you mean %s?", err, near)
			}
			return cfg, err
		}
		cfg.Preset = s.Preset
	}
	var err error
	if s.MinSeverity != "" {
		if cfg.MinSeverity, err = finding.ParseSeverity(s.MinSeverity); err != nil {
			return cfg, fmt.Errorf("min-severity: %w", err)
		}
	}
	if cfg.Only, err = ruleIDs(s.Only); err != nil {
		return cfg, fmt.Errorf("only: %w", err)
	}
	if cfg.Disable, err = ruleIDs(s.Disable); err != nil {
		return cfg, fmt.Errorf("disable: %w", err)
	}
	return cfg, nil
}

// ruleIDs reads a list of rules by any of their names.
func ruleIDs(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		rule, err := rules.Find(name)
		if err != nil {
			return nil, err
		}
		out = append(out, rule.ID)
	}
	return out, nil
}
