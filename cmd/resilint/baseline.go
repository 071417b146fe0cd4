package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/resilint/resilint/internal/baseline"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/report"
)

// baselinePath is where the baseline is, "" for nowhere.
func (inv *invocation) baselinePath() (string, error) {
	switch inv.baseline {
	case off:
		return "", nil
	case "":
		dir, err := filepath.Abs(inv.dir)
		return filepath.Join(config.Root(dir), baseline.Name), err
	}
	return inv.at(inv.baseline), nil
}

// readBaseline returns what is known, and the path that it was read from; "" when
// there is none. One that was asked for has to be there.
func (inv *invocation) readBaseline() (*baseline.Baseline, string, error) {
	path, err := inv.baselinePath()
	if err != nil || path == "" {
		return &baseline.Baseline{}, "", err
	}
	b, err := baseline.Read(path, config.Shown(path))
	if errors.Is(err, fs.ErrNotExist) && inv.baseline == "" {
		return &baseline.Baseline{}, "", nil
	}
	return b, path, err
}

// shownStale is how many entries of findings that are gone are told.
const shownStale = 3

// tellStale names entries of the baseline that are not needed any more.
func (inv *invocation) tellStale(path string, stale []baseline.Entry) {
	if len(stale) == 0 {
		return
	}
	is := "1 finding of the baseline is gone"
	if len(stale) > 1 {
		is = fmt.Sprintf("%d findings of the baseline are gone", len(stale))
	}
	fmt.Fprintf(inv.stderr, "resilint: %s; resilint baseline -prune removes what is stale:\n", is)
	for i, e := range stale {
		if i == shownStale {
			fmt.Fprintf(inv.stderr, "\tand %d more\n", len(stale)-i)
			break
		}
		fmt.Fprintf(inv.stderr, "\t%s:%d: %s in %s (%s)\n", config.Shown(path), e.Line, e.Rule, cmp.Or(e.Function, e.Package), e.File)
	}
}

// writeBaseline writes what is found as known, or does what -prune and -stats
// say with what is known already.
func writeBaseline(inv *invocation) (int, error) {
	if inv.baseline == off {
		return statusUsage, errors.New("-baseline=off leaves no file to write to")
	}
	if inv.prune && inv.stats {
		return statusUsage, errors.New("-prune changes the baseline and -stats only reads it: use one of them")
	}
	path, err := inv.baselinePath()
	if err != nil {
		return statusUsage, err
	}
	known, err := baseline.Read(path, config.Shown(path))
	if errors.Is(err, fs.ErrNotExist) && !inv.prune && !inv.stats {
		known, err = &baseline.Baseline{}, nil
	}
	if err != nil {
		return statusUsage, err
	}
	if inv.stats {
		if len(inv.args) > 0 {
			return statusUsage, errors.New("-stats takes no patterns: it counts what is in the baseline")
		}
		return statusClean, printStats(inv, known, path)
	}
	cfg, err := inv.config()
	if err != nil {
		return statusUsage, err
	}
	r, err := inv.analyze(cfg)
	if err != nil {
		return statusUsage, err
	}
	stale := known.Apply(r, "", cfg.Enabled)
	next, added := known.Without(stale), 0
	if !inv.prune {
		added = next.And(baseline.Of(r))
	}
	text, err := next.Bytes()
	if err != nil {
		return statusUsage, err
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return statusUsage, err
	}
	fmt.Fprintf(inv.stdout, "%s: %d known; %d added, %d removed\n", config.Shown(path), len(next.Entries), added, len(stale))
	if r.Partial() {
		return statusPartial, nil
	}
	return statusClean, nil
}

// printStats counts what is known.
func printStats(inv *invocation, known *baseline.Baseline, path string) error {
	root := filepath.Dir(path)
	repo := cmp.Or(repository(root), root)
	owners := baseline.ReadOwners(repo)
	byRule, bySystem, byOwner := map[string]int{}, map[string]int{}, map[string]int{}
	for _, e := range known.Entries {
		byRule[e.Rule]++
		bySystem[cmp.Or(e.System, "(not known)")]++
		file := report.Rel(repo, filepath.Join(root, filepath.FromSlash(e.File)))
		byOwner[cmp.Or(owners.Of(file), "(nobody)")]++
	}
	table := tabwriter.NewWriter(inv.stdout, 0, 8, 2, ' ', 0)
	for i, part := range []struct {
		title string
		count map[string]int
	}{{"RULE", byRule}, {"SYSTEM", bySystem}, {"OWNER", byOwner}} {
		if i > 0 {
			fmt.Fprintln(table)
		}
		fmt.Fprintf(table, "%s\tFINDINGS\n", part.title)
		names := slices.SortedFunc(maps.Keys(part.count), func(a, b string) int {
			return cmp.Or(cmp.Compare(part.count[b], part.count[a]), cmp.Compare(a, b))
		})
		for _, name := range names {
			fmt.Fprintf(table, "%s\t%d\n", name, part.count[name])
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(inv.stdout, "\n%d known\n", len(known.Entries))
	return err
}
