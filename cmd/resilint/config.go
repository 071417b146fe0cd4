package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/resilint/resilint/internal/config"
)

// showConfig prints the configuration in force.
func showConfig(inv *invocation) (int, error) {
	if len(inv.args) > 0 {
		return statusUsage, errors.New("config takes no arguments; -C names a directory")
	}
	file, err := inv.file()
	if err != nil {
		return statusUsage, err
	}
	flags := map[string]bool{}
	inv.set.Visit(func(f *flag.Flag) { flags[f.Name] = true })
	return statusClean, file.Write(inv.stdout, func(key string) string {
		if flags[key] {
			return "-" + key
		}
		return file.Origin(key)
	})
}

// initConfig writes a file to start from.
func initConfig(inv *invocation) (int, error) {
	if len(inv.args) > 0 {
		return statusUsage, errors.New("init takes no arguments; -C names a directory")
	}
	dir, err := filepath.Abs(inv.dir)
	if err != nil {
		return statusUsage, err
	}
	path := filepath.Join(config.Root(dir), config.Name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return statusUsage, fmt.Errorf("there is %s already", config.Shown(path))
	}
	if err != nil {
		return statusUsage, err
	}
	if _, err := f.WriteString(config.Start()); err != nil {
		return statusUsage, errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return statusUsage, err
	}
	_, err = fmt.Fprintf(inv.stdout, "wrote %s\n", config.Shown(path))
	return statusClean, err
}
