package retry

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// maxPolicies bounds the ways in which one site may retry.
const maxPolicies = 8

// An interpreter gives terms the meaning that the catalogue has for them.
type interpreter struct {
	catalogue *model.Catalogue
	// overwritten is what the package at hand writes to a variable of a library,
	// and whether it always does; nil where there is no package.
	overwritten func(model.Symbol) (t *value.Term, always bool)
	// returns is what a function of the package at hand returns, nil when that
	// is not known.
	returns func(*ssa.Function) *value.Term
}

// A frame gives access to the arguments of the call, or to the value, that an
// entry speaks of.
type frame struct {
	args     []*value.Term // without the receiver
	receiver *value.Term
	self     *value.Term // the value written to a field
	library  *model.Library
	defaults bool // what is set here is the library's own
	named    bool // the value is a function that the code names, not a call
}

// apply lays the value that t is on top of each policy.
func (in *interpreter) apply(ps []*Policy, t *value.Term, affects []string) []*Policy {
	var out []*Policy
	for _, p := range ps {
		out = append(out, in.applyOne(p, t, affects)...)
	}
	return limit(out, t)
}

// limit keeps the number of alternatives bounded: beyond it all is unknown on
// which they differ.
func limit(ps []*Policy, t *value.Term) []*Policy {
	if len(ps) <= maxPolicies {
		return ps
	}
	p := ps[0].clone()
	differ := func(name string) bool {
		return slices.ContainsFunc(ps, func(q *Policy) bool { return !q.agrees(p, name) })
	}
	names := slices.DeleteFunc(model.PolicySettings(), func(name string) bool { return !differ(name) })
	if slices.ContainsFunc(ps, func(q *Policy) bool { return !q.alike(p) }) {
		names = nil
	}
	p.poison(names, t, "too many possible policies")
	return []*Policy{p}
}

func (in *interpreter) applyOne(p *Policy, t *value.Term, affects []string) []*Policy {
	switch t.Kind {
	case value.Alt:
		isList := func(a *value.Term) bool { return a.Kind == value.List }
		var out []*Policy
		for _, a := range t.Args {
			// Nobody calls through nil, but a nil list of options has none.
			if a.Kind != value.Nil || slices.ContainsFunc(t.Args, isList) {
				out = append(out, in.applyOne(p.clone(), a, affects)...)
			}
		}
		return limit(out, t)
	case value.Nil:
		return []*Policy{p}
	case value.List:
		ps := []*Policy{p}
		for _, a := range t.Args {
			if a.Kind != value.Const {
				ps = in.apply(ps, a, affects)
			}
		}
		if t.Open {
			poisonAll(ps, affects, t, "options added elsewhere")
		}
		return ps
	}
	e := in.meaning(t)
	if e == nil {
		p.poison(affects, t, why(t))
		return []*Policy{p}
	}
	f := frame{args: t.Args, library: e.Library, named: t.Kind == value.Func}
	if t.Kind == value.Call && t.Sym.Recv != "" && len(t.Args) > 0 {
		f.receiver, f.args = t.Args[0], t.Args[1:]
	}
	ps := in.lay([]*Policy{p}, e.Value, f)
	return in.change(ps, t)
}

// meaning is the catalogue's entry, with a value, for the function called, the function, the
// variable or the struct type that t is.
func (in *interpreter) meaning(t *value.Term) *model.Entry {
	var sym model.Symbol
	switch t.Kind {
	case value.Call, value.Var, value.Func:
		sym = t.Sym
	case value.Struct:
		sym = t.Type
	default:
		return nil
	}
	if e := in.catalogue.Lookup(sym); e != nil && e.Value != nil {
		return e
	}
	return nil
}

// lay puts what the entry v sets on top of each policy.
func (in *interpreter) lay(ps []*Policy, v *model.Value, f frame) []*Policy {
	if v.Base != nil {
		ps = in.refs(ps, *v.Base, f)
	}
	switch v.Role {
	case "", "policy", "client", "hedge":
		for _, p := range ps {
			p.retries = p.retries || v.Role != "hedge" && len(v.Sets) > 0
		}
	}
	if v.Role == "compose" {
		return in.compose(ps, v, f)
	}
	if constructs(v) && !f.named {
		f.defaults = true
	}
	ps = in.sets(ps, v.Sets, f)
	for _, ref := range v.Policy {
		ps = in.refs(ps, ref, f)
	}
	if v.JSON != nil && *v.JSON.Arg < len(f.args) {
		ps = in.document(ps, v.JSON, f)
	}
	for _, p := range ps {
		p.cases = append(p.cases, v.If...)
	}
	return ps
}

// constructs reports whether what v sets is what its library has by default.
// A type without fields to set is a choice, and so is an option, which sets one
// thing: nobody has them unless the code names them.
func constructs(v *model.Value) bool {
	if v.Type != "" {
		return len(v.Fields) > 0
	}
	return v.Func != "" && v.Base == nil && !v.Mutates && len(v.Sets) > 1
}

// refs applies the values that ref points at.
func (in *interpreter) refs(ps []*Policy, ref model.Ref, f frame) []*Policy {
	switch {
	case ref.Value != "":
		if v := f.library.Named(ref.Value); v != nil {
			return in.lay(ps, v, frame{library: f.library, defaults: true})
		}
	case ref.Receiver:
		if f.receiver != nil {
			return in.apply(ps, f.receiver, ref.Affects)
		}
	case ref.Arg != nil:
		if *ref.Arg < len(f.args) {
			arg := f.args[*ref.Arg]
			if ref.Field != "" {
				arg = value.Select(arg, ref.Field, &value.Term{Kind: value.Nil})
			}
			if ref.Returns {
				arg = in.returned(arg)
			}
			if ref.List && (arg.Kind == value.List || arg.Kind == value.Nil) {
				return in.waits(ps, arg)
			}
			return in.apply(ps, arg, ref.Affects)
		}
	case ref.Rest != nil:
		for _, arg := range f.args[min(*ref.Rest, len(f.args)):] {
			ps = in.apply(ps, arg, ref.Affects)
		}
	}
	return ps
}

// returned is what the function that t is returns, or else t.
func (in *interpreter) returned(t *value.Term) *value.Term {
	if fn := t.Function(); t.Kind == value.Func && fn != nil && in.returns != nil {
		if r := in.returns(fn); r != nil {
			return r
		}
	}
	return t
}

// waits lays a list of durations on top of ps: one retry per element.
func (in *interpreter) waits(ps []*Policy, list *value.Term) []*Policy {
	delays, _ := in.list(model.Expr{}, list, Setting{Pos: list.Pos()})
	attempts, _ := in.list(model.Expr{Len: true, Counts: "retries"}, list, Setting{Pos: list.Pos()})
	for _, p := range ps {
		p.set("delays", delays)
		p.set("attempts", attempts)
	}
	return ps
}

// sets evaluates the settings of an entry, in the order of their names: none
// depends on another, but for apply, which comes last.
func (in *interpreter) sets(ps []*Policy, sets model.Sets, f frame) []*Policy {
	for _, name := range sets.Names() {
		expr := sets[name]
		if name == "apply" {
			if t := in.operand(expr, f); t != nil {
				ps = in.apply(ps, t, expr.Affects)
			}
			continue
		}
		ps = in.setOne(ps, name, expr, f)
	}
	return ps
}

func (in *interpreter) setOne(ps []*Policy, name string, expr model.Expr, f frame) []*Policy {
	if expr.Var != "" {
		written, always := in.variable(expr.Var, f)
		expr.Var, expr.Literal = "", expr.Is
		if written != nil {
			set := expr
			set.Literal, set.Self = "", true
			without := ps
			ps = nil
			if !always {
				ps = in.setOne(cloned(without), name, expr, f)
			}
			f.self = written
			return limit(append(ps, in.setOne(without, name, set, f)...), written)
		}
	}
	if expr.Literal != "" {
		s := literal(expr.Literal)
		s.Default = f.defaults
		for _, p := range ps {
			p.set(name, s)
		}
		return ps
	}
	t := in.operand(expr, f)
	if t == nil {
		return ps
	}
	if name == "context" {
		in.under(ps, t)
		return ps
	}
	var out []*Policy
	alternatives := t.Alternatives()
	for i, alt := range alternatives {
		s, ok := in.setting(name, expr, alt)
		for _, p := range ps {
			if i < len(alternatives)-1 {
				p = p.clone()
			}
			if ok {
				p.set(name, s)
			}
			out = append(out, p)
		}
	}
	return limit(out, t)
}

// variable is what the package at hand writes to the library's variable.
func (in *interpreter) variable(name string, f frame) (t *value.Term, always bool) {
	if in.overwritten == nil {
		return nil, false
	}
	for _, p := range f.library.Packages {
		if t, always = in.overwritten(model.Symbol{Pkg: p.Path, Name: name}); t != nil {
			return t, always
		}
	}
	return nil, false
}

// operand is the term that an expression reads.
func (in *interpreter) operand(expr model.Expr, f frame) *value.Term {
	switch {
	case expr.Self:
		return f.self
	case expr.Arg != nil:
		if *expr.Arg < len(f.args) {
			t := f.args[*expr.Arg]
			if expr.Field != "" {
				t = value.Select(t, expr.Field, &value.Term{Kind: value.Nil})
			}
			return t
		}
	case expr.Rest != nil:
		rest := f.args[min(*expr.Rest, len(f.args)):]
		if len(rest) == 1 {
			return rest[0]
		}
	}
	return nil
}

// setting is the value that the term t gives a setting; ok is false when it
// leaves the setting as it was.
func (in *interpreter) setting(name string, expr model.Expr, t *value.Term) (s Setting, ok bool) {
	s = Setting{Pos: t.Pos(), Param: t.Symbolic(nil)}
	word := func(text string) (Setting, bool) {
		if text == "ignored" {
			return s, false
		}
		l := literal(text)
		l.Pos = s.Pos
		return l, true
	}
	if t.Kind == value.Nil {
		if expr.Nil != "" {
			return word(expr.Nil)
		}
		if name == "predicate" {
			return s, false
		}
	}
	if name == "predicate" {
		return in.predicate(t, s, expr.Adds), true
	}
	if b, isBool := t.Bool(); isBool {
		switch {
		case b && expr.True != "":
			return word(expr.True)
		case !b && expr.False != "":
			return word(expr.False)
		}
		s.Word = t.Text
		return s, true
	}
	if name == "methods" {
		return methods(t, s), true
	}
	if t.Kind == value.List {
		return in.list(expr, t, s)
	}
	if text, ok := effect.Literal(t); ok && model.IsWord(name, text) {
		s.Word = text
		return s, true
	}
	n, isNumber := t.Float()
	if !isNumber {
		s.Unknown = why(t)
		return s, true
	}
	switch {
	case n == 0 && expr.Zero != "":
		return word(expr.Zero)
	case n < 0 && expr.Negative != "":
		return word(expr.Negative)
	}
	switch expr.Unit {
	case "ms":
		n *= 1e6
	case "s":
		n *= 1e9
	}
	if expr.Scale == "percent" {
		n /= 100
	}
	if expr.Counts == "retries" {
		n++
	}
	s.Number = n + float64(expr.Plus)
	if expr.Most > 0 {
		s.Number = min(s.Number, float64(expr.Most))
	}
	if name == "attempts" && s.Number > 1e9 {
		s.Number, s.Word = 0, "unbounded"
	}
	return s, true
}

// methods is the setting that a list of methods is.
func methods(t *value.Term, s Setting) Setting {
	if t.Kind != value.List || t.Open {
		s.Unknown = why(t)
		return s
	}
	var names []string
	for _, a := range t.Args {
		name, ok := effect.Literal(a)
		if !ok {
			s.Unknown = why(a)
			return s
		}
		names = append(names, strings.ToUpper(name))
	}
	s.Word = strings.Join(names, ",")
	return s
}

// list is a setting that reads a list of waits, or their number.
func (in *interpreter) list(expr model.Expr, t *value.Term, s Setting) (Setting, bool) {
	if t.Open {
		s.Unknown = "a list that grows elsewhere"
		return s, true
	}
	for _, a := range t.Args {
		n, ok := a.Float()
		if !ok {
			s.Unknown, s.Param = why(a), a.Symbolic(nil)
			return s, true
		}
		s.List = append(s.List, n)
	}
	if expr.Len {
		s.Number, s.List = float64(len(t.Args)+expr.Plus), nil
		if expr.Counts == "retries" {
			s.Number++
		}
		if len(t.Args) == 0 && expr.Zero != "" {
			return literal(expr.Zero), true
		}
	}
	return s, true
}

// predicate names what a function value lets through to another attempt; adds
// says that others are asked beside it.
func (in *interpreter) predicate(t *value.Term, s Setting, adds bool) Setting {
	var sym model.Symbol
	switch t.Kind {
	case value.Func, value.Var, value.Call:
		sym = t.Sym
	case value.Struct:
		sym = t.Type
	}
	if e := in.catalogue.Lookup(sym); e != nil && e.Predicate != nil {
		switch p := e.Predicate; {
		case p.Errors == "all" && p.Statuses == "":
			s.Word = "catch-all"
		case p.Statuses != "":
			s.Word = "status:" + p.Statuses
		case p.Errors == "transient":
			s.Word = "transient"
		default:
			s.Unknown = "predicate " + sym.String()
		}
		return s
	}
	if fn := t.Function(); t.Kind == value.Func && fn != nil {
		switch answer, always := alwaysReturns(fn); {
		case always && answer:
			s.Word = "catch-all"
			return s
		case always && !adds:
			s.Word = "never"
			return s
		}
	}
	s.Unknown = "decided by code"
	if t.Kind == value.Func && t.Sym.Name != "" {
		s.Unknown = "decided by " + t.Sym.String()
	}
	return s
}

// change applies what happened to the object t after it was made.
func (in *interpreter) change(ps []*Policy, t *value.Term) []*Policy {
	for i := range t.Changes {
		c := &t.Changes[i]
		if !in.affects(t, c) {
			continue
		}
		if !c.Maybe {
			ps = in.changeOne(ps, t, c)
			continue
		}
		without := cloned(ps)
		for _, p := range in.changeOne(ps, t, c) {
			if !slices.ContainsFunc(without, p.equal) {
				without = append(without, p)
			}
		}
		ps = limit(without, t)
	}
	return ps
}

func cloned(ps []*Policy) []*Policy {
	out := make([]*Policy, len(ps))
	for i, p := range ps {
		out[i] = p.clone()
	}
	return out
}

// affects reports whether a change says something of a policy.
func (in *interpreter) affects(t *value.Term, c *value.Change) bool {
	switch {
	case c.Each != nil, c.Path == "" && c.Sym.Name == "":
		return true
	case c.Sym.Name != "":
		e := in.catalogue.Lookup(c.Sym)
		return e != nil && e.Value != nil
	}
	return in.fieldSets(t.Type, c.Path) != nil
}

func (in *interpreter) changeOne(ps []*Policy, t *value.Term, c *value.Change) []*Policy {
	switch {
	case c.Each != nil:
		if c.Each.Kind == value.Nil || c.Each.Kind == value.List && !c.Each.Open && len(c.Each.Args) == 0 {
			return ps
		}
		poisonAll(ps, nil, c.Each, "an option may change it")
	case c.Sym.Name != "":
		if e := in.catalogue.Lookup(c.Sym); e != nil && e.Value != nil {
			v := *e.Value
			v.Base = nil // its base is the object at hand
			return in.lay(ps, &v, frame{args: c.Args, library: e.Library})
		}
	case c.Path == "" && len(c.Args) == 1:
		return in.apply(ps, c.Args[0], nil)
	default:
		if sets := in.fieldSets(t.Type, c.Path); sets != nil {
			return in.sets(ps, sets, frame{self: c.Args[0]})
		}
	}
	return ps
}

// fieldSets says what a write of the field sets in a policy of type typ.
func (in *interpreter) fieldSets(typ model.Symbol, path string) model.Sets {
	e := in.catalogue.Lookup(typ)
	if e == nil || e.Value == nil {
		return nil
	}
	return e.Value.Fields[path]
}

func poisonAll(ps []*Policy, affects []string, t *value.Term, why string) {
	for _, p := range ps {
		p.poison(affects, t, why)
	}
}

// compose lays the policies that a composition runs, outermost first, on top
// of each other and notes what stands where.
func (in *interpreter) compose(ps []*Policy, v *model.Value, f frame) []*Policy {
	var parts []*value.Term
	for _, ref := range v.Policy {
		switch {
		case ref.Receiver && f.receiver != nil:
			ps = in.apply(ps, f.receiver, nil)
		case ref.Arg != nil && *ref.Arg < len(f.args):
			parts = append(parts, f.args[*ref.Arg])
		case ref.Rest != nil:
			parts = append(parts, f.args[min(*ref.Rest, len(f.args)):]...)
		}
	}
	for _, list := range parts {
		elems := []*value.Term{list}
		if list.Kind == value.List {
			elems = list.Args
		}
		for _, e := range elems {
			ps = in.part(ps, e)
		}
	}
	return ps
}

// part lays one policy of a composition on top of ps.
func (in *interpreter) part(ps []*Policy, t *value.Term) []*Policy {
	role := in.role(t)
	for _, p := range ps {
		p.frames = append(p.frames, role)
	}
	switch role {
	case "policy":
		for _, p := range ps {
			p.retries = true
		}
		return in.apply(ps, t, nil)
	case "timeout":
		if slices.Contains(ps[0].frames, "policy") {
			return in.apply(ps, t, []string{"timeout"})
		}
	case "unknown":
		for _, p := range ps {
			p.set("breaker", Setting{Unknown: why(t)})
		}
	}
	return ps
}

// role is what a part of a composition is, by what made it or else by its type.
func (in *interpreter) role(t *value.Term) string {
	for _, alt := range t.Alternatives() {
		if e := in.meaning(alt); e != nil && e.Value.Role != "" && e.Value.Role != "other" {
			return e.Value.Role
		}
	}
	if e := in.catalogue.Lookup(t.Type); e != nil && e.Value != nil {
		if e.Value.Role == "" {
			return "policy"
		}
		return e.Value.Role
	}
	for _, alt := range t.Alternatives() {
		if in.meaning(alt) != nil {
			return "policy"
		}
	}
	return "unknown"
}
