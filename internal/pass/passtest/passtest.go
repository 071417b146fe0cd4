// Package passtest holds a small suite and a few modules, with which drivers are
// tested: do facts travel, does a panic stay where it is?
package passtest

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/resilint/resilint/internal/pass"
)

// Retries is the fact that a function retries: it calls one named Retry, or one
// that retries.
type Retries struct{}

func (*Retries) AFact()         {}
func (*Retries) String() string { return "retries" }

// HasRetries is the fact that a package has calls to functions that retry.
type HasRetries struct{ Count int }

func (*HasRetries) AFact() {}

// Told is the result of the suite: the calls to functions that retry, and the
// facts that the pass could list.
type Told struct {
	Calls, Facts []string
	Module       string
}

// Suite returns the root of a suite: it lists calls to functions that retry, and
// reports them with a fix that renames the callee. It panics when it meets a
// function named Panic that retries.
func Suite() *analysis.Analyzer {
	summary := &analysis.Analyzer{
		Name: "summary", Doc: "find functions that retry",
		FactTypes:  []analysis.Fact{new(Retries), new(HasRetries)},
		ResultType: reflect.TypeFor[*result](),
		Run:        summarize,
	}
	return &analysis.Analyzer{
		Name: "root", Doc: "list calls to functions that retry",
		Requires:   []*analysis.Analyzer{summary},
		ResultType: reflect.TypeFor[*Told](),
		Run: func(pass *analysis.Pass) (any, error) {
			r := pass.ResultOf[summary].(*result)
			for _, call := range r.calls {
				pass.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: "calls " + call.Name, SuggestedFixes: []analysis.SuggestedFix{{
					Message:   "call Once",
					TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End(), NewText: []byte("Once")}},
				}}})
			}
			return &r.told, nil
		},
	}
}

type result struct {
	told  Told
	calls []*ast.Ident
}

func summarize(pass *analysis.Pass) (any, error) {
	out := &result{told: Told{Module: pass.Module.Path}}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				callee, ok := pass.TypesInfo.Uses[id].(*types.Func)
				if !ok || callee.Name() != "Retry" && !pass.ImportObjectFact(callee, new(Retries)) {
					return true
				}
				if callee.Name() == "Panic" {
					panic("met " + callee.Name())
				}
				out.calls = append(out.calls, id)
				pos := pass.Fset.Position(id.Pos())
				out.told.Calls = append(out.told.Calls, fmt.Sprintf("%s:%d %s", filepath.Base(pos.Filename), pos.Line, callee.Name()))
				pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], new(Retries))
				return true
			})
		}
	}
	if n := len(out.calls); n > 0 {
		pass.ExportPackageFact(&HasRetries{n})
	}
	for _, f := range pass.AllObjectFacts() {
		out.told.Facts = append(out.told.Facts, f.Object.Pkg().Path()+"."+f.Object.Name())
	}
	for _, f := range pass.AllPackageFacts() {
		out.told.Facts = append(out.told.Facts, fmt.Sprintf("%s %d", f.Package.Path(), f.Fact.(*HasRetries).Count))
	}
	return out, nil
}

// Known is for a library that needs no look at its code, and for one that sends.
var Known = pass.Knowledge{
	Modelled: func(path string) bool { return path == "lib.test/retry" },
	Senders: func(path string) []string {
		if path == "net.test/send" {
			return []string{"Post"}
		}
		return nil
	},
	Skips: func(module string) bool { return module == "lib.test/retry" || module == "net.test/send" },
}

// LayOut writes the files of a txtar archive into a new directory, and sees to
// it that the go command's environment has no say.
func LayOut(t *testing.T, archive string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(strings.TrimSpace(archive) + "\n")).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	return root
}

// Chain is a command over three modules: near uses the library and is used
// directly; mid does not use it, and far, which does, is below mid only.
const Chain = `
-- lib/go.mod --
module lib.test/retry

go 1.26
-- lib/retry.go --
package retry

func Retry(f func() error) error { return f() }
-- lib/internal/more/more.go --
package more
-- app/go.mod --
module app.test/app

go 1.26

require (
	dep.test/far v0.0.0
	dep.test/mid v0.0.0
	dep.test/near v0.0.0
	lib.test/retry v0.0.0
)

replace (
	dep.test/far => ../far
	dep.test/mid => ../mid
	dep.test/near => ../near
	lib.test/retry => ../lib
)
-- app/main.go --
package main

import (
	"app.test/app/internal/pay"
	"dep.test/mid"
	"dep.test/near"
)

func main() {
	pay.Charge()
	near.Do()
	mid.Do()
	mid.Far().Method()
	near.Use(mid.Near())
}
-- app/internal/pay/pay.go --
package pay

import "lib.test/retry"

func Charge() { retry.Retry(nil) }

func Idle() {}
-- near/go.mod --
module dep.test/near

go 1.26

require lib.test/retry v0.0.0
-- near/near.go --
package near

import "lib.test/retry"

type T struct{ n int }

func Do() { retry.Retry(nil) }

func Use(T) {}
-- mid/go.mod --
module dep.test/mid

go 1.26

require (
	dep.test/far v0.0.0
	dep.test/near v0.0.0
)
-- mid/mid.go --
package mid

import (
	"dep.test/far"
	"dep.test/near"
)

func Do() { far.Do() }

func Far() far.T { return far.T{} }

func Near() near.T { return near.T{} }
-- far/go.mod --
module dep.test/far

go 1.26

require lib.test/retry v0.0.0
-- far/far.go --
package far

import "lib.test/retry"

type T struct{}

func (T) Method() { retry.Retry(nil) }

func Do() { retry.Retry(nil) }
`

// Clients is a command over modules that use no library: client sends, and its
// package parts does so by client; serve imports what sends and does not send by
// it; wrap, of another module than client, is not followed into; bulk sends, and
// is larger than what is read.
const Clients = `
-- lib/go.mod --
module lib.test/retry

go 1.26
-- lib/retry.go --
package retry

func Retry() {}
-- net/go.mod --
module net.test/send

go 1.26
-- net/send.go --
package send

type Client struct{}

func (Client) Post() {}

func (Client) Get() {}
-- app/go.mod --
module app.test/app

go 1.26

require (
	bulk.test/bulk v0.0.0
	client.test/client v0.0.0
	net.test/send v0.0.0
	serve.test/serve v0.0.0
	wrap.test/wrap v0.0.0
)

replace (
	bulk.test/bulk => ../bulk
	client.test/client => ../client
	net.test/send => ../net
	serve.test/serve => ../serve
	wrap.test/wrap => ../wrap
)
-- app/main.go --
package main

import (
	"bulk.test/bulk"
	"client.test/client"
	"client.test/client/parts"
	"serve.test/serve"
	"wrap.test/wrap"
)

func main() {
	client.Pay()
	parts.Pay()
	parts.Idle()
	serve.Serve()
	wrap.Pay()
	bulk.Pay()
}
-- client/go.mod --
module client.test/client

go 1.26

require net.test/send v0.0.0
-- client/client.go --
package client

import "net.test/send"

func Retry() {}

func Pay() {
	send.Client{}.Post()
	Retry()
}
-- client/parts/parts.go --
package parts

import "client.test/client"

func Pay() { client.Pay() }

func Idle() {}
-- client/idle/idle.go --
package idle
-- serve/go.mod --
module serve.test/serve

go 1.26

require net.test/send v0.0.0
-- serve/serve.go --
package serve

import "net.test/send"

func Retry() {}

func Serve() {
	send.Client{}.Get()
	Retry()
}
-- wrap/go.mod --
module wrap.test/wrap

go 1.26

require client.test/client v0.0.0
-- wrap/wrap.go --
package wrap

import "client.test/client"

func Pay() { client.Pay() }
-- bulk/go.mod --
module bulk.test/bulk

go 1.26

require net.test/send v0.0.0
-- bulk/bulk.go --
package bulk

import "net.test/send"

func Retry() {}

func Pay() {
	send.Client{}.Post()
	Retry()
}
`

// LayOutClients writes Clients, with what makes bulk large.
func LayOutClients(t *testing.T) string {
	t.Helper()
	filler := "package bulk\n\n// " + strings.Repeat("x", pass.MaxSource) + "\n"
	return LayOut(t, Clients+"-- bulk/filler.go --\n"+filler)
}
