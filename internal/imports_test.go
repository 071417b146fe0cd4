package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/resilint/resilint/"

// rooms lists the packages of the house from left to right, each with what it
// is for. A package imports what stands left of it, never its like or what
// stands right. "x/..." are the packages below x, which do not know each other.
var rooms = []struct{ path, reason string }{
	{"internal/finding", "plain data that everybody may hold"},
	{"internal/model", "what libraries do, without opinion"},
	{"rules", "the catalogue: models as files, and severities of findings"},
	{"internal/value", "what an expression can be, with models for calls"},
	{"internal/retry", "what a model means for a policy, over terms"},
	{"internal/summary", "sites and facts of one package"},
	{"internal/suppress", "comments speak of rules and silence findings"},
	{"internal/engine", "sites as rules see them, under one configuration"},
	{"analyzers/...", "rules judge sites, and know nothing of each other"},
	{"analyzers", "the suite knows all rules"},
	{"internal/pass", "runs any analyzers on one package"},
	{"internal/driver", "schedules passes; knows analyzers by interface"},
	{"internal/vettool", "the same for one unit of go vet"},
	{"internal/report", "writes findings, knows no analysis"},
	{"plugin", "the suite as a linter"},
	{"cmd/...", "everything together"},
	{"docs/internal/pages", "asks the suite what it does"},
}

// tools write files of the repository, or hold only tests. They may import
// anything.
var tools = []string{"internal", "rules/internal/", "docs/internal/gendocs", "internal/pass/passtest", "docs"}

func room(pkg string) int {
	at := -1
	for i, r := range rooms {
		below, many := strings.CutSuffix(r.path, "/...")
		if pkg == r.path || many && strings.HasPrefix(pkg, below+"/") {
			at = i
		}
	}
	return at
}

func TestImportsGoLeft(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(pkg.ImportPath, module)
		if strings.HasPrefix(from, "examples/") || strings.HasPrefix(from, "policy") || isTool(from) {
			continue // other modules
		}
		here := room(from)
		if here < 0 {
			t.Errorf("%s has no place in the house: add it to rooms", from)
			continue
		}
		seen++
		for _, imp := range pkg.Imports {
			to, ours := strings.CutPrefix(imp, module)
			if !ours {
				continue
			}
			if there := room(to); there < 0 || there >= here {
				t.Errorf("%s imports %s, which does not stand left of it", from, to)
			}
		}
	}
	if seen == 0 {
		t.Error("no packages")
	}
}

func isTool(pkg string) bool {
	for _, tool := range tools {
		if pkg == tool || strings.HasSuffix(tool, "/") && strings.HasPrefix(pkg, tool) {
			return true
		}
	}
	return false
}
