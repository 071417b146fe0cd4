package main

import (
	"path/filepath"
	"testing"

	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
)

func TestCheckStatus(t *testing.T) {
	warning := []finding.Finding{{Severity: finding.Warning}}
	for _, try := range []struct {
		name   string
		report report.Report
		failOn finding.Severity
		never  bool
		want   int
	}{
		{"nothing", report.Report{}, finding.Note, false, statusClean},
		{"at the threshold", report.Report{Findings: warning}, finding.Warning, false, statusFindings},
		{"below it", report.Report{Findings: warning}, finding.Error, false, statusClean},
		{"never", report.Report{Findings: warning}, finding.Note, true, statusClean},
		{"suppressed", report.Report{Findings: []finding.Finding{{Severity: finding.Error, Status: finding.Suppressed}}}, finding.Note, false, statusClean},
		{"not loaded", report.Report{Findings: warning, NotLoaded: []report.NotLoaded{{}}}, finding.Warning, false, statusPartial},
		{"in part", report.Report{InternalErrors: []string{"x"}}, finding.Warning, true, statusPartial},
	} {
		if got := checkStatus(&try.report, try.failOn, try.never); got != try.want {
			t.Errorf("%s: status %d, want %d", try.name, got, try.want)
		}
	}
}

func TestCollect(t *testing.T) {
	base := t.TempDir()
	at := func(file string, line int) finding.Position {
		return finding.Position{File: filepath.Join(base, file), Line: line, Column: 1}
	}
	r := collect(&driver.Result{
		Base: base,
		Packages: []driver.Package{
			{Path: "m.test/m/b", Module: "m.test/m", Value: &finding.Package{
				Findings: []finding.Finding{{Pos: at("b/b.go", 2)}}, Sites: []finding.Site{{Pos: at("b/b.go", 2)}}, InternalErrors: []string{"b.F: gave up"}}},
			{Path: "m.test/m/a", Module: "m.test/m", Value: &finding.Package{Findings: []finding.Finding{{Pos: at("a/a.go", 9)}}}},
			{Path: "m.test/m/c", Errors: []string{"analyzer x panicked"}},
		},
		Failures:   []driver.Failure{{Package: "m.test/m/d", Errors: []driver.Error{{Pos: at("d/d.go", 3), Message: "undefined: x"}}}},
		FactErrors: []string{"dep.test/d: analyzer x panicked"},
	})
	if len(r.Findings) != 2 || r.Findings[0].Pos != at("a/a.go", 9) || len(r.Sites) != 1 || r.Packages != 3 || r.Modules["m.test/m/a"] != "m.test/m" {
		t.Errorf("got %+v", r)
	}
	if len(r.InternalErrors) != 3 || r.InternalErrors[1] != "m.test/m/b: b.F: gave up" {
		t.Errorf("internal errors %q", r.InternalErrors)
	}
	if len(r.NotLoaded) != 1 || r.NotLoaded[0].Errors[0].String() != "d/d.go:3:1: undefined: x" {
		t.Errorf("not loaded %+v", r.NotLoaded)
	}
}
