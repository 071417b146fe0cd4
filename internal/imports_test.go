package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/resilint/resilint/"

// order is the row of rooms from left to right: a room imports only what stands
// to the left of it. The rules' packages are one room.
var order = []string{
	"internal/finding",
	"internal/model",
	"rules/internal/index",
	"rules/internal/genindex",
	"rules",
	"internal/config",
	"internal/directive",
	"internal/suppress",
	"internal/declare",
	"internal/value",
	"internal/effect",
	"internal/loop",
	"internal/attempt",
	"internal/retry",
	"internal/summary",
	"internal/engine",
	"analyzers/*",
	"analyzers",
	"internal/pass",
	"internal/driver",
	"internal/vettool",
	"internal/report",
	"internal/baseline",
	"plugin",
	"cmd/resilint",
	"docs/internal/pages",
	"docs/internal/gendocs",
}

// arrows are the imports between rooms that there may be, each with a reason.
// One that is not listed is a decision: write the reason down here, or turn the
// dependency round.
var arrows = map[string]string{
	"rules/internal/index -> internal/model":          "the index is made from the loaded models",
	"rules/internal/genindex -> rules/internal/index": "the command that writes the index",
	"rules -> internal/finding":                       "severities of the catalogue",
	"internal/config -> internal/finding":             "severities",
	"internal/config -> internal/model":               "users' models have the schema of ours",
	"internal/config -> rules":                        "names of rules and presets",
	"internal/suppress -> internal/finding":           "marks findings",
	"internal/suppress -> rules":                      "users name rules by id, short id or alias",
	"internal/effect -> internal/declare":             "what users say of a function counts for what it sends",
	"internal/summary -> internal/declare":            "facts carry what users say",
	"analyzers -> internal/effect":                    "code that sends nothing for its caller needs no look",
	"analyzers -> internal/directive":                 "what is wrong with comments is reported",
	"internal/suppress -> internal/directive":         "a suppression is one",
	"internal/declare -> internal/directive":          "a declaration is one",
	"internal/summary -> internal/directive":          "what is wrong with declarations",
	"internal/engine -> internal/directive":           "what is wrong with declarations",
	"internal/value -> internal/model":                "symbols name what is modelled",
	"internal/effect -> internal/model":               "senders and requests are read through their models alone",
	"internal/effect -> internal/value":               "requests are values",
	"internal/retry -> internal/effect":               "what an attempt sends",
	"internal/summary -> internal/effect":             "facts carry effects",
	"analyzers/* -> internal/effect":                  "kinds of keys",
	"internal/loop -> internal/effect":                "a loop around what stays in the process is none",
	"internal/loop -> internal/model":                 "loops that a library turns are not ours",
	"internal/loop -> internal/value":                 "bounds and waits are values",
	"internal/retry -> internal/loop":                 "loops are sites",
	"internal/retry -> internal/attempt":              "sites carry what is seen between their attempts",
	"internal/attempt -> internal/effect":             "calls that send as a client does",
	"internal/attempt -> internal/loop":               "the body of a loop is the code of its attempts",
	"internal/attempt -> internal/model":              "functions and types are known by their symbols",
	"internal/attempt -> internal/value":              "callers of a function, and names of fields",
	"internal/summary -> internal/loop":               "the reader of loops is made with the others",
	"internal/retry -> internal/model":                "libraries are read through their models alone",
	"internal/retry -> internal/value":                "policies are values",
	"internal/summary -> internal/model":              "the gate: is an import modelled?",
	"internal/summary -> internal/value":              "facts carry terms",
	"internal/summary -> internal/retry":              "facts carry wraps, results carry sites",
	"internal/engine -> internal/finding":             "sites become findings and inventory",
	"internal/engine -> internal/config":              "sites are judged by it",
	"internal/engine -> internal/effect":              "which header is the key, is for the configuration to say",
	"internal/engine -> internal/model":               "names of functions, and the set of models",
	"internal/engine -> internal/retry":               "what rules judge",
	"internal/engine -> internal/summary":             "the analyzer that finds the sites",
	"internal/engine -> internal/value":               "the function around a closure",
	"internal/engine -> rules":                        "severities by tier",
	"plugin -> analyzers":                             "the suite as a linter",
	"plugin -> internal/config":                       "settings",
	"docs/internal/pages -> analyzers":                "pages hold the analyzers' documentation",
	"docs/internal/pages -> internal/config":          "its keys; rules judge by the default",
	"docs/internal/pages -> internal/engine":          "rules judge the libraries' defaults",
	"docs/internal/pages -> internal/finding":         "what they find",
	"docs/internal/pages -> internal/model":           "the libraries",
	"docs/internal/pages -> internal/retry":           "their policies by default",
	"docs/internal/pages -> rules":                    "the catalogue",
	"docs/internal/gendocs -> docs/internal/pages":    "the command that writes the pages",
	"analyzers/* -> internal/config":                  "the name of its file, in hints",
	"analyzers/* -> internal/engine":                  "sites, and the builder of findings",
	"analyzers/* -> internal/finding":                 "the result of a rule",
	"analyzers/* -> internal/retry":                   "schedules and policies of a site",
	"analyzers -> analyzers/*":                        "the suite lists the rules",
	"analyzers -> internal/config":                    "what the suite judges by",
	"analyzers -> internal/engine":                    "the analyzers that rules share",
	"analyzers -> internal/finding":                   "the result of the suite",
	"analyzers -> internal/model":                     "the set of models is built once, here",
	"analyzers -> internal/suppress":                  "comments are applied to the findings of all rules",
	"analyzers -> rules":                              "the models that are compiled in",
	"internal/pass -> internal/finding":               "positions of errors",
	"internal/driver -> internal/finding":             "positions of errors",
	"internal/driver -> internal/pass":                "runs the analyzers of one package",
	"internal/vettool -> internal/pass":               "runs the analyzers of one package",
	"internal/report -> internal/finding":             "what is printed",
	"internal/baseline -> internal/finding":           "known findings are marked",
	"internal/baseline -> internal/report":            "fingerprints, and which packages were analysed",
	"internal/baseline -> rules":                      "entries name rules",
	"cmd/resilint -> internal/baseline":               "what is known is silent",
	"cmd/resilint -> analyzers":                       "the suite",
	"cmd/resilint -> internal/pass":                   "both drivers choose by the same knowledge",
	"cmd/resilint -> internal/driver":                 "loads packages",
	"cmd/resilint -> internal/config":                 "flags are laid over it",
	"cmd/resilint -> internal/finding":                "severities in flags, results of the suite",
	"cmd/resilint -> internal/report":                 "formats",
	"cmd/resilint -> internal/vettool":                "go vet runs the same program",
	"cmd/resilint -> rules":                           "explain, and names of rules and presets",
}

// TestImports keeps the imports running from right to left of the row, and the
// table of them complete and without idle entries.
func TestImports(t *testing.T) {
	place := map[string]int{}
	for i, r := range order {
		place[r] = i
	}
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || name == "examples" || name == "policy" || // modules of their own
			strings.HasPrefix(name, ".") && name != "..") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		from := room(filepath.ToSlash(filepath.Dir(path))[len("../"):])
		if from == "" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range file.Imports {
			target, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			target, ours := strings.CutPrefix(target, module)
			to := room(target)
			if !ours || to == from {
				continue
			}
			arrow := from + " -> " + to
			used[arrow] = true
			_, known := place[from]
			_, knownTo := place[to]
			switch {
			case !known || !knownTo:
				t.Errorf("%s: %s is between rooms that have no place in the row", path, arrow)
			case arrows[arrow] == "":
				t.Errorf("%s: %s has no reason in the table", path, arrow)
			case place[to] >= place[from]:
				t.Errorf("%s: %s runs against the row", path, arrow)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for arrow := range arrows {
		if !used[arrow] {
			t.Errorf("nothing imports %s: take it out of the table", arrow)
		}
	}
}

// room is the room that the package in dir belongs to; helpers of tests are in
// none.
func room(dir string) string {
	switch {
	case strings.HasSuffix(dir, "/passtest"):
		return ""
	case strings.HasPrefix(dir, "analyzers/"):
		return "analyzers/*"
	}
	return dir
}
