package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/report"
)

const source = "package pay\n\nfunc (a *Adapter) Register() {\n\tx :=\t\"ü\" + retry.Do(call)\n}\n"

// example has one finding of each kind: two rules at one site, a note, one that
// is suppressed.
func example(t *testing.T) *report.Report {
	t.Helper()
	return exampleIn(t, t.TempDir())
}

func exampleIn(t *testing.T, base string) *report.Report {
	t.Helper()
	file := filepath.Join(base, "pay", "sber.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	at := func(line, column int) finding.Position {
		return finding.Position{File: file, Line: line, Column: column}
	}
	r := &report.Report{
		ToolVersion: "v1.2.3", Preset: "recommended", Floor: finding.Warning, Base: base, Packages: 3,
		Modules: map[string]string{"m.test/m/pay": "m.test/m"},
		Findings: []finding.Finding{
			{Rule: "R-RES-RE-3", Alias: "retryattempts", Severity: finding.Warning, Site: "s1", Pos: at(4, 14), End: at(4, 28),
				Function: "(*pay.Adapter).Register", Package: "m.test/m/pay", Message: "10 attempts over 51.5s", Short: "RE-3 10 attempts"},
			{Rule: "R-RES-RE-X4", Alias: "retrybreaker", Severity: finding.Note, Site: "s2", Pos: at(3, 1), End: at(3, 2),
				Function: "(*pay.Adapter).Register", Package: "m.test/m/pay", Message: "no breaker"},
			{Rule: "R-RES-RE-X1", Alias: "retrywrite", Severity: finding.Error, Site: "s1", Pos: at(4, 14), End: at(4, 28),
				Function: "(*pay.Adapter).Register", Package: "m.test/m/pay", URL: "https://x.test/x1",
				Message: "POST /payments may be applied up to 10 times: no idempotency key (Register -> http.Client.Do)",
				Hint:    "send an Idempotency-Key made before the retry",
				Related: []finding.Related{{Pos: at(3, 6), Message: "sent here"}, {Pos: finding.Position{File: "/elsewhere/x.go", Line: 7}, Message: "policy"}}},
			{Rule: "R-RES-RE-X3", Alias: "retrybackoff", Severity: finding.Error, Site: "s3", Pos: at(1, 1), End: at(1, 2),
				Function: "init", Package: "m.test/m/pay", Message: "hot", Status: finding.Suppressed, Reason: "legacy"},
		},
		Sites: []finding.Site{
			{ID: "s2", Pos: at(3, 1), EndLine: 3, Function: "(*pay.Adapter).Register", Package: "m.test/m/pay", Mechanism: "loop", Unproved: []string{"attempts: from config", "predicate: from config"}},
			{ID: "s1", Operation: []finding.Operation{{Method: "POST", Path: "/payments", Key: "none", Send: at(3, 6)}}, Pos: at(4, 14), EndLine: 4, Function: "(*pay.Adapter).Register", Package: "m.test/m/pay", Kind: "request", Mechanism: "library", Library: "retry-go v4",
				Effect: "write", Attempts: &finding.Attempts{Min: 10, Max: 10, Default: true}, Backoff: "exponential+jitter", Predicate: "catch-all", SleepWindow: "51.5s", TotalWindow: "unknown", Breaker: "none"},
		},
	}
	r.Sort()
	return r
}

func write(t *testing.T, formats []report.Format, name string, r *report.Report) string {
	t.Helper()
	f, err := report.Find(formats, name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestText(t *testing.T) {
	same(t, write(t, report.Formats(), "text", example(t)), `
pay/sber.go:4:14: error: POST /payments may be applied up to 10 times: no idempotency key (Register -> http.Client.Do) (also RE-3 10 attempts) [R-RES-RE-X1 retrywrite]
    send an Idempotency-Key made before the retry
    x :=`+"\t"+`"ü" + retry.Do(call)
        `+"\t"+`      ^
    pay/sber.go:3: sent here
    /elsewhere/x.go:7: policy
1 error, 1 warning, 1 note; 2 retries, 1 not provable
`)
}

func TestColor(t *testing.T) {
	r := example(t)
	r.Color = true
	if got := write(t, report.Formats(), "text", r); !strings.Contains(got, "\x1b[1;31merror:\x1b[0m") {
		t.Errorf("no colour in %q", got)
	}
	if got := write(t, report.Formats(), "json", r); strings.Contains(got, "\x1b") {
		t.Errorf("colour in %q", got)
	}
}

func TestFloor(t *testing.T) {
	r := example(t)
	r.Floor = finding.Note
	if got := write(t, report.Formats(), "text", r); !strings.Contains(got, "note: no breaker [R-RES-RE-X4 retrybreaker]") {
		t.Errorf("got %s", got)
	}
	r.Floor = finding.Error
	r.Findings = r.Findings[1:] // without the suppressed one
	if worst, any := r.Worst(); worst != finding.Error || !any {
		t.Errorf("worst %v, %v", worst, any)
	}
}

func TestSummary(t *testing.T) {
	r := &report.Report{}
	same(t, r.Summary(), "0 errors, 0 warnings, 0 notes; 0 retries, 0 not provable")
	r.Findings = []finding.Finding{{Severity: finding.Error}, {Severity: finding.Error}, {Severity: finding.Warning}, {}, {Status: finding.Baselined}}
	r.Sites = []finding.Site{{Unproved: []string{"x"}}}
	r.NotLoaded = []report.NotLoaded{{Package: "p"}}
	r.InternalErrors = []string{"a"}
	same(t, r.Summary(), "2 errors, 1 warning, 1 note; 1 retry, 1 not provable; 1 known; 1 package not loaded; 1 internal error")
	r.NotLoaded = append(r.NotLoaded, report.NotLoaded{})
	r.InternalErrors = append(r.InternalErrors, "b")
	same(t, r.Summary(), "2 errors, 1 warning, 1 note; 1 retry, 1 not provable; 1 known; 2 packages not loaded; 2 internal errors")
}

func TestJSON(t *testing.T) {
	r := example(t)
	r.NotLoaded = []report.NotLoaded{
		{Package: "m.test/m/bad", Errors: []report.Error{{File: "bad/bad.go", Line: 3, Column: 2, Message: "undefined: x"}}},
		{Package: "m.test/m/user", Because: "m.test/m/bad"},
	}
	var got, want any
	if err := json.Unmarshal([]byte(write(t, report.Formats(), "json", r)), &got); err != nil {
		t.Fatal(err)
	}
	prints := fingerprintsOf(t, r)
	text, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range prints {
		text = []byte(strings.Replace(string(text), "FINGERPRINT"+string(rune('0'+i)), p, 1))
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		g, _ := json.MarshalIndent(got, "", "  ")
		t.Errorf("got:\n%s", g)
	}
}

// An empty report has lists, not nulls.
func TestEmptyJSON(t *testing.T) {
	same(t, write(t, report.Formats(), "json", &report.Report{ToolVersion: "devel", Preset: "guide"}), `
{
  "version": 1,
  "tool_version": "devel",
  "preset": "guide",
  "findings": [],
  "summary": {
    "error": 0,
    "warning": 0,
    "note": 0,
    "sites": 0,
    "unproved": 0,
    "packages": 0,
    "not_loaded": [],
    "internal_errors": 0
  }
}
`)
	same(t, write(t, report.SitesFormats(false), "json", &report.Report{}), "{\n  \"version\": 1,\n  \"sites\": []\n}\n")
}

func fingerprintsOf(t *testing.T, r *report.Report) []string {
	t.Helper()
	var doc struct {
		Findings []struct{ Fingerprint string }
	}
	if err := json.Unmarshal([]byte(write(t, report.Formats(), "json", r)), &doc); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range doc.Findings {
		out = append(out, f.Fingerprint)
	}
	return out
}

func TestFingerprints(t *testing.T) {
	r := example(t)
	before := fingerprintsOf(t, r)
	if n := len(slices.Compact(slices.Sorted(slices.Values(before)))); n != len(before) {
		t.Errorf("only %d of %v differ", n, before)
	}
	for i := range r.Findings { // lines move, sentences change, the module is renamed
		f := &r.Findings[i]
		f.Pos.Line += 10
		f.Message += " in other words"
		f.Package = "other.test/n/pay"
	}
	r.Modules = map[string]string{"other.test/n/pay": "other.test/n"}
	if after := fingerprintsOf(t, r); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
	r.Findings = append(r.Findings, r.Findings[0])
	r.Sort()
	after := fingerprintsOf(t, r)
	if after[0] != before[0] || after[1] == after[0] {
		t.Errorf("a second finding of its kind: %v, before %v", after, before)
	}
}

func TestSites(t *testing.T) {
	r := example(t)
	same(t, write(t, report.SitesFormats(false), "text", r), `
PLACE          FUNCTION                 LIBRARY      ATTEMPTS      BACKOFF             SLEEP WINDOW  PREDICATE  BREAKER
pay/sber.go:3  (*pay.Adapter).Register  loop         unknown       unknown             unknown       unknown    unknown
pay/sber.go:4  (*pay.Adapter).Register  retry-go v4  10 (default)  exponential+jitter  51.5s         catch-all  none
2 retries, 1 not provable
`)
	same(t, write(t, report.SitesFormats(true), "text", r), `
PLACE          FUNCTION                 LIBRARY  ATTEMPTS  BACKOFF  SLEEP WINDOW  PREDICATE  BREAKER
pay/sber.go:3  (*pay.Adapter).Register  loop     unknown   unknown  unknown       unknown    unknown
    attempts: from config
    predicate: from config
2 retries, 1 not provable
`)
	same(t, write(t, report.SitesFormats(true), "json", r), `
{
  "version": 1,
  "sites": [
    {
      "id": "s2",
      "module": "m.test/m",
      "file": "pay/sber.go",
      "line": 3,
      "column": 1,
      "end_line": 3,
      "function": "(*pay.Adapter).Register",
      "kind": "unknown",
      "mechanism": "loop",
      "library": "",
      "operation": [],
      "effect": "unknown",
      "attempts": null,
      "backoff": "unknown",
      "predicate": "unknown",
      "sleep_window": "unknown",
      "total_window": "unknown",
      "breaker": "unknown",
      "unproved": [
        "attempts: from config",
        "predicate: from config"
      ]
    }
  ]
}
`)
}

func TestFormatNames(t *testing.T) {
	_, err := report.Find(report.Formats(), "jason")
	if err == nil || err.Error() != `format "jason" is none of text, json, sarif, github, gitlab, checkstyle, junit` {
		t.Errorf("error %v", err)
	}
}

func TestRel(t *testing.T) {
	for _, try := range [][3]string{
		{"/w/m", "/w/m/pay/x.go", "pay/x.go"},
		{"/w/m", "/w/other/x.go", "/w/other/x.go"},
		{"/w/m", "grammar.y", "grammar.y"},
	} {
		same(t, report.Rel(try[0], try[1]), try[2])
	}
}
