package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
	"github.com/resilint/resilint/rules"
)

// listRules prints the catalogue.
func listRules(inv *invocation) (int, error) {
	if len(inv.args) > 0 {
		return statusUsage, fmt.Errorf("rules takes no arguments; explain %s prints a rule's page", inv.args[0])
	}
	table := tabwriter.NewWriter(inv.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprint(table, "ID\tALIAS")
	for _, preset := range rules.Presets() {
		fmt.Fprintf(table, "\t%s", strings.ToUpper(preset))
	}
	fmt.Fprintln(table, "\tTITLE")
	for _, r := range rules.All() {
		fmt.Fprintf(table, "%s\t%s", r.Short(), r.Alias)
		for _, preset := range rules.Presets() {
			fmt.Fprintf(table, "\t%s", severities(r, preset))
		}
		fmt.Fprintf(table, "\t%s\n", r.Title)
	}
	return statusClean, table.Flush()
}

// severities are those of a rule's cases, the worst first: "error, note".
func severities(r *rules.Rule, preset string) string {
	has := map[finding.Severity]bool{}
	for _, t := range r.Tiers {
		has[r.Severity(t.Name, preset)] = true
	}
	var out []string
	for s := finding.Error; s >= finding.Note; s-- {
		if has[s] {
			out = append(out, s.String())
		}
	}
	return strings.Join(out, ", ")
}

// explain prints the pages of rules.
func explain(inv *invocation) (int, error) {
	if len(inv.args) == 0 {
		return statusUsage, errors.New("explain needs the name of a rule; the command rules lists them")
	}
	var pages []string
	for _, name := range inv.args {
		r, err := rules.Find(name)
		if err != nil {
			return statusUsage, err
		}
		for _, p := range analyzers.Pages() {
			if p.ID == r.ID {
				pages = append(pages, strings.TrimRight(p.Text(), "\n")+"\n\n"+rules.URL(r)+"\n")
			}
		}
	}
	_, err := fmt.Fprint(inv.stdout, strings.Join(pages, "\n"))
	return statusClean, err
}

// catalogue is what formats tell of rules.
func catalogue() []report.Rule {
	var out []report.Rule
	for _, p := range analyzers.Pages() {
		out = append(out, report.Rule{
			ID: p.ID, Alias: p.Alias, Title: p.Title, Summary: p.Summary, Severity: p.Worst(),
			Text: p.Text(), Markdown: rules.Markdown(cmp.Or(p.Body, p.Title)), URL: rules.URL(p.Rule),
		})
	}
	return out
}
