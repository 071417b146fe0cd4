package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/pass"
	"github.com/resilint/resilint/internal/report"
)

// check reports findings.
func check(inv *invocation) (int, error) {
	outputs, err := inv.outputs(report.Formats())
	if err != nil {
		return statusUsage, err
	}
	cfg, err := inv.config()
	if err != nil {
		return statusUsage, err
	}
	failOn, never := cfg.MinSeverity, inv.failOn == "never"
	if inv.failOn != "" && !never {
		if failOn, err = finding.ParseSeverity(inv.failOn); err != nil {
			return statusUsage, fmt.Errorf("-fail-on: %w, never", err)
		}
	}
	known, path, err := inv.readBaseline()
	if err != nil {
		return statusUsage, err
	}
	r, err := inv.analyze(cfg)
	if err != nil {
		return statusUsage, err
	}
	if path != "" {
		stale := known.Apply(r, "in "+filepath.Base(path), cfg.Enabled)
		inv.tellStale(path, stale)
	}
	if inv.newFrom != "" {
		if err := inv.since(r, cfg); err != nil {
			return statusUsage, err
		}
	}
	if err := inv.write(r, outputs); err != nil {
		return statusUsage, err
	}
	if path == "" && inv.newFrom == "" && inv.baseline == "" {
		inv.hint(r)
	}
	return checkStatus(r, failOn, never), nil
}

// many is more findings than anyone mends before the gate is closed.
const many = 20

// hint tells who meets a wall of findings on a terminal of the two ways to
// start from here.
func (inv *invocation) hint(r *report.Report) {
	if isTerminal(inv.stdout) && len(finding.Merge(r.Findings, r.Floor)) > many {
		fmt.Fprintln(inv.stdout, "to start from here: resilint baseline keeps these as known, and -new-from=REV tells only what is new since a commit")
	}
}

func checkStatus(r *report.Report, failOn finding.Severity, never bool) int {
	worst, any := r.Worst()
	switch {
	case r.Partial():
		return statusPartial
	case any && !never && worst >= failOn:
		return statusFindings
	}
	return statusClean
}

// sites lists the retries themselves.
func sites(inv *invocation) (int, error) {
	outputs, err := inv.outputs(report.SitesFormats(inv.unproved))
	if err != nil {
		return statusUsage, err
	}
	cfg, err := inv.config()
	if err != nil {
		return statusUsage, err
	}
	r, err := inv.analyze(cfg)
	if err != nil {
		return statusUsage, err
	}
	if err := inv.write(r, outputs); err != nil {
		return statusUsage, err
	}
	if r.Partial() {
		return statusPartial, nil
	}
	return statusClean, nil
}

// analyze runs the suite over the patterns. What could not be analysed is told
// on stderr at once, whatever the format.
func (inv *invocation) analyze(cfg config.Config) (*report.Report, error) {
	patterns := inv.args
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	res, err := driver.Run(context.Background(), driver.Config{
		Dir: inv.dir, Patterns: patterns, Tags: inv.tags,
		Root: analyzers.New(cfg), Known: known,
		Progress: progress(inv.stderr),
	})
	if err != nil {
		return nil, err
	}
	r := collect(res)
	r.ToolVersion, r.Preset, r.Floor, r.Color = toolVersion(), string(cfg.Preset), cfg.MinSeverity, wantsColor(inv.stdout)
	r.Repo, r.Rules = repository(r.Base), catalogue()
	if inv.quiet {
		return r, nil
	}
	for _, w := range res.Warnings {
		fmt.Fprintf(inv.stderr, "resilint: %s\n", w)
	}
	inv.tellFailures(r)
	return r, nil
}

// repository is the root of the repository that dir is in, or "".
func repository(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// progress tells on a terminal how far long work has come, on a line that is
// gone when the work is done. Elsewhere it is nil.
func progress(w io.Writer) func(done, total int) {
	if !isTerminal(w) {
		return nil
	}
	start := time.Now()
	shown := false
	return func(done, total int) {
		switch {
		case done < total && time.Since(start) > time.Second:
			shown = true
			fmt.Fprintf(w, "\r%d of %d packages", done, total)
		case done == total && shown:
			fmt.Fprint(w, "\r\x1b[K")
		}
	}
}

// collect makes one report of what the packages' analyses yield.
func collect(res *driver.Result) *report.Report {
	r := &report.Report{Base: res.Base, Modules: map[string]string{}, ModuleDirs: map[string]string{}, Packages: len(res.Packages), InternalErrors: res.FactErrors}
	for _, p := range res.Packages {
		r.Modules[p.Path] = p.Module
		r.ModuleDirs[p.Module] = p.ModuleDir
		for _, e := range p.Errors {
			r.InternalErrors = append(r.InternalErrors, p.Path+": "+e)
		}
		told, ok := p.Value.(*finding.Package)
		if !ok {
			continue // an internal error says why
		}
		r.Findings = append(r.Findings, told.Findings...)
		r.Sites = append(r.Sites, told.Sites...)
		for _, e := range told.InternalErrors {
			r.InternalErrors = append(r.InternalErrors, p.Path+": "+e)
		}
	}
	for _, f := range res.Failures {
		n := report.NotLoaded{Package: f.Package, Because: f.Because}
		for _, e := range f.Errors {
			out := report.Error{Line: e.Pos.Line, Column: e.Pos.Column, Message: e.Message}
			if e.Pos.File != "" {
				out.File = report.Rel(res.Base, e.Pos.File)
			}
			n.Errors = append(n.Errors, out)
		}
		r.NotLoaded = append(r.NotLoaded, n)
	}
	r.Sort()
	return r
}

// shownErrors is how many errors of a package are told.
const shownErrors = 3

// tellFailures names each package that did not load once, with its first
// errors, and once those that depend on it.
func (inv *invocation) tellFailures(r *report.Report) {
	because := map[string][]string{}
	for _, n := range r.NotLoaded {
		if n.Because != "" {
			because[n.Because] = append(because[n.Because], n.Package)
		}
	}
	for _, n := range r.NotLoaded {
		if n.Because != "" {
			continue
		}
		fmt.Fprintf(inv.stderr, "resilint: %s does not load:\n", n.Package)
		for i, e := range n.Errors {
			if i == shownErrors {
				fmt.Fprintf(inv.stderr, "\tand %d more\n", len(n.Errors)-i)
				break
			}
			fmt.Fprintf(inv.stderr, "\t%s\n", e)
		}
		if users := because[n.Package]; len(users) > 0 {
			fmt.Fprintf(inv.stderr, "\tnot analysed because of it: %s\n", strings.Join(users, ", "))
		}
	}
	for _, e := range r.InternalErrors {
		fmt.Fprintf(inv.stderr, "resilint: internal error: %s\n", e)
	}
}

// known chooses the dependencies that are read, in both drivers.
var known = pass.Knowledge{Modelled: analyzers.Modelled, Senders: analyzers.Senders, Skips: analyzers.Skips}
