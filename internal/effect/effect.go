// Package effect says what running code may send: the outbound requests of one
// attempt, however deep in calls, closures and packages.
package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/declare"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// An Event is one thing that a function may do when it is called: send a
// request, call one of its parameters, or something that is not seen.
type Event struct {
	// Send is the modelled function that sends; Args are its arguments,
	// receiver first.
	Send model.Symbol
	Args []*value.Term
	// Call says that parameter Param is called, with Args.
	Call  bool
	Param int
	// Func is the function value that is called instead, where that is part of a
	// parameter, or comes of one.
	Func *value.Term
	// Declared is what the user says of the function that sends.
	Declared declare.Effect
	// Given says that a parameter of the function that sends has room for a key.
	Given bool
	// Unseen is the code that is not seen, when neither is set.
	Unseen string
	// Carrier is the field or parameter, of what Unseen is given, that is named
	// like an idempotency key, and Args its value: what is sent is not seen, but
	// that the other side deduplicates it is. Callee is the function: of generated
	// code, which is known to send this and no more, also without a key, and with
	// its context in Args where it has none.
	Carrier string
	Callee  model.Symbol
	// Chain names the functions between the one that the event is of and the
	// send, outermost first.
	Chain []model.Symbol

	pos token.Pos // of the call in the function that the event is of
}

// Sent is the event of a call of the modelled function that sends.
func Sent(send model.Symbol, args []*value.Term, pos token.Pos) Event {
	return Event{Send: send, Args: args, pos: pos}
}

// WithoutPos is the event as a fact carries it.
func (e Event) WithoutPos() Event {
	e.pos = token.NoPos
	return e
}

// Sends reports whether it is known to be a request.
func (e *Event) Sends() bool { return e.Send.Name != "" || e.Callee.Name != "" }

// Pos is the place of the call that leads to the event.
func (e *Event) Pos() token.Pos { return e.pos }

// maxEvents bounds what is known of one function: beyond it the rest is unseen.
const maxEvents = 64

// A Reader reads the effects of the functions of one package.
type Reader struct {
	Evaluator *value.Evaluator
	Catalogue *model.Catalogue
	// Imported are the effects of a function of another package; ok is false
	// when nothing is known of it.
	Imported func(*types.Func) (events []Event, ok bool)
	// Declared is what the user says of a function or interface method.
	Declared func(*types.Func) declare.Effect
	// ImportedResult are the effects of calling the first result of a function of
	// another package.
	ImportedResult func(*types.Func) []Event

	memo   map[*ssa.Function][]Event
	active map[*ssa.Function]bool
	impls  map[*types.Func][]*types.Func
}

func (r *Reader) start() {
	if r.memo == nil {
		r.memo, r.active, r.impls = map[*ssa.Function][]Event{}, map[*ssa.Function]bool{}, map[*types.Func][]*types.Func{}
	}
}

// Of lists what a call of fn, a function of this package, may do. The terms
// are over its parameters.
func (r *Reader) Of(fn *ssa.Function) []Event {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	r.start()
	if known, ok := r.memo[fn]; ok {
		return known
	}
	if r.active[fn] {
		return []Event{{Unseen: "a recursive call"}}
	}
	r.active[fn] = true
	defer delete(r.active, fn)
	var c collection
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				r.call(instr, &c)
			case *ssa.Send:
				c.add(handedOver(instr.Pos()))
			case *ssa.Select:
				for _, s := range instr.States {
					if s.Dir == types.SendOnly {
						c.add(handedOver(s.Pos))
					}
				}
			}
		}
	}
	// A closure made here runs here, as far as anyone can tell.
	for _, anon := range fn.AnonFuncs {
		if r.keptForLater(anon) {
			continue
		}
		for _, e := range r.Of(anon) {
			c.addCalled(e)
		}
	}
	if obj := value.Object(fn); obj != nil {
		c.events = declared(c.events, r.Declared(obj))
	}
	r.memo[fn] = c.events
	return c.events
}

// handedOver is the event of a send to a channel: who receives may do anything.
func handedOver(pos token.Pos) Event { return Event{Unseen: "who receives from a channel", pos: pos} }

// declared are the events of a function of which the user has said what it does.
// What it calls for its caller is not meant.
func declared(events []Event, as declare.Effect) []Event {
	if as == "" {
		return events
	}
	out := slices.Clone(events)
	for i := range out {
		if e := &out[i]; e.Declared == "" && !e.Call {
			e.Declared = as
		}
	}
	return out
}

// keptForLater reports whether the closure is only stored in variables of the
// function around the one that makes it, which does not read them: it is called
// later, if at all.
func (r *Reader) keptForLater(closure *ssa.Function) bool {
	_, uses := r.Evaluator.Uses(closure)
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(use ssa.Instruction) bool { return !isKept(use) })
}

func isKept(use ssa.Instruction) bool {
	store, ok := use.(*ssa.Store)
	if !ok {
		return false
	}
	outer, ok := store.Addr.(*ssa.FreeVar)
	return ok && !slices.ContainsFunc(*outer.Referrers(), func(ref ssa.Instruction) bool {
		_, written := ref.(*ssa.Store)
		return !written
	})
}

// A collection gathers events, each once.
type collection struct {
	events []Event
	seen   map[string]bool
}

func (c *collection) add(e Event) {
	if len(c.events) > maxEvents {
		return
	}
	if len(c.events) == maxEvents {
		e = Event{Unseen: "more calls than are followed"}
	}
	key := e.key()
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if !c.seen[key] {
		c.seen[key] = true
		c.events = append(c.events, e)
	}
}

// addCalled adds what code that is called here does, but for the calls that it
// makes of what its own caller gives it.
func (c *collection) addCalled(e Event) {
	switch {
	case !e.Call:
		c.add(e)
	case e.Func != nil:
		c.add(Event{Unseen: "a function value", pos: e.pos})
	}
}

func (e *Event) key() string {
	var b strings.Builder
	b.WriteString(e.Send.String() + "|" + string(e.Declared) + "|" + e.Unseen + "|")
	for _, s := range e.Chain {
		b.WriteString(s.String() + ">")
	}
	b.WriteString(e.Carrier + "|" + e.Callee.String() + "|")
	if e.Unseen == "" || e.Callee.Name != "" {
		for _, a := range e.Args {
			b.WriteString(a.String() + ",")
		}
	}
	if e.Call {
		b.WriteByte(byte(e.Param))
		if e.Func != nil {
			b.WriteString(e.Func.String())
		}
	}
	if e.Given {
		b.WriteString("given")
	}
	return b.String()
}

// call adds what one call may do.
func (r *Reader) call(call ssa.CallInstruction, c *collection) {
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return
	}
	for _, sym := range value.CalleeSymbols(common) {
		e := r.Catalogue.Lookup(sym)
		if e == nil {
			continue
		}
		if e.Sender != nil && !e.Sender.Later {
			c.add(Event{
				Send: sym, Args: r.Evaluator.Arguments(call), pos: call.Pos(),
				Given: e.Sender.Given && givenKey(call.Parent()),
			})
		}
		// A retry or a breaker runs a closure, which is counted where it is
		// made, or a function that it is given.
		r.passed(call, c)
		return
	}
	if common.IsInvoke() {
		r.invoke(call, c)
		return
	}
	if fn := common.StaticCallee(); fn != nil {
		r.static(call, fn, c)
		return
	}
	r.dynamic(r.Evaluator.Value(common.Value, call), r.Evaluator.Arguments(call), call.Pos(), c)
}

// givenKey reports whether a parameter of fn is a struct with a field that is named
// like an idempotency key.
func givenKey(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		typ := p.Type()
		if ptr, ok := typ.Underlying().(*types.Pointer); ok {
			typ = ptr.Elem()
		}
		s, ok := typ.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			name := strings.ToLower(f.Name())
			if strings.Contains(name, "idempoten") || strings.HasSuffix(name, "clienttoken") || strings.HasSuffix(name, "retrytoken") {
				return true
			}
		}
	}
	return false
}

// passed adds what the function values given to a modelled call do, where they
// are no closures of this function.
func (r *Reader) passed(call ssa.CallInstruction, c *collection) {
	for _, a := range call.Common().Args {
		if _, ok := a.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		t := r.Evaluator.Value(a, call)
		if t.Kind == value.Func && t.Function() != nil && t.Function().Parent() != nil {
			continue
		}
		r.dynamic(t, nil, call.Pos(), c)
	}
}

// static adds the effects of a declared function, in terms of the arguments.
func (r *Reader) static(call ssa.CallInstruction, fn *ssa.Function, c *collection) {
	obj := value.Object(fn)
	if len(fn.Blocks) > 0 && (fn.Pkg == r.Evaluator.Package || fn.Pkg == nil || fn.Origin() != nil && fn.Origin().Pkg == r.Evaluator.Package) {
		owner := fn
		if origin := fn.Origin(); origin != nil {
			owner = origin
		}
		r.instantiate(r.Of(fn), owner, obj, call, c)
		return
	}
	if obj == nil || obj.Pkg() == nil || StaysInside(obj.Pkg().Path()) || isListener(obj) {
		return
	}
	if r.Imported != nil {
		if events, ok := r.Imported(obj); ok {
			r.instantiate(events, nil, obj, call, c)
			return
		}
	}
	c.add(r.keyed(Event{Unseen: model.FuncSymbol(obj).String(), pos: call.Pos()}, obj, call))
}

// outward are the packages of the standard library whose functions may ask another
// process, as far as no model says what they send. A system call asks the kernel of
// this machine: made again after EINTR, it repeats nothing elsewhere.
var outward = map[string]bool{
	"net": true, "net/http": true, "net/rpc": true, "net/smtp": true, "net/textproto": true,
	"os/exec": true, "plugin": true, "database/sql": true, "crypto/tls": true, "log/syslog": true, "net/http/httputil": true,
}

// isListener reports whether a function of the package net asks nobody else: it
// takes an address of this machine, or reads text.
func isListener(fn *types.Func) bool {
	if fn.Pkg().Path() != "net" {
		return false
	}
	for _, prefix := range []string{"Listen", "File", "Parse", "Split", "Join", "Interface"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return true
		}
	}
	return false
}

// quietPackages are well-known packages that send nothing on behalf of their
// caller: logs, errors, identifiers.
var quietPackages = []string{
	"github.com/sirupsen/logrus", "go.uber.org/zap", "go.opentelemetry.io", "github.com/rs/zerolog", "github.com/go-logr/logr",
	"github.com/pkg/errors", "github.com/google/uuid", "golang.org/x/sync", "golang.org/x/sys", "golang.org/x/text", "golang.org/x/exp",
	"github.com/json-iterator/go", "gopkg.in/yaml.v3", "github.com/prometheus/client_golang/prometheus", "k8s.io/klog",
}

// standard are the first elements of the import paths of the standard library.
// Modules of users need no dot in their path either.
var standard = []string{
	"archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug", "embed",
	"encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "internal", "io", "iter", "log", "maps",
	"math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings",
	"structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "weak",
}

// IsStandard reports whether the import path is of the standard library.
func IsStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return slices.Contains(standard, first)
}

// StaysInside reports whether functions of the package are known to send nothing.
func StaysInside(path string) bool { return IsStandard(path) && !outward[path] || isQuiet(path) }

func isQuiet(path string) bool {
	return slices.ContainsFunc(quietPackages, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// instantiate adds a callee's events with its parameters replaced.
func (r *Reader) instantiate(events []Event, owner *ssa.Function, obj *types.Func, call ssa.CallInstruction, c *collection) {
	if len(events) == 0 {
		return
	}
	args := r.Evaluator.Arguments(call)
	for _, e := range events {
		e.pos = call.Pos()
		e.Args = substAll(e.Args, owner, args)
		if obj != nil {
			e.Chain = append([]model.Symbol{model.FuncSymbol(obj)}, e.Chain...)
		}
		if e.Call && e.Func != nil {
			var inner collection
			r.dynamic(value.Subst(e.Func, owner, args), e.Args, call.Pos(), &inner)
			for _, called := range inner.events {
				called.Chain = append(slices.Clip(e.Chain), called.Chain...)
				c.add(called)
			}
			continue
		}
		if e.Call {
			if e.Param < len(args) {
				r.dynamic(args[e.Param], e.Args, call.Pos(), c)
			}
			continue
		}
		c.add(e)
	}
}

func substAll(ts []*value.Term, fn *ssa.Function, args []*value.Term) []*value.Term {
	out := make([]*value.Term, len(ts))
	for i, t := range ts {
		out[i] = value.Subst(t, fn, args)
	}
	return out
}

// dynamic adds what a call of the function value t may do.
func (r *Reader) dynamic(t *value.Term, args []*value.Term, pos token.Pos, c *collection) {
	for _, alt := range t.Alternatives() {
		switch {
		case alt.Kind == value.Nil:
		case alt.Kind == value.Func && alt.Function() != nil && len(alt.Function().Blocks) > 0:
			body := alt.Function()
			if body.Parent() != nil && len(args) == 0 {
				continue // a closure of this function, counted where it is made
			}
			for _, e := range r.Of(body) {
				e.pos = pos
				e.Args = substAll(e.Args, body, args)
				c.addCalled(e)
			}
		case alt.Kind == value.Param:
			c.add(Event{Call: true, Param: alt.Index, Args: args, pos: pos})
		case alt.Kind == value.Call && r.later(alt):
			c.add(Event{Send: alt.Sym, Args: alt.Args, pos: pos})
		case alt.Kind == value.Field && alt.Symbolic(nil):
			c.add(Event{Call: true, Param: -1, Func: alt, Args: args, pos: pos})
		default:
			c.add(Event{Unseen: "a function value", pos: pos})
		}
	}
}

// invoke adds what a call of an interface method may do.
func (r *Reader) invoke(call ssa.CallInstruction, c *collection) {
	common := call.Common()
	if sym, ok := Doer(common.Method); ok {
		c.add(Event{Send: sym, Args: r.Evaluator.Arguments(call), pos: call.Pos()})
		return
	}
	home := common.Method.Pkg()
	if home == nil || StaysInside(home.Path()) {
		return
	}
	var inner collection
	if r.generated(common.Method.Signature()) {
		inner.add(r.keyed(Event{Unseen: model.FuncSymbol(common.Method).String(), pos: call.Pos()}, common.Method, call))
	} else {
		r.implemented(call, &inner)
	}
	for _, e := range declared(inner.events, r.Declared(common.Method)) {
		c.add(e)
	}
}

// implemented adds what the methods do that an interface call may reach.
func (r *Reader) implemented(call ssa.CallInstruction, c *collection) {
	common := call.Common()
	impls := r.implementations(common)
	if len(impls) == 0 {
		e := Event{Unseen: model.FuncSymbol(common.Method).String() + ", an interface method", pos: call.Pos()}
		c.add(r.keyed(e, common.Method, call))
		return
	}
	for _, impl := range impls {
		if impl.Pkg() == r.Evaluator.Package.Pkg {
			if fn := r.Evaluator.Package.Prog.FuncValue(impl); fn != nil && len(fn.Blocks) > 0 {
				r.instantiate(r.Of(fn), fn, impl, call, c)
				continue
			}
		}
		events, ok := r.Imported(impl)
		if !ok {
			c.add(r.keyed(Event{Unseen: model.FuncSymbol(impl).String(), pos: call.Pos()}, impl, call))
			continue
		}
		r.instantiate(events, nil, impl, call, c)
	}
}

// Doer reports whether an interface method is shaped like http.Client.Do or
// RoundTrip: then it sends the request that it is given.
func Doer(m *types.Func) (model.Symbol, bool) {
	sig := m.Signature()
	if sig.Params().Len() != 1 || sig.Results().Len() != 2 {
		return model.Symbol{}, false
	}
	http := func(t types.Type, name string) bool {
		return model.TypeSymbol(t) == model.Symbol{Pkg: "net/http", Name: name}
	}
	if !http(sig.Params().At(0).Type(), "Request") || !http(sig.Results().At(0).Type(), "Response") {
		return model.Symbol{}, false
	}
	switch m.Name() {
	case "Do":
		return model.Symbol{Pkg: "net/http", Recv: "Client", Name: "Do"}, true
	case "RoundTrip":
		return model.Symbol{Pkg: "net/http", Recv: "RoundTripper", Name: "RoundTrip"}, true
	}
	return model.Symbol{}, false
}

// maxImplementations bounds the join over what an interface may hold.
const maxImplementations = 3

// implementations lists the methods that an interface call may reach, among the
// types of this package and of those it imports, when they are few.
func (r *Reader) implementations(c *ssa.CallCommon) []*types.Func {
	if known, ok := r.impls[c.Method]; ok {
		return known
	}
	iface, ok := c.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var out []*types.Func
	for _, pkg := range append([]*types.Package{r.Evaluator.Package.Pkg}, r.Evaluator.Package.Pkg.Imports()...) {
		if IsStandard(pkg.Path()) {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			if named, ok := tn.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 {
				continue
			}
			ptr := types.NewPointer(tn.Type())
			if !types.Implements(ptr, iface) {
				continue
			}
			if m, _, _ := types.LookupFieldOrMethod(ptr, true, pkg, c.Method.Name()); m != nil {
				if fn, ok := m.(*types.Func); ok {
					out = append(out, fn)
				}
			}
		}
	}
	if len(out) > maxImplementations {
		out = nil
	}
	r.impls[c.Method] = out
	return out
}

// Call lists what one call may do, over the parameters of the function that makes
// it. A closure counts where it is called.
func (r *Reader) Call(call ssa.CallInstruction) []Event {
	r.start()
	var c collection
	r.call(call, &c)
	if common := call.Common(); len(c.events) == 0 && !common.IsInvoke() && common.StaticCallee() == nil {
		t := r.Evaluator.Value(common.Value, call)
		if body := t.Function(); t.Kind == value.Func && body != nil && len(body.Blocks) > 0 {
			for _, e := range r.Of(body) {
				e.pos = call.Pos()
				c.add(e)
			}
		}
	}
	return c.events
}
