package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/pass"
)

// environment is what the go command says about where it runs.
type environment struct {
	GOMOD, GOWORK, GOARCH, GO111MODULE string
	dir                                string
}

// base is the directory of the workspace, else of the main module.
func (e *environment) base() string {
	for _, file := range []string{e.GOWORK, e.GOMOD} {
		if file != "" && file != "off" && file != os.DevNull {
			return filepath.Dir(file)
		}
	}
	return e.dir
}

func goEnv(ctx context.Context, dir string) (*environment, error) {
	out, _, err := goCommand(ctx, dir, "env", "-json", "GOMOD", "GOWORK", "GOARCH", "GO111MODULE")
	if err != nil {
		return nil, err
	}
	env := new(environment)
	if err := json.Unmarshal(out, env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	if env.dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if env.GO111MODULE != "off" && (env.GOMOD == "" || env.GOMOD == os.DevNull) && (env.GOWORK == "" || env.GOWORK == "off") {
		return nil, fmt.Errorf("there is no go.mod in %s or above it", env.dir)
	}
	return env, nil
}

// listing is the go command's view of the named packages and of all that they
// depend on.
type listing struct {
	packages []*listed // dependencies first
	byPath   map[string]*listed
	dir      string
	warnings []string
}

// listed is one package, with the fields of `go list -json` that we ask for.
type listed struct {
	Dir             string
	ImportPath      string
	Name            string
	Export          string
	Standard        bool
	DepOnly         bool
	Module          *listedModule
	GoFiles         []string
	CgoFiles        []string
	CompiledGoFiles []string
	IgnoredGoFiles  []string
	CFiles          []string
	HFiles          []string
	SFiles          []string
	TestGoFiles     []string
	XTestGoFiles    []string
	Imports         []string
	ImportMap       map[string]string
	Error           *listedError
	DepsErrors      []*listedError
}

type listedModule struct {
	Path, Version, Dir, GoMod, GoVersion string
	Main, Indirect                       bool
	Replace                              *listedModule
}

type listedError struct {
	ImportStack []string
	Pos         string
	Err         string
}

const listFields = "Dir,ImportPath,Name,Export,Standard,DepOnly,Module,GoFiles,CgoFiles,CompiledGoFiles,IgnoredGoFiles," +
	"CFiles,HFiles,SFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,Error,DepsErrors"

func (p *listed) named() bool { return !p.DepOnly }

// main reports whether the package belongs to a module that is being worked on.
func (p *listed) main() bool { return p.Module != nil && p.Module.Main }

func (p *listed) modulePath() string {
	if p.Module == nil {
		return ""
	}
	return p.Module.Path
}

func (p *listed) moduleDir() string {
	if p.Module == nil {
		return ""
	}
	return p.Module.Dir
}

// goVersion is the language version, in the form that go/types wants.
func (p *listed) goVersion() string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

// source is what the package consists of.
func (p *listed) source() pass.Source {
	return pass.Source{
		Path: p.ImportPath, GoVersion: p.goVersion(), Files: p.compiled(),
		OtherFiles:   p.absAll(p.CFiles, p.HFiles, p.SFiles),
		IgnoredFiles: p.absAll(p.IgnoredGoFiles),
		Module:       p.Module.analysis(),
	}
}

// analysis is the module in the form that passes carry.
func (m *listedModule) analysis() *analysis.Module {
	if m == nil {
		return &analysis.Module{}
	}
	out := &analysis.Module{
		Path: m.Path, Version: m.Version, Main: m.Main, Indirect: m.Indirect,
		Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion,
	}
	if m.Replace != nil {
		out.Replace = m.Replace.analysis()
	}
	return out
}

// hasCode reports whether there is anything beside tests to analyse.
func (p *listed) hasCode() bool { return len(p.GoFiles)+len(p.CgoFiles) > 0 }

// compiled are the absolute names of the files to parse. Those that cgo made
// come from the build cache, where names need not end in .go; assembly and C,
// which the go command lists too, do not count. Below a package that does not
// compile nothing is listed as compiled.
func (p *listed) compiled() []string {
	names := p.CompiledGoFiles
	if len(names) == 0 {
		names = p.GoFiles
	}
	var out []string
	for _, name := range names {
		if ext := filepath.Ext(name); ext == ".go" || ext == "" {
			out = append(out, p.abs(name))
		}
	}
	return out
}

func (p *listed) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

func (p *listed) absAll(lists ...[]string) []string {
	var out []string
	for _, names := range lists {
		for _, name := range names {
			out = append(out, p.abs(name))
		}
	}
	return out
}

// resolve is the import path of the package that an import in p's source means.
func (p *listed) resolve(path string) string {
	if mapped, ok := p.ImportMap[path]; ok {
		return mapped
	}
	return path
}

// Match reports, in one line, what keeps the go command from finding a package
// by each of the patterns: there is no module, its go.mod is broken, nothing is
// there. Packages that do not compile are found.
func Match(ctx context.Context, cfg Config) error {
	if _, err := goEnv(ctx, cfg.Dir); err != nil {
		return err
	}
	_, err := goList(ctx, cfg)
	return err
}

// everything are the flags of the one call that tells all: files, imports, modules,
// export data. Profile-guided builds would list packages once per command, and
// a version control stamp has no place in an analysis, so both are off.
var everything = []string{"-export", "-deps", "-compiled", "-pgo=off", "-buildvcs=false"}

// goList lists the packages that the patterns name, and what the flags add.
func goList(ctx context.Context, cfg Config, flags ...string) (*listing, error) {
	args := append([]string{"list", "-e", "-json=" + listFields}, flags...)
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	args = append(append(args, "--"), cfg.Patterns...)
	stdout, stderr, err := goCommand(ctx, cfg.Dir, args...)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	list, err := decodeList(bytes.NewReader(stdout), dir)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(stderr)) {
		if warning, ok := strings.CutPrefix(strings.TrimSpace(line), "go: warning: "); ok {
			list.warnings = append(list.warnings, warning)
		}
	}
	named := list.named()
	for _, p := range named {
		if p.missing() {
			if strings.Contains(p.ImportPath, "...") {
				return nil, fmt.Errorf("no packages match %s", p.ImportPath)
			}
			return nil, fmt.Errorf("no package %s: %s", p.ImportPath, oneLine(p.Error.Err))
		}
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(cfg.Patterns, " "))
	}
	return list, nil
}

func (l *listing) named() []*listed {
	var out []*listed
	for _, p := range l.packages {
		if p.named() {
			out = append(out, p)
		}
	}
	return out
}

// missing reports whether there is nothing where the user said a package was.
func (p *listed) missing() bool {
	return p.Error != nil && !p.hasCode() && len(p.IgnoredGoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 &&
		len(p.Error.ImportStack) <= 1 // imported by nobody
}

// decodeList reads the stream. The go command lists a package twice when one
// of its importers may not import it (a command, another module's internal
// package): the error is then the importer's.
func decodeList(r io.Reader, dir string) (*listing, error) {
	list := &listing{byPath: map[string]*listed{}, dir: dir}
	importersErrors := map[string]*listedError{}
	for dec := json.NewDecoder(r); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.ImportPath == "" {
			if p.Error != nil {
				return nil, errors.New(oneLine(p.Error.Err))
			}
			continue
		}
		p.Imports = slices.DeleteFunc(p.Imports, func(path string) bool { return path == "C" })
		old := list.byPath[p.ImportPath]
		if old == nil {
			list.byPath[p.ImportPath] = p
			list.packages = append(list.packages, p)
			continue
		}
		good, bad := old, p
		if old.Error != nil {
			good, bad = p, old
		}
		good.DepOnly = good.DepOnly && bad.DepOnly
		if bad.Error != nil {
			if stack := bad.Error.ImportStack; len(stack) > 0 {
				importer := stack[len(stack)-1]
				if importer == bad.ImportPath && len(stack) > 1 {
					importer = stack[len(stack)-2]
				}
				importersErrors[importer] = bad.Error
			}
		}
		*old = *good
	}
	for path, err := range importersErrors {
		if p := list.byPath[path]; p != nil && p.Error == nil {
			p.Error = err
		}
	}
	return list, nil
}

// positioned matches an error message that says where.
var positioned = regexp.MustCompile(`^(.+?\.[a-zA-Z]+):(\d+)(?::(\d+))?:?\s*(.*)$`)

// errors takes the go command's error apart: the compiler's come as one text
// of several lines below a heading.
func (l *listing) errors(e *listedError) []Error {
	var out []Error
	text := strings.TrimSpace(e.Err)
	for line := range strings.Lines(text) {
		if m := positioned.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil && !strings.HasPrefix(line, "\t") {
			out = append(out, Error{Pos: l.position(m), Message: m[4]})
		}
	}
	if len(out) > 0 {
		return out
	}
	text = oneLine(text)
	if text == "import cycle not allowed" {
		text += ": " + strings.Join(e.ImportStack, " imports ")
	}
	if m := positioned.FindStringSubmatch(e.Pos); m != nil {
		return []Error{{Pos: l.position(m), Message: text}}
	}
	return []Error{{Message: text}}
}

func (l *listing) position(m []string) finding.Position {
	file := m[1]
	if !filepath.IsAbs(file) {
		file = filepath.Join(l.dir, file)
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return finding.Position{File: file, Line: line, Column: column}
}

// goCommand runs the go command, which reads GOFLAGS and the rest of its
// environment itself.
func goCommand(ctx context.Context, dir string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		switch {
		case errors.Is(err, exec.ErrNotFound):
			return nil, nil, errors.New("there is no go command in PATH")
		case errors.As(err, &exit) && errOut.Len() > 0:
			return nil, nil, errors.New(oneLine(errOut.String()))
		default:
			return nil, nil, fmt.Errorf("go %s: %w", args[0], err)
		}
	}
	return out.Bytes(), errOut.Bytes(), nil
}

// oneLine is a text of the go command as one line: without its name in front,
// and with the first detail when the first line only announces it.
func oneLine(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "go: "))
		if line == "" || strings.HasPrefix(line, "downloading ") || strings.HasPrefix(line, "warning: ") {
			continue
		}
		kept = append(kept, line)
		if !strings.HasSuffix(line, ":") {
			break
		}
	}
	return strings.Join(kept, " ")
}
