// Package plugin makes resilint a linter of golangci-lint, by its module plugin
// system: see .golangci.example.yml and .custom-gcl.example.yml at the root of
// the module.
package plugin

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/rules"
)

func init() { register.Plugin("resilint", New) }

// settings are those of linters.settings.custom.resilint.settings.
type settings struct {
	engine.Settings
	// RulesVersion changes nothing here. golangci-lint keeps results by the
	// settings and not by the version of a plugin: who upgrades the plugin
	// changes this value, and old results are not shown again.
	RulesVersion string `json:"rules-version"`
}

// keys are the names of the settings.
var keys = []string{"preset", "min-severity", "only", "disable", "rules-version"}

// New returns the linter with the settings of golangci-lint's configuration. A
// setting that does not exist, or a value that one cannot have, is an error.
func New(raw any) (register.LinterPlugin, error) {
	s, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("settings of resilint: %w", err)
	}
	cfg, err := s.Config()
	if err != nil {
		return nil, fmt.Errorf("settings of resilint: %w", err)
	}
	return &linter{cfg}, nil
}

// decode reads the settings from what YAML or TOML came to. Names are compared
// exactly, which encoding/json does not do.
func decode(raw any) (settings, error) {
	var s settings
	if raw == nil {
		return s, nil
	}
	m, ok := raw.(map[string]any)
	if !ok {
		return s, fmt.Errorf("a mapping is needed, not %T", raw)
	}
	for _, key := range sortedKeys(m) {
		if slices.Contains(keys, key) {
			continue
		}
		err := fmt.Errorf("there is no setting %q", key)
		if near := rules.Nearest(key, keys); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return s, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

func sortedKeys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

type linter struct{ config engine.Config }

// BuildAnalyzers returns the one analyzer that runs all rules.
func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzers.New(l.config)}, nil
}

// GetLoadMode says that the analyzer needs types.
func (*linter) GetLoadMode() string { return register.LoadModeTypesInfo }
