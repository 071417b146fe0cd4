package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/baseline"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
)

// since marks the findings of a report that a commit has already: those with the
// fingerprints that the packages with findings have there. The commit is laid
// out in a directory of its own, and nothing in the repository is touched.
func (inv *invocation) since(r *report.Report, cfg config.Config) error {
	commit, err := git(inv.dir, "", "rev-parse", "--verify", "--quiet", "--end-of-options", inv.newFrom+"^{commit}")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("-new-from: there is no git command in PATH")
		}
		if _, err := git(inv.dir, "", "rev-parse", "--git-dir"); err != nil {
			return errors.New("-new-from: this is no git repository")
		}
		return fmt.Errorf("-new-from: there is no commit %s", inv.newFrom)
	}
	if r.Repo == "" {
		return errors.New("-new-from: this is no git repository")
	}
	dir, err := os.MkdirTemp("", "resilint-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if err := layOut(strings.TrimSpace(commit), r.Repo, dir); err != nil {
		return fmt.Errorf("-new-from: %w", err)
	}
	there := filepath.Join(dir, filepath.FromSlash(report.Rel(r.Repo, r.Base)))
	patterns := packagesThere(r, there)
	if len(patterns) == 0 {
		return nil // all of them are new
	}
	old := *inv
	old.dir, old.args, old.quiet = there, patterns, true
	was, err := old.analyze(cfg)
	if err != nil {
		return fmt.Errorf("-new-from: at %s: %w", inv.newFrom, err)
	}
	was.Findings = slices.DeleteFunc(was.Findings, func(f finding.Finding) bool { return f.Status == finding.Suppressed })
	was.Floor = finding.Note
	baseline.Of(was).Apply(r, "older than "+inv.newFrom, func(_, _ string) bool { return true })
	for _, n := range was.NotLoaded {
		fmt.Fprintf(inv.stderr, "resilint: -new-from: %s does not load at %s: all its findings count as new\n", n.Package, inv.newFrom)
	}
	return nil
}

// packagesThere are the directories with findings that exist in another layout
// of the code, as patterns.
func packagesThere(r *report.Report, there string) []string {
	var out []string
	for _, f := range r.Findings {
		dir := report.Rel(r.Base, filepath.Dir(f.Pos.File))
		if !filepath.IsLocal(filepath.FromSlash(dir)) {
			continue
		}
		if files, err := filepath.Glob(filepath.Join(there, filepath.FromSlash(dir), "*.go")); err == nil && len(files) > 0 {
			out = append(out, "./"+dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// layOut writes the files of a commit below a directory, by an index of its own.
func layOut(commit, repo, dir string) error {
	index := "GIT_INDEX_FILE=" + filepath.Join(dir, ".git-index")
	if _, err := git(repo, index, "read-tree", commit); err != nil {
		return err
	}
	_, err := git(repo, index, "checkout-index", "--all", "--prefix="+filepath.ToSlash(dir)+"/")
	return err
}

// git runs a git command in a directory, with one more variable in its
// environment unless that is empty. An error holds the first line of what it says.
func git(dir, variable string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if variable != "" {
		cmd.Env = append(os.Environ(), variable)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		err = fmt.Errorf("git %s: %s", args[0], line)
	}
	return string(out), err
}
