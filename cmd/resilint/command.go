package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/baseline"
	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/report"
	"github.com/resilint/resilint/rules"
)

// command is one of the things that resilint does.
type command struct {
	name  string
	args  string // as the help shows them
	help  string
	flags []string // that it takes beside -h and -version
	run   func(*invocation) (int, error)
}

// commands, the default first.
func commands() []command {
	settings := []string{"config", "preset", "min-severity", "only", "disable", "C"}
	with := func(more ...string) []string { return slices.Concat(more, settings) }
	return []command{
		{"check", "[pattern...]", "report unsafe retries", with("o", "format", "fail-on", "baseline", "new-from", "tags"), check},
		{"sites", "[pattern...]", "list all retries with what is known of them", with("o", "format", "unproved", "tags"), sites},
		{"baseline", "[pattern...]", "keep today's findings as known, so that only new ones are reported", with("baseline", "prune", "stats", "tags"), writeBaseline},
		{"vet", "[pattern...]", "check by way of go vet, which caches verdicts", with("json", "tags"), vet},
		{"config", "", "print the configuration in force, and where it comes from", settings, showConfig},
		{"init", "", "write a " + config.Name + " to start from", []string{"C"}, initConfig},
		{"rules", "", "list the rules and their severities", nil, listRules},
		{"explain", "rule...", "print the page of a rule", nil, explain},
		{"help", "[command]", "print this help, or that of a command", nil, help},
	}
}

func findCommand(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func commandNames() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}

// invocation is a command line, taken apart.
type invocation struct {
	command        command
	args           []string
	settings       settings
	stdout, stderr io.Writer
	set            *flag.FlagSet // to see which flags were given

	format, failOn, tags, dir         string
	baseline, newFrom                 string
	prune, stats                      bool
	quiet                             bool     // what goes wrong is told elsewhere
	into                              []string // -o
	unproved, json, version, wantHelp bool
}

func newInvocation(stdout, stderr io.Writer) *invocation {
	inv := &invocation{stdout: stdout, stderr: stderr}
	inv.set = flag.NewFlagSet("resilint", flag.ContinueOnError)
	inv.set.SetOutput(io.Discard)
	inv.settings.register(inv.set)
	inv.set.Func("o", "write in a `form[=file]`, to stdout without a file; may be repeated", func(spec string) error {
		inv.into = append(inv.into, spec)
		return nil
	})
	inv.set.StringVar(&inv.format, "format", "", "the `form` of what is printed: "+formatNames()+" (default "+report.Formats()[0].Name+")")
	inv.set.StringVar(&inv.failOn, "fail-on", "", "the least `severity` that makes exit status 1, or never (default what is printed)")
	inv.set.StringVar(&inv.baseline, "baseline", "", "the `file` of known findings, or off (default the module's "+baseline.Name+")")
	inv.set.StringVar(&inv.newFrom, "new-from", "", "report only what a commit, the `rev`ision, does not have")
	inv.set.BoolVar(&inv.prune, "prune", false, "only remove what is gone")
	inv.set.BoolVar(&inv.stats, "stats", false, "only count, by rule, system and owner")
	inv.set.StringVar(&inv.tags, "tags", "", "comma-separated `list` of build tags")
	inv.set.StringVar(&inv.dir, "C", "", "change to `dir` first")
	inv.set.BoolVar(&inv.unproved, "unproved", false, "only retries with values that are not provable, and why they are not")
	inv.set.BoolVar(&inv.json, "json", false, "diagnostics in the JSON form of go vet")
	inv.set.BoolVar(&inv.version, "version", false, "print the version")
	inv.set.BoolVar(&inv.wantHelp, "h", false, "print the help")
	inv.set.BoolVar(&inv.wantHelp, "help", false, "print the help")
	return inv
}

func formatNames() string {
	var out []string
	for _, f := range report.Formats() {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

// dispatch reads the command line and does what it says. An error is one of
// usage or configuration.
func dispatch(args []string, stdout, stderr io.Writer) (int, error) {
	inv := newInvocation(stdout, stderr)
	if err := inv.parse(args); err != nil {
		return statusUsage, err
	}
	if inv.version {
		fmt.Fprintf(stdout, "resilint %s\n", toolVersion())
		return statusClean, nil
	}
	if inv.wantHelp {
		printHelp(stdout, inv.command.name)
		return statusClean, nil
	}
	var err error
	inv.set.Visit(func(f *flag.Flag) {
		if f.Name != "version" && !slices.Contains(inv.command.flags, f.Name) && err == nil {
			err = fmt.Errorf("%s takes no flag -%s", inv.command.name, f.Name)
		}
	})
	if err != nil {
		return statusUsage, err
	}
	return inv.command.run(inv)
}

// parse accepts flags before, between and after the other arguments, of which
// the first may name the command; after "--" there are no more flags.
func (inv *invocation) parse(args []string) error {
	var rest []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, rest = args[:i], args[i+1:]
	}
	for len(args) > 0 {
		if err := inv.set.Parse(args); err != nil {
			return inv.flagError(err)
		}
		if args = inv.set.Args(); len(args) > 0 {
			inv.args = append(inv.args, args[0])
			args = args[1:]
		}
	}
	inv.args = append(inv.args, rest...)
	inv.command = commands()[0]
	if len(inv.args) == 0 {
		return nil
	}
	first := inv.args[0]
	if c, ok := findCommand(first); ok {
		inv.command, inv.args = c, inv.args[1:]
		return nil
	}
	if near := rules.Nearest(first, commandNames()); near != "" && word.MatchString(first) && !isPattern(first) {
		return fmt.Errorf("there is no command %q; did you mean %s?", first, near)
	}
	return nil
}

// word is what a command looks like, and a package pattern rarely does.
var word = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// isPattern reports whether the go command knows the word as a pattern, or as a
// package of the standard library.
func isPattern(name string) bool {
	if slices.Contains([]string{"all", "std", "cmd", "tool", "work"}, name) {
		return true
	}
	return exec.Command("go", "list", "-find", name).Run() == nil
}

// flagError says what the flag package means, in our words.
func (inv *invocation) flagError(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	var known []string
	inv.set.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	if near := rules.Nearest(name, known); near != "" {
		return fmt.Errorf("there is no flag -%s; did you mean -%s?", name, near)
	}
	return fmt.Errorf("there is no flag -%s", name)
}

func help(inv *invocation) (int, error) {
	name := ""
	if len(inv.args) > 0 {
		name = inv.args[0]
		if _, ok := findCommand(name); !ok {
			err := fmt.Errorf("there is no command %q", name)
			if near := rules.Nearest(name, commandNames()); near != "" {
				err = fmt.Errorf("%w; did you mean %s?", err, near)
			}
			return statusUsage, err
		}
	}
	printHelp(inv.stdout, name)
	return statusClean, nil
}

func printHelp(w io.Writer, name string) {
	inv := newInvocation(w, w)
	c, _ := findCommand(name)
	if name == "" || name == "check" || name == "help" {
		c = commands()[0]
		fmt.Fprint(w, "resilint finds unsafe retries in Go code.\n\nUsage: resilint [command] [flags] [arguments]\n\nCommands:\n")
		for _, c := range commands() {
			fmt.Fprintf(w, "  %-24s %s\n", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
		fmt.Fprint(w, "\nWithout a command it checks. Patterns are those of the go command, ./... by default.\n\nFlags of check:\n")
	} else {
		fmt.Fprintf(w, "Usage: resilint %s\n\n%s.\n", strings.TrimSpace(c.name+" [flags] "+c.args), upperFirst(c.help))
		if len(c.flags) > 0 {
			fmt.Fprint(w, "\nFlags:\n")
		}
	}
	for _, flagName := range c.flags {
		f := inv.set.Lookup(flagName)
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  %-24s %s\n", strings.TrimSpace("-"+f.Name+" "+value), usage)
	}
	if c.name == "check" {
		fmt.Fprint(w, "  -version                 print the version\n\nExit status: 0 nothing found at or above -fail-on, 1 findings, 2 usage or configuration,\n3 something was not analysed, or in part.\n")
	}
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// toolVersion is the module's version, when the command was installed by one.
func toolVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// wantsColor reports whether what is written to w may be coloured.
func wantsColor(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// isTerminal reports whether w is a terminal that knows escape sequences.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
