package pages

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/rules"
)

const librariesIntro = `# Libraries

What each modelled library does when it is told nothing more than it must be. Attempts include the first. Waits are
the longest, jitter at its largest; the window is their sum. Where a time limit ends the retries, attempts are counted
for an operation that fails at once. "argument" means that the caller has to say it. The last column names the rules
that the defaults alone break, with the severity in the preset recommended.

The entries are in ` + "`rules/models`" + `, each with the place in the library's source where it was read.
`

// librariesPage says what each library of the catalogue does by itself.
func librariesPage() (string, error) {
	names, err := fs.Glob(rules.Models(), "models/*.yaml")
	if err != nil {
		return "", err
	}
	families, err := model.ParseFS(rules.Models(), names...)
	if err != nil {
		return "", err
	}
	models := model.NewSet(rules.Models(), rules.ModelIndex())
	var b strings.Builder
	b.WriteString(generated + librariesIntro)
	for _, f := range families {
		fmt.Fprintf(&b, "\n## %s\n", f.Family)
		for i := range f.Libraries {
			if err := writeLibrary(&b, models, &f.Libraries[i]); err != nil {
				return "", err
			}
		}
	}
	return b.String(), nil
}

func writeLibrary(b *strings.Builder, models *model.Set, lib *model.Library) error {
	var paths []string
	for _, p := range lib.Packages {
		paths = append(paths, "`"+p.Path+"`")
	}
	defaults := retry.Defaults(models, lib)
	var takers, breakers []string
	for _, r := range lib.Retries {
		if r.Kind == "" && !r.Composes {
			takers = append(takers, "`"+r.Func+"`")
		}
	}
	for _, br := range lib.Breakers {
		breakers = append(breakers, "`"+br.Func+"`")
	}
	for _, v := range lib.Values {
		if v.Role == "breaker" && v.Func != "" && !v.Mutates && len(lib.Breakers) == 0 {
			breakers = append(breakers, "`"+v.Func+"`")
		}
	}
	if len(defaults)+len(takers)+len(breakers)+len(lib.Notes) == 0 {
		return nil // timeouts, bulkheads and other company of retries
	}
	fmt.Fprintf(b, "\n### %s\n\n%s, read in %s.\n", lib.ID, strings.Join(paths, ", "), lib.Source)
	switch {
	case len(defaults) > 0:
		b.WriteString("\n| call | attempts | waits | shape | window | retried | breaks |\n|---|---|---|---|---|---|---|\n")
		for _, d := range defaults {
			broken, err := breaks(d.Site)
			if err != nil {
				return fmt.Errorf("%s: %w", lib.ID, err)
			}
			row(b, d, broken)
		}
	case len(takers) > 0:
		fmt.Fprintf(b, "\nNo defaults: %s retry as they are told.\n", strings.Join(takers, ", "))
	}
	if len(breakers) > 0 {
		fmt.Fprintf(b, "\nCircuit breakers: %s.\n", strings.Join(breakers, ", "))
	}
	if len(lib.Notes) > 0 {
		b.WriteString("\n")
		for _, n := range lib.Notes {
			fmt.Fprintf(b, "- %s\n", n)
		}
	}
	return nil
}

func row(b *strings.Builder, d retry.Default, broken string) {
	var calls []string
	for _, n := range d.Names {
		calls = append(calls, "`"+n+"`")
	}
	s := &engine.Site{Site: d.Site}
	sched := s.Schedules()[0]
	retries := sched.Why != "" || sched.Unbounded || sched.Attempts > 1
	attempts, waits, window, shape := strconv.Itoa(sched.Attempts), s.Waits(), "argument", s.Backoff()
	switch {
	case sched.Why != "":
		attempts = sched.Why
	case sched.Unbounded:
		attempts = "no limit"
	}
	if w, ok := s.Window(); ok {
		window = w.Sleep
	}
	if window == "unbounded" {
		window = "no limit"
	}
	if waits == "" {
		waits = "argument"
	}
	if shape == "none" {
		waits = "none"
	}
	if shape == "unknown" {
		shape = "argument"
	}
	if !retries {
		// It does not retry until told to; what it would wait then is known.
		attempts, window = "1: off", "0s"
		waits = "none"
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n",
		strings.Join(calls, ", "), attempts, waits, shape, window, predicates(d.Site), broken)
}

// predicates says in words what is retried.
func predicates(s *retry.Site) string {
	switch s.Predicate {
	case "catch-all":
		return "every error"
	case "opt-out":
		return "every error but marked ones"
	case "opt-in":
		return "marked errors only"
	case "caller":
		return "what the caller's code decides"
	case "transport":
		return "no answer at all"
	case "transient":
		return "transient failures"
	}
	if statuses, ok := strings.CutPrefix(s.Predicate, "status:"); ok {
		return "no answer, or " + strings.ReplaceAll(statuses, ",", ", ")
	}
	return "as told"
}

// breaks runs the rules on a site in no package, and lists what they find.
func breaks(s *retry.Site) (string, error) {
	sched := s.Schedules()[0]
	if sched.Why == "" && !sched.Unbounded && sched.Attempts <= 1 {
		return "", nil // no retry
	}
	set := engine.NewSet(config.Default(), nil)
	pass := &analysis.Pass{ResultOf: map[*analysis.Analyzer]any{
		set.Sites: &engine.Sites{List: []*engine.Site{{Site: s}}},
	}}
	var out []string
	for _, a := range analyzers.Rules(set) {
		result, err := a.Run(pass)
		if err != nil {
			return "", err
		}
		for _, f := range result.([]finding.Finding) {
			rule, err := rules.Find(f.Rule)
			if err != nil {
				return "", err
			}
			out = append(out, rule.Short()+" ("+f.Severity.String()+")")
		}
	}
	return strings.Join(out, ", "), nil
}
