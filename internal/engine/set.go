// Package engine ties the rooms together for one configuration: the summary
// and site analyzers that all rules share.
package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/directive"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/internal/summary"
	"github.com/resilint/resilint/rules"
)

// A Set holds the analyzers that all rules of one configuration share. It is
// immutable.
type Set struct {
	Config  config.Config
	Summary *analysis.Analyzer // reads the package; owns the facts
	Sites   *analysis.Analyzer // result: *Sites
}

// NewSet returns the shared analyzers for a configuration and a catalogue.
func NewSet(cfg config.Config, models *model.Set) *Set {
	set := &Set{Config: cfg, Summary: summary.New(models)}
	set.Sites = &analysis.Analyzer{
		Name:       "resilintsites",
		Doc:        "list the retry sites of a package, as rules judge them",
		Requires:   []*analysis.Analyzer{set.Summary},
		ResultType: reflect.TypeFor[*Sites](),
		Run:        set.sites,
	}
	return set
}

// Default is the set of a code base without configuration, for drivers that
// know analyzers by a package variable.
func Default() *Set {
	return NewSet(config.Default(), model.NewSet(rules.Models(), rules.ModelIndex()))
}

// Sites are the retry sites of one package.
type Sites struct {
	List        []*Site
	Misdeclared []directive.Problem // declarations that cannot be honoured
	Errors      []string
}

// A Site is a retry site with its identity.
type Site struct {
	*retry.Site
	ID        string
	Name      string // of the function it stands in, as a reader writes it
	Package   string
	Generated bool // it stands in code that nobody edits
	// Repeats says that an earlier site of the package sends the same through
	// the same helper: one finding for all of them.
	Repeats bool

	fset   *token.FileSet
	config config.Config
}

func (set *Set) sites(pass *analysis.Pass) (any, error) {
	read := pass.ResultOf[set.Summary].(*summary.Package)
	generated := map[string]bool{}
	for _, f := range pass.Files {
		if ast.IsGenerated(f) {
			generated[pass.Fset.File(f.FileStart).Name()] = true
		}
	}
	out := &Sites{Misdeclared: read.Misdeclared, Errors: read.Errors}
	ordinals, told := map[string]int{}, map[string]bool{}
	for _, s := range read.Sites {
		site := &Site{
			Site: set.known(s), Package: pass.Pkg.Path(), Name: functionName(s.Function),
			fset: pass.Fset, config: set.Config,
			Generated: generated[pass.Fset.File(s.Pos).Name()],
		}
		key := fmt.Sprint(site.Package, "\x00", site.Name, "\x00", s.Mechanism, "\x00", s.Symbol)
		ordinals[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, ordinals[key]))
		site.ID = hex.EncodeToString(sum[:8])
		site.Repeats = repeats(site, told)
		out.List = append(out.List, site)
	}
	return out, nil
}

// repeats reports whether all that the site sends has been told of at another
// call of the same helper.
func repeats(s *Site, told map[string]bool) bool {
	if !s.Helper || len(s.Sends) == 0 {
		return false
	}
	all := true
	for i := range s.Sends {
		key := fmt.Sprint(s.Symbol, "\x00", s.What(&s.Sends[i]), "\x00", s.Sends[i].Key)
		all = all && told[key]
		told[key] = true
	}
	return all
}

// functionName is the declared function around fn as a reader writes it:
// pay.New, (*pay.Adapter).Register.
func functionName(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return fn.Pkg.Pkg.Name() + " (package variable)"
	}
	pkg := obj.Pkg().Name()
	recv := obj.Signature().Recv()
	if recv == nil {
		return pkg + "." + obj.Name()
	}
	name := pkg + "." + model.TypeSymbol(recv.Type()).Name
	if _, ok := types.Unalias(recv.Type()).(*types.Pointer); ok {
		name = "*" + name
	}
	return "(" + name + ")." + obj.Name()
}

// Each returns the Run function of a rule: judge over each site, in order.
func (set *Set) Each(judge func(*Site) []finding.Finding) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		var out []finding.Finding
		for _, s := range pass.ResultOf[set.Sites].(*Sites).List {
			if s.Generated {
				continue
			}
			for _, f := range judge(s) {
				if set.Config.Enabled(f.Rule) {
					out = append(out, f)
				}
			}
		}
		return out, nil
	}
}

// Finding starts a finding of the rule's tier at the site.
func (s *Site) Finding(rule, tier string) *Builder {
	r, err := rules.Find(rule)
	if err != nil {
		panic(err) // a rule that names itself wrongly
	}
	return &Builder{site: s, finding: finding.Finding{
		Rule: r.ID, Alias: r.Alias, Severity: r.Severity(tier, string(s.config.Preset)),
		Site: s.ID, Pos: s.position(s.Pos), End: s.position(s.End),
		Function: s.Name, Package: s.Package,
		Short: r.Short(), URL: rules.URL(r), Status: finding.New,
	}}
}

// A Builder puts a finding together.
type Builder struct {
	site    *Site
	finding finding.Finding
}

// Say sets the sentence: the consequence, with its numbers.
func (b *Builder) Say(format string, args ...any) *Builder {
	b.finding.Message = fmt.Sprintf(format, args...)
	return b
}

// Short sets the form in which it follows a worse finding of the same site.
func (b *Builder) Short(format string, args ...any) *Builder {
	b.finding.Short += " " + fmt.Sprintf(format, args...)
	return b
}

// Hint sets the way out.
func (b *Builder) Hint(format string, args ...any) *Builder {
	b.finding.Hint = fmt.Sprintf(format, args...)
	return b
}

// Because adds a related place, when it is known and not the finding's own.
func (b *Builder) Because(pos token.Pos, format string, args ...any) *Builder {
	if pos.IsValid() && pos != b.site.Pos {
		b.finding.Related = append(b.finding.Related, finding.Related{
			Pos: b.site.position(pos), Message: fmt.Sprintf(format, args...),
		})
	}
	return b
}

// Done returns the finding.
func (b *Builder) Done() []finding.Finding { return []finding.Finding{b.finding} }

func (s *Site) position(pos token.Pos) finding.Position {
	return position(s.fset, pos)
}

func position(fset *token.FileSet, pos token.Pos) finding.Position {
	p := fset.Position(pos)
	return finding.Position{File: filepath.Clean(p.Filename), Line: p.Line, Column: p.Column}
}

// Defaults is " (retry-go defaults, nothing set here)" when that is so.
func (s *Site) Defaults() string {
	if !s.DefaultsOnly() {
		return ""
	}
	return fmt.Sprintf(" (%s defaults, nothing set here)", s.Library.Name)
}

// kind is what the operation talks to.
func (s *Site) kind() string {
	switch {
	case len(s.Sends) > 0:
		return "request"
	case s.Seen && s.Effect() == "none":
		return "local"
	}
	return "unknown"
}

func (s *Site) operations() []finding.Operation {
	var out []finding.Operation
	for _, send := range s.Sends {
		op := finding.Operation{Method: send.Method, Path: send.Path, Key: string(send.Key)}
		if send.Source != nil {
			op.KeySource = send.Source.String()
		}
		if send.Pos.IsValid() {
			op.Send = s.position(send.Pos)
		}
		out = append(out, op)
	}
	return out
}

// Inventory is the site as drivers list it.
func (s *Site) Inventory() finding.Site {
	out := finding.Site{
		ID: s.ID, Pos: s.position(s.Pos), EndLine: s.position(s.End).Line,
		Function: s.Name, Package: s.Package,
		Kind: s.kind(), Mechanism: s.Mechanism, Library: s.Symbol.Pkg,
		Effect: s.Effect(), Operation: s.operations(), Backoff: s.Backoff(), Predicate: s.Predicate,
		Breaker: s.Breaker, Unproved: slices.Clone(s.Unproved),
		SleepWindow: "unknown", TotalWindow: "unknown",
	}
	if s.Helper && len(s.Library.Packages) > 0 {
		out.Library = s.Library.Packages[0].Path
	}
	out.Attempts = s.attempts()
	if w, ok := s.Window(); ok {
		out.SleepWindow = w.Sleep
		out.TotalWindow = w.Total
	}
	return out
}
