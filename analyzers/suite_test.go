package analyzers_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/scanner"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/pass"
	"github.com/resilint/resilint/rules"
)

// modules are the directories under testdata, each a module that requires the
// real libraries. Versions of one import path that differ have one each.
var modules = []string{"libs", "more", "unserved", "k8s", "failsafe-v0.8", "avast-v2", "failsafe-v0.6", "systems", "clients"}

// TestMain makes the modules of testdata independent of the workspace around
// them and fetches what they require.
func TestMain(m *testing.M) {
	os.Setenv("GOWORK", "off")
	os.Setenv("GOFLAGS", "-mod=mod")
	for _, name := range modules {
		download := exec.Command("go", "mod", "download")
		download.Dir = filepath.Join("testdata", name)
		if out, err := download.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go mod download in %s: %v\n%s", download.Dir, err, out)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// analyze runs the whole suite over a module of testdata, with notes printed.
func analyze(t *testing.T, module string) *driver.Result {
	t.Helper()
	res, err := driver.Run(context.Background(), driver.Config{
		Dir: filepath.Join("testdata", module), Patterns: []string{"./..."},
		Root: analyzers.New(configuration(t, module)), Known: pass.Knowledge{Modelled: analyzers.Modelled, Senders: analyzers.Senders, Skips: analyzers.Skips},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Failures {
		for _, e := range f.Errors {
			t.Errorf("%s does not load: %s:%d: %s", f.Package, e.Pos.File, e.Pos.Line, e.Message)
		}
	}
	for _, e := range res.FactErrors {
		t.Errorf("internal error: %s", e)
	}
	for _, p := range res.Packages {
		for _, e := range p.Errors {
			t.Errorf("%s: %s", p.Path, e)
		}
	}
	return res
}

// configuration is that of a module, with notes printed.
func configuration(t *testing.T, module string) config.Config {
	t.Helper()
	path := filepath.Join("testdata", module, config.Name)
	if _, err := os.Stat(path); err != nil {
		path = ""
	}
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	file.MinSeverity = finding.Note
	return file.Config
}

// TestSuite holds the findings and the inventory of each module against the
// comments in it:
//
//	// want "X3: regexp"        one finding that begins on the line, note or worse
//	// site "attempts=3 backoff=exponential"  one site that begins on the line
//	// nosite                   no site and no finding begins on the line
//
// Findings that a //resilint:ignore silences count as none.
//
// A finding without a want fails, and so does a site of which no comment on its
// line speaks: a case that is silent because nothing was seen is no case.
func TestSuite(t *testing.T) {
	for _, module := range modules {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			res := analyze(t, module)
			lines := readExpectations(t, filepath.Join("testdata", module))
			cases := 0
			for _, l := range lines {
				cases += len(l.wants) + len(l.sites)
				if l.none {
					cases++
				}
			}
			for _, p := range res.Packages {
				told, ok := p.Value.(*finding.Package)
				if !ok {
					t.Errorf("%s has no result", p.Path)
					continue
				}
				for _, e := range told.InternalErrors {
					t.Errorf("%s: internal error: %s", p.Path, e)
				}
				for _, f := range told.Findings {
					if beside(f) {
						continue
					}
					if f.Status == finding.Suppressed {
						at(lines, f.Pos).speaks = true // the comment that silences it
						continue
					}
					at(lines, f.Pos).finding(t, f)
				}
				for _, s := range told.Sites {
					at(lines, s.Pos).site(t, s)
				}
			}
			for _, l := range lines {
				l.rest(t)
			}
			t.Logf("%d expectations in %d packages", cases, len(res.Packages))
		})
	}
}

// beyond names the packages of cases for the rules beyond the guide. Two of these
// find something in most cases of other rules, which send by http.Get and pass no
// context: they count in these packages alone.
var beyond = []string{"retryctx", "retrylost", "retryafter", "retryleak", "retrybody", "retrytimeout"}

// beside reports whether a finding is of one of those rules in a case of another.
func beside(f finding.Finding) bool {
	return (f.Rule == "RSL-CTX" || f.Rule == "RSL-TIMEOUT") && !slices.Contains(beyond, filepath.Base(filepath.Dir(f.Pos.File)))
}

// A line is what comments on one line of a file expect, and what is left of it.
type line struct {
	file   string
	number int
	wants  []*regexp.Regexp
	sites  []map[string]string
	none   bool
	// speaks says that a comment on the line expects something.
	speaks bool
	met    []string // sites that no expectation met, for messages
}

func at(lines map[string]*line, pos finding.Position) *line {
	key := fmt.Sprint(pos.File, ":", pos.Line)
	if lines[key] == nil {
		lines[key] = &line{file: pos.File, number: pos.Line}
	}
	return lines[key]
}

func (l *line) errorf(t *testing.T, format string, args ...any) {
	t.Helper()
	file := l.file
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, file); err == nil {
			file = rel
		}
	}
	t.Errorf("%s:%d: %s", file, l.number, fmt.Sprintf(format, args...))
}

func (l *line) finding(t *testing.T, f finding.Finding) {
	t.Helper()
	rule, err := rules.Find(f.Rule)
	if err != nil {
		t.Fatal(err)
	}
	text := rule.Short() + ": " + f.Message
	for i, want := range l.wants {
		if want.MatchString(text) {
			l.wants = slices.Delete(l.wants, i, i+1)
			return
		}
	}
	l.errorf(t, "unexpected finding %q (%s)", text, f.Severity)
}

func (l *line) site(t *testing.T, s finding.Site) {
	t.Helper()
	if l.none || !l.speaks {
		l.errorf(t, "unexpected site: %s", describe(s))
		return
	}
	for i, want := range l.sites {
		if differs(s, want) == "" {
			l.sites = slices.Delete(l.sites, i, i+1)
			return
		}
	}
	l.met = append(l.met, describe(s))
}

// rest reports the expectations that nothing met.
func (l *line) rest(t *testing.T) {
	t.Helper()
	for _, want := range l.wants {
		l.errorf(t, "no finding matches %q", want)
	}
	for _, want := range l.sites {
		l.errorf(t, "no site matches %v; there are %q", want, l.met)
	}
}

// properties are the keys of a site comment.
var properties = map[string]func(finding.Site) string{
	"attempts":  attempts,
	"backoff":   func(s finding.Site) string { return s.Backoff },
	"sleep":     func(s finding.Site) string { return s.SleepWindow },
	"total":     func(s finding.Site) string { return s.TotalWindow },
	"predicate": func(s finding.Site) string { return s.Predicate },
	"breaker":   func(s finding.Site) string { return s.Breaker },
	"mechanism": func(s finding.Site) string { return s.Mechanism },
	"effect":    func(s finding.Site) string { return s.Effect },
	"library":   func(s finding.Site) string { return s.Library },
	"default": func(s finding.Site) string {
		return strconv.FormatBool(s.Attempts != nil && s.Attempts.Default)
	},
}

func attempts(s finding.Site) string {
	switch a := s.Attempts; {
	case a == nil:
		return "unknown"
	case a.Unbounded:
		return "unbounded"
	case a.Min != a.Max:
		return fmt.Sprintf("%d-%d", a.Min, a.Max)
	default:
		return strconv.Itoa(a.Max)
	}
}

func describe(s finding.Site) string {
	var b strings.Builder
	for _, key := range []string{"attempts", "backoff", "sleep", "total", "predicate", "breaker", "mechanism"} {
		fmt.Fprintf(&b, "%s=%s ", key, cmp.Or(properties[key](s), `""`))
	}
	if len(s.Unproved) > 0 {
		fmt.Fprintf(&b, "unproved: %s", strings.Join(s.Unproved, "; "))
	}
	return strings.TrimSpace(b.String())
}

// differs names the first property of s that is not as wanted.
func differs(s finding.Site, want map[string]string) string {
	for key, val := range want {
		if properties[key](s) != val {
			return key
		}
	}
	return ""
}

// readExpectations reads the comments of all Go files under dir.
func readExpectations(t *testing.T, dir string) map[string]*line {
	t.Helper()
	root, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]*line{}
	fset := token.NewFileSet()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir // another module
			}
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				pos := fset.Position(c.Pos())
				text := strings.TrimSuffix(strings.TrimSpace(c.Text[2:]), "*/")
				l := at(lines, finding.Position{File: pos.Filename, Line: pos.Line})
				if err := l.expect(text); err != nil {
					l.errorf(t, "%v", err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// expect adds what one comment expects; other comments expect nothing.
func (l *line) expect(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "nosite":
		l.none, l.speaks = true, true
	case "want":
		l.speaks = true
		for _, s := range quoted(rest) {
			re, err := regexp.Compile(s)
			if err != nil {
				return err
			}
			l.wants = append(l.wants, re)
		}
		if len(l.wants) == 0 {
			return errors.New("a want without a quoted regexp")
		}
	case "site":
		l.speaks = true
		for _, s := range quoted(rest) {
			want := map[string]string{}
			for _, field := range strings.Fields(s) {
				key, val, _ := strings.Cut(field, "=")
				if properties[key] == nil {
					return fmt.Errorf("a site has no property %q", key)
				}
				want[key] = val
			}
			l.sites = append(l.sites, want)
		}
		if len(l.sites) == 0 {
			return errors.New("a site without a quoted list of properties")
		}
	}
	// "// want ... // site ..." is one comment to the parser.
	if i := strings.Index(rest, "// "); i >= 0 && (word == "want" || word == "site") {
		return l.expect(rest[i+3:])
	}
	return nil
}

// quoted reads the Go-quoted strings at the start of s.
func quoted(s string) []string {
	var sc scanner.Scanner
	sc.Init(strings.NewReader(s))
	sc.Mode = scanner.ScanStrings | scanner.ScanRawStrings
	sc.Error = func(*scanner.Scanner, string) {}
	var out []string
	for {
		if tok := sc.Scan(); tok != scanner.String && tok != scanner.RawString {
			return out
		}
		text, err := strconv.Unquote(sc.TokenText())
		if err != nil {
			return out
		}
		out = append(out, text)
	}
}

// TestMeasured runs the tests of the modules themselves: what the libraries do
// is what the comments at their policies say.
func TestMeasured(t *testing.T) {
	for _, module := range []string{"libs", "more", "k8s"} {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			test := exec.Command("go", "test", "./measured")
			test.Dir = filepath.Join("testdata", module)
			if out, err := test.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestVettool compares go vet over one module with what the driver merges: the
// same places, the same sentences.
func TestVettool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	tool := filepath.Join(t.TempDir(), "resilint")
	build := exec.Command("go", "build", "-o", tool, "../cmd/resilint")
	build.Env = append(os.Environ(), "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, module := range []string{"libs", "systems", "clients", "../../examples/payments", "../../examples/payments-fixed"} {
		t.Run(filepath.Base(module), func(t *testing.T) { compareVettool(t, tool, module) })
	}
}

// compareVettool holds what go vet says with the tool against the driver.
func compareVettool(t *testing.T, tool, module string) {
	vet := exec.Command("go", "vet", "-vettool="+tool, "-min-severity=note", "./...")
	vet.Dir = filepath.Join("testdata", module)
	out, err := vet.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var got []string
	for text := range strings.Lines(string(out)) {
		// Not what the go command says of itself: "# package", "go: downloading".
		if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "go: ") {
			got = append(got, strings.TrimPrefix(text, "./"))
		}
	}
	root, err := filepath.Abs(filepath.Join("testdata", module))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range analyze(t, module).Packages {
		told, ok := p.Value.(*finding.Package)
		if !ok {
			continue
		}
		for _, f := range finding.Merge(told.Findings, finding.Note) {
			file, err := filepath.Rel(root, f.Pos.File)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprintf("%s:%d:%d: %s [%s %s]", filepath.ToSlash(file), f.Pos.Line, f.Pos.Column, f.Message, f.Rule, f.Alias))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("go vet alone says %s", s)
		}
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("go vet does not say %s", s)
		}
	}
	if fixed := strings.HasSuffix(module, "-fixed"); fixed != (len(want) == 0) {
		t.Errorf("the module has %d findings to compare", len(want))
	}
}
