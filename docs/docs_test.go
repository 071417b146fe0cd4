package docs

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/resilint/resilint/docs/internal/pages"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/model"
)

var update = flag.Bool("update", false, "write the output of commands into the documentation")

// root is the repository, from the directory of this package.
const root = ".."

// documents are the hand-written files of the documentation.
func documents(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(append(names, more...), func(name string) bool { return name == "libraries.md" })
}

// A block is a fenced part of a document.
type block struct {
	file       string
	start, end int // lines of its content
	language   string
	lines      []string
	notRun     string // why a test cannot run it
}

func (b block) String() string {
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(b.file, root+"/"), b.start+1)
}

// notRun marks a block of commands that a test cannot run, with the reason.
var notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

func blocks(t *testing.T, file string) (found []block, lines []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(string(text), "\n")
	var open *block
	for i, line := range lines {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{file: file, start: i + 1, language: language}
			if i > 0 {
				if m := notRun.FindStringSubmatch(lines[i-1]); m != nil {
					open.notRun = m[1]
				}
			}
		case fence:
			open.end, open.lines = i, lines[open.start:i]
			found = append(found, *open)
			open = nil
		}
	}
	if open != nil {
		t.Errorf("%s: a block is not closed", open)
	}
	return found, lines
}

// Every command of the documentation prints what the documentation says, or
// says why no test can tell.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the command")
	}
	bin := t.TempDir()
	for _, args := range [][]string{
		{"build", "-buildvcs=false", "-o", bin, "./cmd/resilint"},
		// The go command tells what it downloads, between the lines of others.
		{"list", "-deps", "-buildvcs=false", "./examples/payments/...", "./examples/payments-fixed/..."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	ran := 0
	for _, file := range documents(t) {
		found, lines := blocks(t, file)
		for _, b := range slices.Backward(found) { // an update moves what follows
			switch b.language {
			case "console":
				if b.notRun != "" {
					t.Logf("%s is not run: %s", b, b.notRun)
					continue
				}
				got := transcript(t, bin, b)
				ran++
				if want := b.lines; !slices.Equal(got, want) {
					if *update {
						lines = slices.Concat(lines[:b.start], got, lines[b.end:])
						continue
					}
					t.Errorf("%s shows\n%s\nbut it is\n%s\n(go test ./docs -update)", b, strings.Join(want, "\n"), strings.Join(got, "\n"))
				}
			case "sh", "bash", "shell":
				if b.notRun == "" {
					t.Errorf("%s: commands are in blocks of console, or marked <!-- not run: reason -->", b)
				} else {
					t.Logf("%s is not run: %s", b, b.notRun)
				}
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran == 0 {
		t.Error("no command was run")
	}
}

// transcript runs the commands of a block, those of its lines that start with a
// prompt, and returns the block as a terminal shows it.
func transcript(t *testing.T, bin string, b block) []string {
	t.Helper()
	var out []string
	for _, line := range b.lines {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		out = append(out, line)
		out = append(out, run(t, bin, command)...)
	}
	if len(out) == 0 {
		t.Errorf("%s has no command", b)
	}
	return out
}

// run runs a command at the root of the repository. "go run ./cmd/resilint" is
// the command that was built, to build it once.
func run(t *testing.T, bin, command string) []string {
	t.Helper()
	rest, goRun := strings.CutPrefix(command, "go run ./cmd/resilint")
	if goRun {
		command = "resilint" + rest
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		if goRun {
			fmt.Fprintf(&buf, "exit status %d\n", exit.ExitCode()) // so does go run
		}
	case err != nil:
		t.Fatalf("%s: %v", command, err)
	}
	text := strings.TrimSuffix(buf.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// A block of Go or YAML that starts by naming a file is a part of that file.
func TestExcerpts(t *testing.T) {
	for _, file := range documents(t) {
		found, _ := blocks(t, file)
		for _, b := range found {
			if len(b.lines) == 0 || b.language != "go" && b.language != "yaml" {
				continue
			}
			name, ok := strings.CutPrefix(strings.TrimLeft(b.lines[0], "/# "), "from ")
			if !ok {
				continue
			}
			source, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Errorf("%s: %v", b, err)
				continue
			}
			if !strings.Contains(string(source), strings.Join(b.lines[1:], "\n")+"\n") {
				t.Errorf("%s is not a part of %s", b, name)
			}
		}
	}
}

// Go code in the documentation is formatted.
func TestGoIsFormatted(t *testing.T) {
	for _, file := range documents(t) {
		found, _ := blocks(t, file)
		for _, b := range found {
			if b.language != "go" {
				continue
			}
			src := strings.Join(b.lines, "\n")
			if got, err := format.Source([]byte(src)); err != nil || string(got) != src {
				t.Errorf("%s: not as gofmt has it: %v", b, err)
			}
		}
	}
}

// The generated pages are what the generator writes, and there are no others.
func TestPagesAreCurrent(t *testing.T) {
	want, err := pages.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, err := os.ReadFile(name)
		if err != nil || string(got) != want[name] {
			t.Errorf("%s is not current (%v): run go generate ./docs", name, err)
		}
	}
	names, err := filepath.Glob("rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, ok := want[filepath.ToSlash(name)]; !ok {
			t.Errorf("%s is the page of no rule", name)
		}
	}
}

func TestReadmeListsTheRules(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if table := pages.RuleTable("docs/rules/"); !strings.Contains(string(readme), table) {
		t.Errorf("README.md has not this table:\n%s", table)
	}
}

// configuration.md lists the keys of the configuration, and its examples are
// ones.
func TestConfigurationIsDocumented(t *testing.T) {
	text, err := os.ReadFile("configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := pages.KeyTable(); !strings.Contains(string(text), table) {
		t.Errorf("configuration.md has not this table:\n%s", table)
	}
	found, _ := blocks(t, "configuration.md")
	for _, b := range found {
		if b.language != "yaml" {
			continue
		}
		cfg := config.Default()
		if err := cfg.Parse(b.String(), []byte(strings.Join(b.lines, "\n"))); err != nil {
			t.Error(err)
		}
	}
}

// developing.md names every key of a model and every setting of a policy.
func TestSchemaIsDocumented(t *testing.T) {
	text, err := os.ReadFile("developing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, schema, ok := strings.Cut(string(text), "\n## The schema of models\n")
	if !ok {
		t.Fatal("developing.md has no schema of models")
	}
	schema, _, _ = strings.Cut(schema, "\n## ")
	keys := map[string]bool{}
	collectKeys(reflect.TypeFor[model.Family](), keys, map[reflect.Type]bool{})
	for _, name := range model.PolicySettings() {
		keys[name] = true
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !strings.Contains(schema, "`"+key+"`") {
			t.Errorf("the schema in developing.md says nothing of `%s`", key)
		}
	}
}

func collectKeys(t reflect.Type, keys map[string]bool, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collectKeys(t.Elem(), keys, seen)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if tag := f.Tag.Get("yaml"); tag != "" && tag != "-" && tag != ",inline" {
				keys[tag] = true
			}
			collectKeys(f.Type, keys, seen)
		}
	}
}

// Links between documents lead somewhere.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	generated, err := filepath.Glob("rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Concat(documents(t), generated, []string{"libraries.md"}) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: link to %s: %v", file, m[1], err)
			}
		}
	}
}
