package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/vettool"
)

// vet runs go vet with this very program as its tool.
func vet(inv *invocation) (int, error) {
	file, err := inv.file()
	if err != nil {
		return statusUsage, err // once, not once per package
	}
	self, err := os.Executable()
	if err != nil {
		return statusUsage, err
	}
	args := []string{"vet", "-vettool=" + self}
	inv.set.Visit(func(f *flag.Flag) {
		if f.Name != "C" && f.Name != "config" {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	switch given := inv.settings.config; {
	case given == off:
		args = append(args, "-config="+off)
	case given != "":
		path, err := filepath.Abs(file.Path)
		if err != nil {
			return statusUsage, err
		}
		args = append(args, "-config="+path, "-config-sum="+file.Sum)
	}
	patterns := inv.args
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	// The go command would print more than the line that tells, and exit with 1.
	err = driver.Match(context.Background(), driver.Config{Dir: inv.dir, Patterns: patterns, Tags: inv.tags})
	if err != nil {
		return statusUsage, err
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
	var s settings
	tool := vettool.Tool{
		Flags: func(fs *flag.FlagSet) {
			s.register(fs)
			fs.StringVar(&s.sum, "config-sum", s.sum, "the SHA-256 of the file that -config names")
		},
		Root: func(dir string) (*analysis.Analyzer, error) {
			file, err := s.unit(dir)
			if err != nil {
				return nil, err
			}
			return analyzers.New(file.Config), nil
		},
		Configuration: configuration,
		Known:         known,
	}
	return tool.Main(args, stdout, stderr)
}
