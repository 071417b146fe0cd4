package vettool_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/pass/passtest"
	"github.com/resilint/resilint/internal/vettool"
)

// TestMain makes the test binary a tool of go vet when the go command calls it.
func TestMain(m *testing.M) {
	if !vettool.Asked(os.Args[1:]) {
		os.Exit(m.Run())
	}
	word := ""
	tool := vettool.Tool{
		Flags: func(fs *flag.FlagSet) { fs.StringVar(&word, "word", word, "a flag of the analysis") },
		Root: func(string) (*analysis.Analyzer, error) {
			if word == "wrong" {
				return nil, errors.New("the word is wrong")
			}
			return passtest.Suite(), nil
		},
		Known: passtest.Known,
	}
	args := os.Args[1:]
	if os.Getenv("WITHOUT_EXPORTS") != "" && strings.HasSuffix(args[len(args)-1], ".cfg") {
		dropExports(args[len(args)-1])
	}
	os.Exit(tool.Main(args, os.Stdout, os.Stderr))
}

// dropExports makes a unit as a go command would that passes no export data.
func dropExports(file string) {
	data, err := os.ReadFile(file)
	cfg := map[string]any{}
	if err == nil {
		err = json.Unmarshal(data, &cfg)
	}
	delete(cfg, "PackageFile")
	if err == nil {
		data, err = json.Marshal(cfg)
	}
	if err == nil {
		err = os.WriteFile(file, data, 0o666)
	}
	if err != nil {
		panic(err)
	}
}

// vet runs go vet with the test binary as its tool. No verdict is cached: each
// test's directory is new.
func vet(t *testing.T, dir string, args ...string) (output string, status int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// diagnostics are the lines of output that are no headings, sorted.
func diagnostics(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimPrefix(strings.TrimPrefix(line, "vet: "), "./"))
		}
	}
	slices.Sort(out)
	return out
}

var chainWants = []string{
	"internal/pay/pay.go:5:23: calls Retry",
	"main.go:10:6: calls Charge",
	"main.go:11:7: calls Do",
}

// The same modules, the same findings as standalone: far's facts, which reach
// the command through mid only, count in neither.
func TestAsStandalone(t *testing.T) {
	dir := filepath.Join(passtest.LayOut(t, passtest.Chain), "app")
	output, status := vet(t, dir, "./...")
	if got := diagnostics(output); !slices.Equal(got, chainWants) || status == 0 {
		t.Errorf("status %d, got %q", status, got)
	}
	res, err := driver.Run(context.Background(), driver.Config{
		Dir: dir, Patterns: []string{"./..."}, Root: passtest.Suite(), Known: passtest.Known,
	})
	if err != nil {
		t.Fatal(err)
	}
	var alone []string
	for _, p := range res.Packages {
		for _, call := range p.Value.(*passtest.Told).Calls {
			place, callee, _ := strings.Cut(call, " ")
			alone = append(alone, place+" "+callee)
		}
	}
	var units []string
	for _, w := range chainWants {
		parts := strings.Split(filepath.Base(w), ":")
		units = append(units, parts[0]+":"+parts[1]+" "+strings.TrimPrefix(parts[3], " calls "))
	}
	slices.Sort(alone)
	slices.Sort(units)
	if !slices.Equal(alone, units) {
		t.Errorf("standalone %q, go vet %q", alone, units)
	}
}

// Client modules are chosen as they are standalone.
func TestClients(t *testing.T) {
	dir := filepath.Join(passtest.LayOutClients(t), "app")
	output, status := vet(t, dir, "./...")
	if got, want := diagnostics(output), []string{"main.go:12:9: calls Pay", "main.go:13:8: calls Pay"}; !slices.Equal(got, want) || status == 0 {
		t.Errorf("status %d, got %q, want %q", status, got, want)
	}
}

// A go command that passes no export data makes the unit checker of x/tools
// take over, which writes types into vetx files.
func TestWithoutExportData(t *testing.T) {
	dir := filepath.Join(passtest.LayOut(t, passtest.Chain), "app")
	t.Setenv("WITHOUT_EXPORTS", "1")
	output, status := vet(t, dir, "./...")
	got := diagnostics(output)
	for _, want := range chainWants {
		if !slices.Contains(got, want) {
			t.Errorf("status %d, no %q in %q", status, want, got)
		}
	}
}

// Another module that is named is looked at for its facts only.
func TestOtherModulesDoNotReport(t *testing.T) {
	dir := filepath.Join(passtest.LayOut(t, passtest.Chain), "app")
	output, status := vet(t, dir, "lib.test/retry")
	if status != 0 || len(diagnostics(output)) > 0 {
		t.Errorf("status %d, %s", status, output)
	}
}

func TestJSON(t *testing.T) {
	dir := filepath.Join(passtest.LayOut(t, passtest.Chain), "app")
	output, status := vet(t, dir, "-json", ".")
	var tree map[string]map[string][]struct {
		Posn, End, Message string
		Fixes              []struct{ Message string } `json:"suggested_fixes"`
	}
	if err := json.Unmarshal([]byte(output), &tree); err != nil || status != 0 {
		t.Fatalf("status %d, %v: %s", status, err, output)
	}
	got := tree["app.test/app"]["root"]
	if len(got) != 2 || !strings.HasSuffix(got[0].Posn, "main.go:10:6") || !strings.HasSuffix(got[0].End, "main.go:10:12") || got[0].Message != "calls Charge" || len(got[0].Fixes) != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestFix(t *testing.T) {
	root := passtest.LayOut(t, `
-- go.mod --
module m.test/m

go 1.26
-- m.go --
package m

func Retry() {}

func Once() {}

func F() { Retry() }
`)
	output, _ := vet(t, root, "-fix", "-diff", "./...")
	if !strings.Contains(output, "+func F() { Once() }") {
		t.Errorf("no diff: %s", output)
	}
	output, status := vet(t, root, "-fix", "./...")
	text, err := os.ReadFile(filepath.Join(root, "m.go"))
	if err != nil || status != 0 || !strings.HasSuffix(string(text), "func F() { Once() }\n") {
		t.Errorf("status %d, %v: %s\n%s", status, err, output, text)
	}
}

// Facts about methods travel through packages that only mention their type, as
// they do by the unit checker.
func TestFactsOfMethodsTravel(t *testing.T) {
	root := passtest.LayOut(t, `
-- go.mod --
module m.test/m

go 1.26
-- a/a.go --
package a

func Retry() {}

type T struct{}

func (*T) Method() { Retry() }

func Function() { Retry() }
-- b/b.go --
package b

import "m.test/m/a"

func Make() *a.T { return nil }

var Function = a.Function
-- c/c.go --
package c

import "m.test/m/b"

func F() { b.Make().Method() }
`)
	output, _ := vet(t, root, "./c")
	if got := diagnostics(output); !slices.Equal(got, []string{"c/c.go:5:21: calls Method"}) {
		t.Errorf("got %q", got)
	}
}

func TestPanicIsContained(t *testing.T) {
	root := passtest.LayOut(t, `
-- go.mod --
module m.test/m

go 1.26
-- a/a.go --
package a

func Retry() {}

func Panic() { Retry() }
-- b/b.go --
package b

import "m.test/m/a"

func F() { a.Panic() }
`)
	output, status := vet(t, root, "./...")
	if status == 0 || !strings.Contains(output, "internal error: analyzer summary panicked in passtest.summarize") || !strings.Contains(output, "a/a.go:5:16: calls Retry") || strings.Contains(output, "goroutine") {
		t.Errorf("status %d: %s", status, output)
	}
}

func TestWrongFlag(t *testing.T) {
	root := passtest.LayOut(t, "-- go.mod --\nmodule m.test/m\n-- m.go --\npackage m\n")
	output, status := vet(t, root, "-word=wrong", "./...")
	if status == 0 || !strings.Contains(output, "resilint: the word is wrong") {
		t.Errorf("status %d: %s", status, output)
	}
}

func TestTestVariants(t *testing.T) {
	root := passtest.LayOut(t, `
-- go.mod --
module m.test/m

go 1.26
-- m.go --
package m

func Retry() {}

func F() { Retry() }
-- m_test.go --
package m

func inTest() { F() }
-- x_test.go --
package m_test

import "m.test/m"

func F() { m.F() }
`)
	output, _ := vet(t, root, "./...")
	got := diagnostics(output)
	if want := []string{"m.go:5:12: calls Retry", "m_test.go:3:17: calls F", "x_test.go:5:14: calls F"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestVersion(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(self, "-V=full").Output()
	if err != nil {
		t.Fatal(err)
	}
	var id string
	if _, err := fmt.Sscanf(string(out), "resilint version devel buildID=%s\n", &id); err != nil || len(id) != 64 {
		t.Errorf("got %q", out)
	}
}
