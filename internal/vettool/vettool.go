// Package vettool speaks the protocol by which `go vet -vettool` runs an
// analysis: once with -V=full, once with -flags, then once per package with
// the name of a file that ends in .cfg.
package vettool

import (
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/resilint/resilint/internal/pass"
)

// Asked reports whether the go command calls, not a person.
func Asked(args []string) bool {
	return len(args) == 1 && (args[0] == "-V=full" || args[0] == "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Tool is the analysis in the go command's hands.
type Tool struct {
	// Flags adds the analysis's own flags to a set. The go command passes them
	// on from its command line.
	Flags func(*flag.FlagSet)
	// Root makes the analyzer, after the flags were parsed. Dir is the directory
	// of a package of a main module, "" for one of another.
	Root func(dir string) (*analysis.Analyzer, error)
	// Configuration, if not nil, is what verdicts depend on beside flags and the
	// program: the go command asks for it once, in its own directory.
	Configuration func() ([]byte, error)
	// Known is as in driver.Config.
	Known pass.Knowledge
}

// Main answers the go command, and returns the exit status.
func (t Tool) Main(args []string, stdout, stderr io.Writer) int {
	status, err := 0, error(nil)
	switch args[0] {
	case "-V=full":
		err = t.printVersion(stdout)
	case "-flags":
		err = t.printFlags(stdout)
	default:
		status, err = t.check(args, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "resilint: %v\n", err)
		return max(status, 1)
	}
	return status
}

// printVersion prints what the go command caches verdicts by. With "devel" in
// the third field it takes the last one, which must be the buildID.
func (t Tool) printVersion(w io.Writer) error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if t.Configuration != nil {
		data, err := t.Configuration()
		if err != nil {
			return err
		}
		h.Write(data)
	}
	_, err = fmt.Fprintf(w, "resilint version devel buildID=%s\n", hex.EncodeToString(h.Sum(nil)))
	return err
}

// printFlags lists the flags that go vet may pass on: the analysis's own and
// those of the unit checker that concern users.
func (t Tool) printFlags(w io.Writer) error {
	type jsonFlag struct {
		Name  string
		Bool  bool
		Usage string
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	t.Flags(fs)
	fs.Bool("json", false, "emit JSON output")
	fs.Bool("diff", false, "with -fix, don't update the files, but print a unified diff")
	fs.Int("c", -1, "display offending line with this many lines of context")
	var flags []jsonFlag
	fs.VisitAll(func(f *flag.Flag) {
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		flags = append(flags, jsonFlag{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	return json.NewEncoder(w).Encode(flags)
}

// check analyses one package.
func (t Tool) check(args []string, stdout, stderr io.Writer) (int, error) {
	cfg, err := readUnit(args[len(args)-1])
	if err != nil {
		return 1, err
	}
	given, err := t.parse(args)
	if err != nil {
		return 1, err
	}
	part, choice := t.part(cfg)
	dir := ""
	if part != nothing && moduleVersion(cfg) == "" {
		dir = cfg.Dir
	}
	root, err := t.Root(dir)
	if err != nil {
		return 1, err
	}
	if err := analysis.Validate([]*analysis.Analyzer{root}); err != nil {
		return 1, err
	}
	// Facts of imports are decoded whatever runs here.
	for _, a := range pass.Factual(root) {
		for _, f := range a.FactTypes {
			gob.Register(f)
		}
	}
	if given.fix || given.diff || !hasExports(cfg) {
		if choice != pass.Read && !t.Known.Look(choice, cfg.GoFiles, imports(cfg), nil) {
			part = nothing
		}
		t.uncheck(args, root, part)
	}
	if cfg.Stdout != "" {
		f, err := os.Create(cfg.Stdout)
		if err != nil {
			return 1, err
		}
		defer f.Close()
		stdout = f
	}
	u := &unit{Config: cfg, known: t.Known, choice: choice, fset: token.NewFileSet(), packages: map[string]*types.Package{}}
	return u.run(root, part, given.json, stdout, stderr)
}

// uncheck lets the unit checker of x/tools do the work, and exits. It knows how
// to apply fixes, and does without export data. All units of one go vet run
// come here or none does, as they differ neither in flags, which are part of
// the go command's cache key, nor in the go command.
//
// Its Main, not its Run: only Main sets its -json, -fix and -diff. It reads them
// from the process's command line, where our flags must be known too.
func (t Tool) uncheck(args []string, root *analysis.Analyzer, part part) {
	var analyzers []*analysis.Analyzer
	switch part {
	case all:
		analyzers = []*analysis.Analyzer{root}
	case factsOnly:
		analyzers = pass.Factual(root)
	}
	os.Args = append([]string{os.Args[0]}, args...)
	t.Flags(flag.CommandLine)
	unitchecker.Main(analyzers...)
}

// given are the unit checker's flags on the command line.
type given struct{ json, fix, diff bool }

// parse reads our flags and the unit checker's.
func (t Tool) parse(args []string) (given, error) {
	var g given
	fs := flag.NewFlagSet("resilint", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	t.Flags(fs)
	fs.BoolVar(&g.json, "json", false, "")
	fs.BoolVar(&g.fix, "fix", false, "")
	fs.BoolVar(&g.diff, "diff", false, "")
	fs.Int("c", 0, "")
	return g, fs.Parse(args)
}

func readUnit(file string) (*unitchecker.Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	unit := new(unitchecker.Config)
	if err := json.Unmarshal(data, unit); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return unit, nil
}

// How much of the analysis a package gets.
type part int

const (
	nothing part = iota
	factsOnly
	all
)

// part follows the driver's choice of sources, as far as a unit can: it does
// not know its importers, so every package of another module that may matter is
// analysed for its facts, however it is reached.
func (t Tool) part(unit *unitchecker.Config) (part, pass.Choice) {
	path, version := modulePath(unit), moduleVersion(unit)
	switch {
	case standard(unit):
		return nothing, pass.Skip
	case version == "" && unit.VetxOnly:
		return factsOnly, pass.Read
	case version == "":
		return all, pass.Read
	}
	choice := t.Known.Choose(path, imports(unit))
	if choice == pass.Skip || pass.TooLarge(unit.GoFiles) {
		return nothing, pass.Skip
	}
	return factsOnly, choice
}

// imports are the import paths of the packages that the unit imports.
func imports(unit *unitchecker.Config) []string {
	var out []string
	for _, imported := range unit.ImportMap {
		out = append(out, imported)
	}
	slices.Sort(out)
	return out
}

// modulePath is that of the unit's module.
func modulePath(unit *unitchecker.Config) string {
	if unit.Module != nil {
		return unit.Module.Path
	}
	return unit.ModulePath
}

// moduleVersion is that of the unit's module, "" for a main module.
func moduleVersion(unit *unitchecker.Config) string {
	if unit.Module != nil {
		return unit.Module.Version
	}
	return unit.ModuleVersion
}

// standard reports whether the unit is a package of the standard library, which
// has no module; neither have files that are named one by one.
func standard(unit *unitchecker.Config) bool {
	if unit.ModulePath != "" || unit.Module != nil && unit.Module.Path != "" {
		return false
	}
	first, _, _ := strings.Cut(unit.ImportPath, "/")
	goroot := os.Getenv("GOROOT")
	return !strings.Contains(first, ".") && goroot != "" && strings.HasPrefix(unit.Dir, filepath.Join(goroot, "src")+string(filepath.Separator))
}
