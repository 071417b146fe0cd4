// Package plugin makes resilint a linter of golangci-lint, by its module plugin
// system: see .golangci.example.yml and .custom-gcl.example.yml at the root of
// the module.
package plugin

import (
	"errors"
	"fmt"
	"maps"

	"github.com/golangci/plugin-module-register/register"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/config"
)

func init() { register.Plugin("resilint", New) }

// New returns the linter with the settings of golangci-lint's configuration. A
// setting that does not exist, or a value that one cannot have, is an error.
func New(raw any) (register.LinterPlugin, error) {
	cfg, err := decode(raw)
	if err != nil {
		var wrong *config.Error
		if errors.As(err, &wrong) && wrong.File == "" {
			err = errors.New(wrong.Message) // the line is none that the user wrote
		}
		return nil, fmt.Errorf("settings of resilint: %w", err)
	}
	return &linter{cfg}, nil
}

// decode reads the settings: those of .resilint.yml, and two more. Config names
// a file that they are laid over. RulesVersion changes nothing here:
// golangci-lint keeps results by the settings, and not by the version of a
// plugin or by the content of that file: who changes one of these changes this
// value, and old results are not shown again.
func decode(raw any) (config.Config, error) {
	inline, ok := raw.(map[string]any)
	if !ok && raw != nil {
		return config.Config{}, fmt.Errorf("a mapping is needed, not %T", raw)
	}
	inline = maps.Clone(inline)
	path, err := text(inline, "config")
	if err != nil {
		return config.Config{}, err
	}
	if _, err := text(inline, "rules-version"); err != nil {
		return config.Config{}, err
	}
	file, err := config.Load(path)
	if err != nil {
		return config.Config{}, err
	}
	data, err := yaml.Marshal(inline)
	if err != nil {
		return config.Config{}, err
	}
	err = file.Parse("", data)
	return file.Config, err
}

// text takes a string out of the settings.
func text(settings map[string]any, key string) (string, error) {
	val, ok := settings[key]
	delete(settings, key)
	s, isText := val.(string)
	if ok && !isText {
		return "", fmt.Errorf("%s: a text is needed, not %v", key, val)
	}
	return s, nil
}

type linter struct{ config config.Config }

// BuildAnalyzers returns the one analyzer that runs all rules.
func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzers.New(l.config)}, nil
}

// GetLoadMode says that the analyzer needs types.
func (*linter) GetLoadMode() string { return register.LoadModeTypesInfo }
