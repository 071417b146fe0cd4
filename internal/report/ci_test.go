package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
)

var update = flag.Bool("update", false, "write the goldens")

// inCI is the example as a CI system gets it: of a module below the root of its
// repository, with a finding in the baseline, one that can be mended, and a
// package that does not load.
func inCI(t *testing.T) *report.Report {
	t.Helper()
	repo := t.TempDir()
	r := exampleIn(t, filepath.Join(repo, "svc a"))
	r.Repo = repo
	lead := r.Findings[len(r.Findings)-2]
	old := lead
	old.Rule, old.Alias, old.Site, old.Status, old.Reason, old.Related = "R-RES-RE-2", "retrycompose", "s9", finding.Baselined, "in the baseline", nil
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == "R-RES-RE-3" {
			f.Fixes = []finding.Fix{{Message: "3 attempts", Class: "review", Edits: []finding.Edit{{Pos: f.Pos, End: f.End, New: "retry.Do(call, retry.Attempts(3))"}}}}
		}
	}
	r.Findings = append(r.Findings, old)
	r.NotLoaded = []report.NotLoaded{
		{Package: "m.test/m/bad", Errors: []report.Error{{File: "bad/bad.go", Line: 3, Column: 2, Message: "undefined: x, 100% sure"}}},
		{Package: "m.test/m/user", Because: "m.test/m/bad"},
	}
	for _, rule := range []string{"R-RES-RE-X1 retrywrite", "R-RES-RE-3 retryattempts", "R-RES-RE-X3 retrybackoff", "R-RES-RE-X4 retrybreaker", "R-RES-RE-2 retrycompose"} {
		id, alias, _ := strings.Cut(rule, " ")
		r.Rules = append(r.Rules, report.Rule{ID: id, Alias: alias, Title: "title", Summary: "what it reports", Severity: finding.Error,
			Text: "page\n", Markdown: "*page*\n", URL: "https://x.test/" + alias})
	}
	r.Sort()
	return r
}

// The forms for CI systems, as they read them.
func TestGoldens(t *testing.T) {
	for _, name := range []string{"sarif", "github", "gitlab", "checkstyle", "junit"} {
		t.Run(name, func(t *testing.T) {
			got := write(t, report.Formats(), name, inCI(t))
			if again := write(t, report.Formats(), name, inCI(t)); again != got {
				t.Errorf("another time it is\n%s", again)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, string(want))
		})
	}
}

// A run without findings is one that every reader understands.
func TestNothingFound(t *testing.T) {
	for name, want := range map[string]string{
		"github": "",
		"gitlab": "[]\n",
		"checkstyle": `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="5.0"></checkstyle>
`,
		"junit": `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="resilint" tests="1" failures="0" errors="0">
    <testcase classname="resilint" name="no unsafe retries"></testcase>
  </testsuite>
</testsuites>
`,
	} {
		if got := write(t, report.Formats(), name, &report.Report{}); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// SARIF is valid by the schema of OASIS, with everything that we write in it
// and with nothing.
func TestSARIFIsValid(t *testing.T) {
	file, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	full := write(t, report.Formats(), "sarif", inCI(t))
	if err := valid(full); err != nil {
		t.Error(err)
	}
	if err := valid(write(t, report.Formats(), "sarif", &report.Report{})); err != nil {
		t.Error(err)
	}
	if valid(strings.Replace(full, `"ruleId"`, `"rule_id"`, 1)) == nil || valid(strings.Replace(full, `"level": "error"`, `"level": "bad"`, 1)) == nil {
		t.Error("the schema lets everything through")
	}
}

// A column in SARIF counts what editors count, not bytes.
func TestSARIFColumns(t *testing.T) {
	var doc struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct{ Region struct{ StartColumn int } }
				}
			}
		}
	}
	r := example(t)
	if err := json.Unmarshal([]byte(write(t, report.Formats(), "sarif", r)), &doc); err != nil {
		t.Fatal(err)
	}
	for _, res := range doc.Runs[0].Results {
		// x :=	"ü" + retry.Do(call): the column in bytes is one more than in characters
		if got := res.Locations[0].PhysicalLocation.Region.StartColumn; res.RuleID == "R-RES-RE-X1" && got != 13 {
			t.Errorf("column %d, want 13", got)
		}
	}
}

// What a message holds breaks no form.
func TestHostileMessages(t *testing.T) {
	r := example(t)
	for i := range r.Findings {
		r.Findings[i].Message = "a\nb%0A::error::c,d:e <x> \"q\" & \x01"
	}
	if got := write(t, report.Formats(), "github", r); strings.Count(got, "\n") != len(finding.Merge(r.Findings, r.Floor)) || !strings.Contains(got, "a%0Ab%250A::error") {
		t.Errorf("github is %q", got)
	}
	for _, name := range []string{"checkstyle", "junit"} {
		dec := xml.NewDecoder(bytes.NewReader([]byte(write(t, report.Formats(), name, r))))
		for {
			_, err := dec.Token()
			if err != nil {
				if fmt.Sprint(err) != "EOF" {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
		}
	}
}
