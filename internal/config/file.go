package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a configuration with its origin.
type File struct {
	Config
	Path  string         // "" when there is none
	Sum   string         // SHA-256 of its content
	Lines map[string]int // of the keys that it has
}

// Load reads the file with the path; "" means none.
func Load(path string) (*File, error) {
	f := &File{Config: Default(), Path: path}
	if path == "" {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, fmt.Errorf("%s: %w", Shown(path), err)
	}
	f.Sum = Sum(data)
	f.Lines, err = f.over(Shown(path), data)
	return f, err
}

// Parse reads a document over what c says. Name is how errors call it.
func (c *Config) Parse(name string, data []byte) error {
	_, err := c.over(name, data)
	return err
}

func (c *Config) over(name string, data []byte) (map[string]int, error) {
	lines, err := decode(c, data)
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.File = name
	}
	return lines, err
}

// Sum tells contents of files apart.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Find returns the path of the file that is in force for a directory: in the
// directory of its workspace, else of its module, or the nearest above that, but
// not above the repository. It is "" when there is none.
//
// It starts at the root, not at the directory, so that all packages of a module
// are judged alike, wherever a driver runs.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for dir = Root(dir); ; dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, Name); isFile(path) {
			return path, nil
		}
		if exists(filepath.Join(dir, ".git")) || dir == filepath.Dir(dir) {
			return "", nil
		}
	}
}

// Root is the directory of the workspace that dir is in, else of its module,
// else dir itself.
func Root(dir string) string {
	module, workspace := "", ""
	for d := dir; ; d = filepath.Dir(d) {
		if module == "" && isFile(filepath.Join(d, "go.mod")) {
			module = d
		}
		if workspace == "" && isFile(filepath.Join(d, "go.work")) {
			workspace = d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	switch gowork := os.Getenv("GOWORK"); {
	case gowork == "off":
		workspace = ""
	case gowork != "":
		workspace = filepath.Dir(gowork)
	}
	switch {
	case workspace != "":
		return workspace
	case module != "":
		return module
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Shown is a path as messages name it: from the current directory, when it is
// below it.
func Shown(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(wd, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}
