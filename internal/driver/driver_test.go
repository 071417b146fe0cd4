package driver_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/driver"
	"github.com/resilint/resilint/internal/pass/passtest"
)

type told = passtest.Told

var (
	suite  = passtest.Suite
	layOut = passtest.LayOut
)

const chain = passtest.Chain

// run lays out the archive and analyses patterns in its directory dir.
func run(t *testing.T, archive, dir string, patterns ...string) (*driver.Result, error) {
	t.Helper()
	root := layOut(t, archive)
	return runIn(filepath.Join(root, dir), suite(), "", patterns...)
}

func runIn(dir string, root *analysis.Analyzer, tags string, patterns ...string) (*driver.Result, error) {
	return driver.Run(context.Background(), driver.Config{
		Dir: dir, Patterns: patterns, Tags: tags, Root: root, Known: passtest.Known,
	})
}

// describe is a result as lines, for comparison.
func describe(res *driver.Result) string {
	var b strings.Builder
	for _, p := range res.Packages {
		calls := "-"
		if v, ok := p.Value.(*told); ok {
			calls = strings.Join(v.Calls, ", ")
		}
		fmt.Fprintf(&b, "%s: %s\n", p.Path, calls)
		for _, e := range p.Errors {
			fmt.Fprintf(&b, "  internal: %s\n", e)
		}
	}
	for _, f := range res.Failures {
		fmt.Fprintf(&b, "! %s", f.Package)
		if f.Because != "" {
			fmt.Fprintf(&b, " because of %s", f.Because)
		}
		b.WriteString("\n")
		for _, e := range f.Errors {
			file := e.Pos.File
			if file != "" {
				file, _ = filepath.Rel(res.Base, file)
			}
			fmt.Fprintf(&b, "  %s:%d: %s\n", filepath.ToSlash(file), e.Pos.Line, e.Message)
		}
	}
	if len(res.FactsOnly) > 0 {
		fmt.Fprintf(&b, "facts: %s\n", strings.Join(res.FactsOnly, " "))
	}
	return b.String()
}

func expect(t *testing.T, res *driver.Result, err error, want string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(res); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got:\n%s\nwant:%s", got, want)
	}
}

// A fact of a dependency counts where a chain of packages that use a modelled
// one leads to it. Types are one and the same whether they come from source
// (near.T at near.Use) or by way of export data (near.T that mid returns).
func TestFactsFlow(t *testing.T) {
	res, err := run(t, chain, "app", ".")
	expect(t, res, err, `
app.test/app: main.go:10 Charge, main.go:11 Do
facts: app.test/app/internal/pay dep.test/near
`)
	facts := res.Packages[0].Value.(*told).Facts
	want := []string{"app.test/app.main", "app.test/app/internal/pay.Charge", "dep.test/near.Do",
		"app.test/app 2", "app.test/app/internal/pay 1", "dep.test/near 1"}
	if !slices.Equal(facts, want) {
		t.Errorf("facts %v, want %v", facts, want)
	}
	if got := res.Packages[0].Value.(*told).Module; got != "app.test/app" {
		t.Errorf("module %q", got)
	}
}

func TestNamedPackagesReport(t *testing.T) {
	res, err := run(t, chain, "app", "./...", "dep.test/far")
	expect(t, res, err, `
app.test/app: main.go:10 Charge, main.go:11 Do, main.go:13 Method
app.test/app/internal/pay: pay.go:5 Retry
dep.test/far: far.go:7 Retry, far.go:9 Retry
facts: dep.test/near
`)
}

// A client module is read that uses no library: where it mentions what sends, or what
// another package of its module sends by. One that is large is not, and is listed.
func TestClients(t *testing.T) {
	dir := filepath.Join(passtest.LayOutClients(t), "app")
	res, err := runIn(dir, suite(), "", "./...")
	expect(t, res, err, `
app.test/app: main.go:12 Pay, main.go:13 Pay
facts: client.test/client client.test/client/parts
`)
	if !slices.Equal(res.TooLarge, []string{"bulk.test/bulk"}) {
		t.Errorf("too large: %q", res.TooLarge)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	root := layOut(t, chain)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var want string
	for _, n := range []int{1, 2, 8, 8, 8} {
		runtime.GOMAXPROCS(n)
		res, err := runIn(filepath.Join(root, "app"), suite(), "", "./...")
		if err != nil {
			t.Fatal(err)
		}
		got := describe(res)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("with GOMAXPROCS=%d:\n%s\nwant:\n%s", n, got, want)
		}
	}
}

func TestFailures(t *testing.T) {
	res, err := run(t, `
-- go.mod --
module m.test/m

go 1.26
-- good/good.go --
package good

func Retry() {}

func F() { Retry() }
-- bad/bad.go --
package bad

func F() { undefined() }

var unused int = "x"
-- syntax/syntax.go --
package syntax

func F( {
-- user/user.go --
package user

import "m.test/m/bad"

func F() { bad.F() }
-- far/far.go --
package far

import "m.test/m/user"

func F() { user.F() }
-- lost/lost.go --
package lost

import "nowhere.test/x"

var _ = x.X
-- embeds/embeds.go --
package embeds

import _ "embed"

//go:embed nothing.txt
var nothing string
-- tests/only_test.go --
package tests
`, "", "./...")
	expect(t, res, err, `
m.test/m/good: good.go:5 Retry
! m.test/m/bad
  bad/bad.go:3: undefined: undefined
  bad/bad.go:5: cannot use "x" (untyped string constant) as int value in variable declaration
! m.test/m/embeds
  embeds/embeds.go:5: pattern nothing.txt: no matching files found
! m.test/m/far because of m.test/m/bad
! m.test/m/lost because of nowhere.test/x
! m.test/m/syntax
  syntax/syntax.go:3: expected ')', found '{'
! m.test/m/user because of m.test/m/bad
! nowhere.test/x
  lost/lost.go:3: no required module provides package nowhere.test/x; to add it: go get nowhere.test/x
`)
}

func TestImportCycle(t *testing.T) {
	res, err := run(t, `
-- go.mod --
module m.test/m

go 1.26
-- a/a.go --
package a

import _ "m.test/m/b"
-- b/b.go --
package b

import _ "m.test/m/a"
-- c/c.go --
package c

import _ "m.test/m/a"
-- ok/ok.go --
package ok
`, "", "./...")
	if err != nil {
		t.Fatal(err)
	}
	got := describe(res)
	if len(res.Failures) != 3 || !strings.Contains(got, "import cycle not allowed") || !strings.HasPrefix(got, "m.test/m/ok:") {
		t.Errorf("got:\n%s", got)
	}
}

// A dependency that fails is named, whether it is read from source or not.
func TestFailingDependency(t *testing.T) {
	broken := strings.Replace(chain, "type T struct{ n int }\n", "type T struct{ n int }\n\nvar x int = \"\"\n", 1)
	res, err := run(t, broken, "app", "./...")
	expect(t, res, err, `
app.test/app/internal/pay: pay.go:5 Retry
! app.test/app because of dep.test/near
! dep.test/near
  ../near/near.go:7: cannot use "" (untyped string constant) as int value in variable declaration
`)
	broken = strings.Replace(chain, "type T struct{}\n", "type T struct{}\n\nvar x int = \"\"\n", 1)
	res, err = run(t, broken, "app", "./...")
	expect(t, res, err, `
app.test/app/internal/pay: pay.go:5 Retry
! app.test/app because of dep.test/far
! dep.test/far
  ../far/far.go:7: cannot use "" (untyped string constant) as int value in variable declaration
facts: dep.test/near
`)
}

func TestPanicIsContained(t *testing.T) {
	res, err := run(t, `
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
-- c/c.go --
package c

import "m.test/m/b"

func F() { b.F() }
`, "", "./...")
	if err != nil {
		t.Fatal(err)
	}
	b := res.Packages[1]
	if len(b.Errors) != 1 || !strings.HasPrefix(b.Errors[0], "analyzer summary panicked in passtest.summarize") || !strings.HasSuffix(b.Errors[0], ": met Panic") || b.Value != nil {
		t.Errorf("got:\n%s", describe(res))
	}
	if len(res.Packages) != 3 || len(res.Packages[2].Errors) > 0 {
		t.Errorf("the importer suffers:\n%s", describe(res))
	}
}

func TestAnalyzerErrors(t *testing.T) {
	root := layOut(t, "-- go.mod --\nmodule m.test/m\n-- a.go --\npackage m\n")
	for name, a := range map[string]*analysis.Analyzer{
		"analyzer root: no luck": {Run: func(*analysis.Pass) (any, error) { return nil, fmt.Errorf("no luck") }},
		"analyzer root returned a string, not a *passtest.Told": {
			ResultType: reflect.TypeFor[*told](), Run: func(*analysis.Pass) (any, error) { return "", nil }},
	} {
		a.Name, a.Doc = "root", "fail"
		res, err := runIn(root, a, "", ".")
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Packages[0].Errors; len(got) != 1 || got[0] != name {
			t.Errorf("errors %q, want %q", got, name)
		}
	}
}

func TestBuildTagsAndGOFLAGS(t *testing.T) {
	root := layOut(t, `
-- go.mod --
module m.test/m

go 1.26
-- a.go --
package m

func Retry() {}
-- b.go --
//go:build extra

package m

func F() { Retry() }
`)
	for _, try := range []struct{ tags, goflags, want string }{
		{"", "", "m.test/m: \n"},
		{"extra", "", "m.test/m: b.go:5 Retry\n"},
		{"", "-tags=extra", "m.test/m: b.go:5 Retry\n"},
	} {
		t.Setenv("GOFLAGS", try.goflags)
		res, err := runIn(root, suite(), try.tags, "./...")
		expect(t, res, err, try.want)
	}
}

func TestWorkspace(t *testing.T) {
	res, err := run(t, `
-- go.work --
go 1.26

use (
	./one
	./two
)
-- one/go.mod --
module w.test/one

go 1.26
-- one/one.go --
package one

func Retry() {}

func F() { Retry() }
-- two/go.mod --
module w.test/two

go 1.26

require w.test/one v0.0.0
-- two/two.go --
package two

import "w.test/one"

func F() { one.F() }
`, "two", "./...")
	expect(t, res, err, `
w.test/two: two.go:5 F
facts: w.test/one
`)
	if filepath.Base(res.Base) == "two" {
		t.Errorf("paths are told relative to %s, not to the workspace", res.Base)
	}
}

func TestVendor(t *testing.T) {
	res, err := run(t, `
-- go.mod --
module v.test/v

go 1.26

require (
	dep.test/near v1.0.0
	lib.test/retry v1.0.0
)
-- v.go --
package v

import "dep.test/near"

func F() { near.Do() }
-- vendor/modules.txt --
# dep.test/near v1.0.0
## explicit; go 1.26
dep.test/near
# lib.test/retry v1.0.0
## explicit; go 1.26
lib.test/retry
-- vendor/dep.test/near/near.go --
package near

import "lib.test/retry"

func Do() { retry.Retry() }
-- vendor/lib.test/retry/retry.go --
package retry

func Retry() {}
`, "", "./...")
	expect(t, res, err, `
v.test/v: v.go:5 Do
facts: dep.test/near
`)
}

// Positions follow //line, so that generated code points at what it was
// generated from.
func TestGenerated(t *testing.T) {
	res, err := run(t, `
-- go.mod --
module m.test/m

go 1.26
-- y.go --
// Code generated by goyacc. DO NOT EDIT.

package m

func Retry() {}

//line grammar.y:40
func F() { Retry() }
`, "", "./...")
	expect(t, res, err, "m.test/m: grammar.y:40 Retry\n")
}

func TestCgo(t *testing.T) {
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("no cgo")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	res, err := run(t, `
-- go.mod --
module m.test/m

go 1.26
-- c.go --
package m

// static int one(void) { return 1; }
import "C"

func Retry() int { return int(C.one()) }

func F() { Retry() }
`, "", "./...")
	expect(t, res, err, "m.test/m: c.go:8 Retry\n")
}

func TestConfigurationErrors(t *testing.T) {
	const good = "-- go.mod --\nmodule m.test/m\n\ngo 1.26\n-- a.go --\npackage m\n-- empty/readme --\n"
	for _, try := range []struct{ name, archive, pattern, want string }{
		{"outside", "-- a.go --\npackage a\n", "./...", "there is no go.mod in "},
		{"go.mod", "-- go.mod --\nmodule m.test/m\n\nnonsense 1\n-- a.go --\npackage a\n", "./...", "unknown directive: nonsense"},
		{"pattern", good, "./nothing/...", "no packages match ./nothing/..."},
		{"package", good, "./nothing", "no package "},
		{"empty", good, "./empty", "no package "},
		{"standard", good, "sitse", "no package sitse: "},
	} {
		t.Run(try.name, func(t *testing.T) {
			_, err := run(t, try.archive, "", try.pattern)
			if err == nil || !strings.Contains(err.Error(), try.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, try.want)
			}
		})
	}
	t.Run("no go command", func(t *testing.T) {
		root := layOut(t, good)
		t.Setenv("PATH", root)
		if _, err := runIn(root, suite(), "", "./..."); err == nil || err.Error() != "there is no go command in PATH" {
			t.Errorf("error %v", err)
		}
	})
}
