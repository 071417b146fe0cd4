package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

// settings are the flags that say what to judge and how: the same for a check
// and for go vet.
type settings struct {
	preset, minSeverity, only, disable string
}

func defaultSettings() settings {
	cfg := engine.DefaultConfig()
	return settings{preset: cfg.Preset, minSeverity: cfg.MinSeverity.String()}
}

func (s *settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.preset, "preset", s.preset, "the severities to use, by `name`: "+strings.Join(rules.Presets(), ", "))
	fs.StringVar(&s.minSeverity, "min-severity", s.minSeverity, "the least `severity` to print: note, warning, error")
	fs.StringVar(&s.only, "only", s.only, "comma-separated `rules` to check, by id, short id or alias")
	fs.StringVar(&s.disable, "disable", s.disable, "comma-separated `rules` to leave out")
}

// config is what the settings mean.
func (s *settings) config() (engine.Config, error) {
	cfg := engine.DefaultConfig()
	if !slices.Contains(rules.Presets(), s.preset) {
		err := fmt.Errorf("preset %q is none of %s", s.preset, strings.Join(rules.Presets(), ", "))
		if near := rules.Nearest(s.preset, rules.Presets()); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return cfg, err
	}
	cfg.Preset = s.preset
	var err error
	if cfg.MinSeverity, err = finding.ParseSeverity(s.minSeverity); err != nil {
		return cfg, fmt.Errorf("-min-severity: %w", err)
	}
	if cfg.Only, err = ruleIDs(s.only); err != nil {
		return cfg, fmt.Errorf("-only: %w", err)
	}
	if cfg.Disable, err = ruleIDs(s.disable); err != nil {
		return cfg, fmt.Errorf("-disable: %w", err)
	}
	return cfg, nil
}

// ruleIDs reads a list of rules by any of their names.
func ruleIDs(list string) ([]string, error) {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		rule, err := rules.Find(name)
		if err != nil {
			return nil, err
		}
		out = append(out, rule.ID)
	}
	return out, nil
}
