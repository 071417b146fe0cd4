package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/resilint/resilint/internal/engine"
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
	cfg, err := engine.Settings{
		Preset: s.preset, MinSeverity: s.minSeverity, Only: fields(s.only), Disable: fields(s.disable),
	}.Config()
	if err != nil {
		return cfg, fmt.Errorf("-%w", err) // the flags have the settings' names
	}
	return cfg, nil
}

// fields are the elements of a comma-separated list that are not empty.
func fields(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}
