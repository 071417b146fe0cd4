package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/vettool"
)

// vet runs go vet with this very program as its tool.
func vet(inv *invocation) (int, error) {
	if _, err := inv.settings.config(); err != nil {
		return statusUsage, err // once, not once per package
	}
	self, err := os.Executable()
	if err != nil {
		return statusUsage, err
	}
	args := []string{"vet", "-vettool=" + self}
	inv.set.Visit(func(f *flag.Flag) {
		if f.Name != "C" {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	patterns := inv.args
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	cmd := exec.Command("go", append(args, patterns...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = inv.dir, os.Stdin, inv.stdout, inv.stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return statusClean, nil
	case errors.Is(err, exec.ErrNotFound):
		return statusUsage, errors.New("there is no go command in PATH")
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	}
	return statusUsage, err
}

// asVettool serves go vet.
func asVettool(args []string, stdout, stderr io.Writer) int {
	s := defaultSettings()
	tool := vettool.Tool{
		Flags: s.register,
		Root: func() (*analysis.Analyzer, error) {
			cfg, err := s.config()
			if err != nil {
				return nil, err
			}
			return analyzers.New(cfg), nil
		},
		Modelled: analyzers.Modelled,
	}
	return tool.Main(args, stdout, stderr)
}
