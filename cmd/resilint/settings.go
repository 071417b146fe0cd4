package main

import (
	"encoding"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/rules"
)

// settings are the flags that say what to judge and how: the same for a check
// and for go vet. What is empty is left to the configuration file.
type settings struct {
	config, preset, minSeverity, only, disable string
	// sum is the content of the file that config names, by which the go command
	// tells verdicts apart. It is a flag of go vet's tool alone.
	sum string
}

// off is the -config of those who want none.
const off = "off"

func (s *settings) register(fs *flag.FlagSet) {
	defaults := config.Default()
	fs.StringVar(&s.config, "config", s.config, "the configuration `file`, or off (default the module's "+config.Name+")")
	fs.StringVar(&s.preset, "preset", s.preset, fmt.Sprintf("the severities to use, by `name`: %s (default %s)", strings.Join(rules.Presets(), ", "), defaults.Preset))
	fs.StringVar(&s.minSeverity, "min-severity", s.minSeverity, fmt.Sprintf("the least `severity` to print: note, warning, error (default %s)", defaults.MinSeverity))
	fs.StringVar(&s.only, "only", s.only, "comma-separated `rules` to check, by id, short id or alias")
	fs.StringVar(&s.disable, "disable", s.disable, "comma-separated `rules` to leave out")
}

// over lays the flags over a configuration. They have the names of its keys.
func (s *settings) over(cfg *config.Config) error {
	read := func(name, text string, into encoding.TextUnmarshaler) error {
		if text == "" {
			return nil
		}
		if err := into.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("-%s: %w", name, err)
		}
		return nil
	}
	list := func(name, text string, into *[]config.Rule) error {
		var out []config.Rule
		for _, field := range fields(text) {
			var r config.Rule
			if err := read(name, field, &r); err != nil {
				return err
			}
			out = append(out, r)
		}
		if out != nil {
			*into = out
		}
		return nil
	}
	for _, err := range []error{
		read("preset", s.preset, &cfg.Preset),
		read("min-severity", s.minSeverity, &cfg.MinSeverity),
		list("only", s.only, &cfg.Only),
		list("disable", s.disable, &cfg.Disable),
	} {
		if err != nil {
			return err
		}
	}
	return nil
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

// load reads the configuration for a directory, with the flags on top.
func (s *settings) load(dir string) (*config.File, error) {
	path, err := s.path(dir)
	if err != nil {
		return nil, err
	}
	file, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	return file, s.over(&file.Config)
}

// path is where the configuration is, "" for nowhere.
func (s *settings) path(dir string) (string, error) {
	switch {
	case s.config == off:
		return "", nil
	case s.config == "":
		return config.Find(dir)
	case filepath.IsAbs(s.config):
		return s.config, nil
	}
	return filepath.Join(dir, s.config), nil
}

// unit reads the configuration for a unit of go vet. The go command keeps
// verdicts by the flags, not by files that they name: so the sum of the file's
// content is a flag, too.
func (s *settings) unit(dir string) (*config.File, error) {
	if dir == "" { // others' code is not for users to configure
		return config.Load("")
	}
	file, err := s.load(dir)
	if err != nil || s.config == "" || s.config == off {
		return file, err
	}
	switch {
	case s.sum == "":
		return nil, errors.New("-config needs -config-sum, the SHA-256 of the file: go vet keeps verdicts by flags; resilint vet adds it")
	case s.sum != file.Sum:
		return nil, fmt.Errorf("-config-sum is not that of %s, which is %s", s.config, file.Sum)
	}
	return file, nil
}

// configuration is the content of the file in force where the program runs.
func configuration() ([]byte, error) {
	path, err := config.Find(".")
	if err != nil || path == "" {
		return nil, err
	}
	return os.ReadFile(path)
}

// file is the configuration of a command, with its origin.
func (inv *invocation) file() (*config.File, error) {
	if inv.dir != "" {
		if info, err := os.Stat(inv.dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("-C: there is no directory %s", inv.dir)
		}
	}
	return inv.settings.load(inv.dir)
}

func (inv *invocation) config() (config.Config, error) {
	file, err := inv.file()
	if err != nil {
		return config.Config{}, err
	}
	return file.Config, nil
}
