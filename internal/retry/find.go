package retry

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/attempt"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/loop"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Wrap says that a function retries one of its parameters: a call of the
// function is a retry of what is passed.
type Wrap struct {
	// Operation is the index of the parameter, receiver first. It is OwnCode
	// when the function retries code of its own with a policy that it is given.
	Operation int
	Entry     model.Symbol  // the library's function that does it
	Args      []*value.Term // its arguments, receiver first, over the parameters
	// Fixed names the settings that do not depend on the caller: they are
	// judged where the function is.
	Fixed []string
	// Sends are the requests of the function's own code whose method or key
	// the caller decides.
	Sends []effect.Event
}

// OwnCode marks a function that retries code of its own, with a policy or with
// requests that its caller decides.
const OwnCode = -1

// A Finder finds the retry sites of one package.
type Finder struct {
	Evaluator *value.Evaluator
	Catalogue *model.Catalogue
	Functions []*ssa.Function
	Files     []*ast.File
	// Imported says which parameters a function of another package retries,
	// and whether that package is part of the same module.
	Imported func(*types.Func) (wraps []Wrap, sameModule bool)
	// Effects says what the operations send.
	Effects *effect.Reader
	// Loops finds the loops that are written by hand.
	Loops *loop.Reader

	in interpreter
	// defaultTouched reports whether the package changes http.DefaultClient.
	defaultTouched func() bool
	loopEntry      *model.Entry
	exprs          map[token.Pos]ast.Expr
	wraps          map[*ssa.Function][]Wrap
	active         map[*ssa.Function]bool
	ends           map[endKey]endings
	known          map[*ssa.Function][]retryCall // see calls
	cuts           int                           // how often a recursion was cut short
}

// Sort puts sites in the order of their places.
func Sort(sites []*Site) {
	slices.SortStableFunc(sites, func(a, b *Site) int { return cmp.Compare(a.Pos, b.Pos) })
}

func (f *Finder) prepare() {
	if f.wraps == nil {
		f.in = interpreter{f.Catalogue, f.Evaluator.Overwritten, f.onlyResult}
		f.loopEntry = loopEntry()
		f.defaultTouched = sync.OnceValue(func() bool { return attempt.TouchesDefault(f.Functions) })
		f.wraps = map[*ssa.Function][]Wrap{}
		f.active = map[*ssa.Function]bool{}
		f.ends = map[endKey]endings{}
		f.known = map[*ssa.Function][]retryCall{}
	}
}

// onlyResult is the only result of fn.
func (f *Finder) onlyResult(fn *ssa.Function) *value.Term {
	o := f.Evaluator.Outline(fn)
	if o == nil || len(o.Returns) != 1 {
		return nil
	}
	return o.Returns[0]
}

// Wraps lists the parameters that fn, a function of this package, retries.
func (f *Finder) Wraps(fn *ssa.Function) []Wrap {
	f.prepare()
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if w, ok := f.wraps[fn]; ok {
		return w
	}
	if f.active[fn] {
		f.cuts++
		return nil
	}
	if fn.Parent() != nil && !f.onlyCalled(fn) {
		return nil
	}
	f.active[fn] = true
	defer delete(f.active, fn)
	var out []Wrap
	for _, body := range WithClosures(fn) {
		for _, c := range f.calls(body) {
			var operations []int
			if !c.sender {
				operations = f.parametersRun(fn, c.operation)
			}
			sends := f.decidedByCaller(fn, c)
			if len(operations) == 0 && fn.Parent() == nil && (len(sends) > 0 || !c.sender && f.policyGiven(fn, c)) {
				operations = []int{OwnCode}
			}
			for _, i := range operations {
				w := Wrap{Operation: i, Entry: c.entrySym, Args: c.args, Fixed: f.fixed(c)}
				if i == OwnCode {
					w.Sends = sends
				}
				out = append(out, w)
			}
		}
	}
	f.wraps[fn] = out
	return out
}

// onlyCalled reports whether the closure is a helper of the function that makes
// it, which calls it and does nothing else with it.
func (f *Finder) onlyCalled(closure *ssa.Function) bool {
	as, uses := f.Evaluator.Uses(closure)
	return len(uses) > 0 && !slices.ContainsFunc(uses, func(use ssa.Instruction) bool {
		call, ok := use.(ssa.CallInstruction)
		return !ok || call.Common().Value != as || slices.Contains(call.Common().Args, as)
	})
}

// WithClosures lists fn and the functions nested in it.
func WithClosures(fn *ssa.Function) []*ssa.Function {
	out := []*ssa.Function{fn}
	for _, anon := range fn.AnonFuncs {
		out = append(out, WithClosures(anon)...)
	}
	return out
}

// A retryCall is a call that may run its operation again.
type retryCall struct {
	instr     ssa.CallInstruction
	entry     *model.Entry
	entrySym  model.Symbol
	args      []*value.Term // of the library's function, receiver first
	operation *value.Term
	helper    model.Symbol // the function called, when it is no library's
	fixed     []string     // settings that the helper fixes, judged there
	holder    ssa.Value    // the object, made in this function, that holds the policy
	sender    bool         // it sends one request, through a client that retries
	loop      *loop.Loop   // it is a loop, written by hand
	sends     []effect.Event
}

// asksOperation reports whether the operation itself decides what is retried.
func (c *retryCall) asksOperation() bool {
	return c.entry.Retry != nil && c.entry.Retry.Sets["predicate"].Literal == "caller"
}

// calls lists the retry calls of one function body.
func (f *Finder) calls(fn *ssa.Function) []retryCall {
	if known, ok := f.known[fn]; ok {
		return known
	}
	cuts := f.cuts
	out := slices.Concat(f.loops(fn), f.written(fn))
	if f.cuts == cuts { // of a recursion in the midst not all is seen
		f.known[fn] = out
	}
	return out
}

// written lists the calls of what retries.
func (f *Finder) written(fn *ssa.Function) []retryCall {
	var out []retryCall
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if c, ok := f.libraryCall(call); ok {
				out = append(out, c)
				continue
			}
			if c, ok := f.senderCall(call); ok {
				out = append(out, c)
				continue
			}
			out = append(out, f.helperCalls(call)...)
		}
	}
	return out
}

func (f *Finder) libraryCall(call ssa.CallInstruction) (retryCall, bool) {
	common := call.Common()
	for _, sym := range value.CalleeSymbols(common) {
		e := f.Catalogue.Lookup(sym)
		if e == nil || e.Retry == nil || e.Retry.Kind != "" {
			continue
		}
		if e.Retry.Loop && turnsLoop(common.Signature()) && !value.Turns(call.Block()) {
			return retryCall{}, false
		}
		c := retryCall{instr: call, entry: e, entrySym: sym}
		c.args = f.Evaluator.Arguments(call)
		c.operation = operation(e.Retry, c.args, sym.Recv != "")
		c.sends = f.operationSends(c.operation)
		if i := e.Retry.Operation.Arg; i != nil {
			args := common.Args
			if sym.Recv != "" && !common.IsInvoke() && len(args) > 0 {
				args = args[1:]
			}
			if *i < len(args) {
				c.sends = f.decorated(args[*i], c.operation, c.sends)
			}
		}
		return c, true
	}
	return retryCall{}, false
}

// decorated are the sends of an operation that a function of this package makes
// around functions that it is given: in retry.Do(logged(send)) those of send are
// among them.
func (f *Finder) decorated(v ssa.Value, op *value.Term, sends []effect.Event) []effect.Event {
	for {
		if changed, ok := v.(*ssa.ChangeType); ok {
			v = changed.X
			continue
		}
		break
	}
	call, ok := v.(*ssa.Call)
	if !ok || op == nil || op.Kind != value.Func || op.Function() == nil {
		return sends
	}
	maker := call.Common().StaticCallee()
	if maker == nil || op.Function().Parent() != maker {
		return sends
	}
	given := f.parametersCalled(maker, op.Function())
	slices.Sort(given)
	out := slices.DeleteFunc(slices.Clone(sends), func(e effect.Event) bool { return e.Call && slices.Contains(given, e.Param) })
	for _, i := range slices.Compact(given) {
		inner := f.Evaluator.Value(call.Common().Args[i], call)
		if inner.Kind != value.Func || inner.Function() == nil || len(inner.Function().Blocks) == 0 {
			return sends
		}
		out = append(out, f.operationSends(inner)...)
	}
	return out
}

// turnsLoop reports whether a loop-style function is called anew on each turn: it
// says whether to go on, or yields what to wait for.
func turnsLoop(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	switch t := sig.Results().At(0).Type().Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsBoolean != 0
	case *types.Chan:
		return true
	}
	return false
}

// senderCall is a call that sends one request through a client that may retry
// it by itself.
func (f *Finder) senderCall(call ssa.CallInstruction) (retryCall, bool) {
	common := call.Common()
	for _, sym := range value.CalleeSymbols(common) {
		e := f.Catalogue.Lookup(sym)
		if e == nil || e.Sender == nil || e.Sender.Client == nil && (e.Sender.Request == nil || !e.Sender.Request.Receiver) {
			continue
		}
		c := retryCall{instr: call, entry: e, entrySym: sym, args: f.Evaluator.Arguments(call), sender: true}
		c.sends = []effect.Event{effect.Sent(sym, c.args, call.Pos())}
		return c, true
	}
	return retryCall{}, false
}

// operationSends lists what one attempt may do, when its code is seen.
func (f *Finder) operationSends(op *value.Term) []effect.Event {
	if op == nil || op.Kind != value.Func || op.Function() == nil || len(op.Function().Blocks) == 0 {
		return nil
	}
	return f.Effects.Of(op.Function())
}

// decidedByCaller lists the requests of c whose method or key depends on what
// fn is given.
func (f *Finder) decidedByCaller(fn *ssa.Function, c retryCall) []effect.Event {
	var out []effect.Event
	for _, e := range c.sends {
		if e.Send.Name == "" {
			continue
		}
		e.Args = f.closed(e.Args)
		if f.callerKnows(fn, e) {
			out = append(out, e)
		}
	}
	return out
}

// callerKnows reports whether the method or the key of a request depends on
// what fn is given. Its receiver does not count: what this package writes to it
// is already seen, and a caller sees no more.
func (f *Finder) callerKnows(fn *ssa.Function, e effect.Event) bool {
	fn = value.Outermost(fn)
	if fn.Signature.Recv() != nil {
		params := value.Parameters(fn)
		params[0] = value.Opaque("the receiver")
		e.Args = substAll(e.Args, fn, params)
	}
	return f.Effects.Request(&e).Symbolic
}

// operation is the term of the code that an entry runs.
func operation(r *model.Retry, args []*value.Term, method bool) *value.Term {
	if r.Loop || r.Operation.Arg == nil {
		return nil
	}
	i := *r.Operation.Arg
	if method {
		i++
	}
	if i >= len(args) {
		return nil
	}
	op := args[i]
	if r.Operation.Field != "" {
		op = value.Select(op, r.Operation.Field, &value.Term{Kind: value.Nil})
	}
	return op
}

// helperCalls are the retries that a call of the user's own function comes to.
func (f *Finder) helperCalls(call ssa.CallInstruction) []retryCall {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil
	}
	obj := value.Object(callee)
	if obj == nil && callee.Parent() == nil {
		return nil
	}
	if obj != nil && f.modelled(obj) {
		return nil // the model says it all, also where its library's code is in sight
	}
	owner := callee
	if origin := callee.Origin(); origin != nil {
		owner = origin
	}
	var wraps []Wrap
	elsewhere := true
	if obj == nil || obj.Pkg() == f.Evaluator.Package.Pkg {
		wraps = f.Wraps(callee)
	} else if f.Imported != nil {
		wraps, elsewhere = f.Imported(obj)
		owner = nil
	}
	if len(wraps) == 0 {
		return nil
	}
	args := f.Evaluator.Arguments(call)
	var out []retryCall
	for _, w := range wraps {
		e := f.entry(w.Entry)
		if e == nil || e.Retry == nil && e.Sender == nil || w.Operation >= len(args) {
			continue
		}
		c := retryCall{instr: call, entry: e, entrySym: w.Entry, helper: f.helperName(callee)}
		if elsewhere {
			c.fixed = w.Fixed
		}
		c.args = substAll(w.Args, owner, args)
		if w.Operation != OwnCode {
			c.operation = args[w.Operation]
			c.sends = f.operationSends(c.operation)
		}
		for _, e := range w.Sends {
			e.Args = substAll(e.Args, owner, args)
			e.Chain = append([]model.Symbol{c.helper}, e.Chain...)
			c.sends = append(c.sends, e)
		}
		c.sender = e.Retry == nil
		if obj != nil && obj.Signature().Recv() != nil {
			c.holder = f.holder(call, e, w, owner, args)
		}
		out = append(out, c)
	}
	return out
}

// modelled reports whether a model speaks of a function, or of the client that
// it is a method of.
func (f *Finder) modelled(fn *types.Func) bool {
	sym := model.FuncSymbol(fn)
	return f.Catalogue.Lookup(sym) != nil || sym.Recv != "" && isClient(f.Catalogue.Lookup(model.Symbol{Pkg: sym.Pkg, Name: sym.Recv}))
}

// helperName names a function of the user's own; a closure by the function that
// makes it.
func (f *Finder) helperName(fn *ssa.Function) model.Symbol {
	if obj := value.Object(fn); obj != nil {
		return model.FuncSymbol(obj)
	}
	return model.Symbol{Pkg: f.Evaluator.Package.Pkg.Path(), Name: fn.Name()}
}

func substAll(ts []*value.Term, fn *ssa.Function, args []*value.Term) []*value.Term {
	out := make([]*value.Term, len(ts))
	for i, t := range ts {
		out[i] = value.Subst(t, fn, args)
	}
	return out
}

// schedule names the settings that say how often and when; a context or a
// predicate alone makes no policy.
var schedule = []string{"attempts", "backoff", "initial", "max", "multiplier", "elapsed", "delays", "step"}

// depends reports whether some setting of the schedule comes from a parameter.
func depends(ps []*Policy) bool {
	for _, p := range ps {
		for _, name := range schedule {
			if set, ok := p.Get(name); ok && set.Param {
				return true
			}
		}
	}
	return false
}

// policyGiven reports whether the schedule of the call comes from parameters of
// fn other than its receiver.
func (f *Finder) policyGiven(fn *ssa.Function, c retryCall) bool {
	params := value.Parameters(fn)
	if fn.Signature.Recv() != nil {
		params[0] = value.Opaque("the receiver")
	}
	return depends(f.policies(c.entry, c.entrySym, substAll(f.closed(c.args), fn, params)))
}

// holder is the receiver of a helper's method, when that object, and nothing
// else that the caller passes, brings the policy: a group or client that was
// given its options when it was made. That is where the policy is judged.
func (f *Finder) holder(call ssa.CallInstruction, e *model.Entry, w Wrap, owner *ssa.Function, args []*value.Term) ssa.Value {
	if !depends(f.policies(e, w.Entry, w.Args)) {
		return nil // the helper brings its own
	}
	others := slices.Clone(args)
	for i := 1; i < len(others); i++ {
		others[i] = value.Free(i)
	}
	if depends(f.policies(e, w.Entry, substAll(w.Args, owner, others))) {
		return nil
	}
	root := f.Evaluator.Root(value.Receiver(call.Common()))
	made := root
	if x, ok := root.(*ssa.Extract); ok {
		made = x.Tuple
	}
	if c, ok := made.(*ssa.Call); ok && c.Parent() == call.Parent() {
		return c
	}
	return nil
}

// parametersRun lists the parameters of fn that an operation is, or calls.
func (f *Finder) parametersRun(fn *ssa.Function, op *value.Term) []int {
	if op == nil {
		return nil
	}
	var out []int
	for _, alt := range op.Alternatives() {
		switch alt.Kind {
		case value.Param:
			if alt.Function() == fn {
				out = append(out, alt.Index)
			}
		case value.Func:
			if body := alt.Function(); body != nil && body.Parent() != nil {
				out = append(out, f.parametersCalled(fn, body)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// parametersCalled lists the parameters of fn that the closure body calls.
func (f *Finder) parametersCalled(fn, body *ssa.Function) []int {
	var out []int
	for _, b := range body.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || call.Common().IsInvoke() || call.Common().StaticCallee() != nil {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			t := f.Evaluator.Value(call.Common().Value, call)
			if t.Kind == value.Param && t.Function() == fn && f.canFail(call.Common().Signature()) {
				out = append(out, t.Index)
			}
		}
	}
	return out
}

// canFail reports whether a function says when it failed. One that does not
// only decorates the operation it is called from.
func (f *Finder) canFail(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && f.isFailure(sig.Results().At(n-1).Type())
}

// isFailure reports whether a result says that its function failed: it is an
// error, or what a library has operations return in its place.
func (f *Finder) isFailure(t types.Type) bool {
	if value.IsError(t) {
		return true
	}
	e := f.Catalogue.Lookup(value.TypeSymbol(t))
	return e != nil && e.Marker != nil && e.Marker.Type != ""
}

// returnsError reports whether the last result of a function is an error.
func returnsError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && value.IsError(sig.Results().At(n-1).Type())
}

// InFunction lists the sites that stand in fn.
func (f *Finder) InFunction(fn *ssa.Function) []*Site {
	f.prepare()
	var sites []*Site
	held := map[ssa.Value]bool{}
	for _, c := range f.calls(fn) {
		if c.holder != nil && held[c.holder] {
			continue // one site for the object, not one per use
		}
		if s := f.site(fn, c); s != nil {
			sites = append(sites, s)
			held[c.holder] = true
		}
	}
	return append(sites, f.clients(fn)...)
}

func (f *Finder) site(fn *ssa.Function, c retryCall) *Site {
	policies := f.policies(c.entry, c.entrySym, f.resolve(c.args))
	if policies = retrying(policies, !c.sender && c.entry.Retry.Composes); len(policies) == 0 {
		return nil
	}
	if c.sender && !f.retriesKnown(policies) {
		return nil
	}
	s := &Site{
		Mechanism: "library", Library: c.entry.Library, Symbol: c.entrySym,
		Function: fn, Policies: policies, Operation: c.operation,
	}
	if c.sender || c.entry.Retry.Sends {
		s.Mechanism = "builtin"
	}
	s.Pos, s.End = f.extent(c.instr.Pos())
	if c.loop != nil {
		s.Mechanism, s.Startup = "loop", c.loop.Startup
		s.Pos, s.End = f.place(c.loop)
	}
	if c.holder != nil {
		s.Pos, s.End = f.extent(c.holder.Pos())
	} else if maker := f.maker(c); !c.sender && maker != nil {
		s.Pos, _ = f.extent(maker.Pos())
	}
	if c.helper.Name != "" {
		s.Mechanism, s.Symbol, s.Helper = "wrapper", c.helper, true
		markHelper(policies, c.fixed)
	}
	f.markParams(policies, f.policies(c.entry, c.entrySym, f.closed(c.args)))
	if c.sender {
		markHelper(policies, model.PolicySettings()) // judged where the client is configured
	}
	s.Breaker = breaker(policies)
	s.Predicate = f.predicate(s)
	end := ender{f, retriesMarkedOnly(c.entry.Library, policies), c.asksOperation()}
	s.Sends = f.sends(fn, c, end)
	if s.once(policies) && c.sender || end.onlyPolls(s) || end.never(s) {
		return nil
	}
	s.Seen = seen(c, c.operation)
	s.explain()
	if !c.sender {
		s.Between = attempt.Read(f.code(fn, c))
	}
	return s
}

// code is the code of the attempts of a call, as far as it is in sight.
func (f *Finder) code(fn *ssa.Function, c retryCall) attempt.Code {
	code := attempt.Code{
		Evaluator: f.Evaluator, Effects: f.Effects, DefaultTouched: f.defaultTouched,
		Around: fn, Call: c.instr, Loop: c.loop, Helper: c.helper.Name != "",
	}
	if op := c.operation; c.loop == nil && op != nil && op.Kind == value.Func && op.Function() != nil && len(op.Function().Blocks) > 0 {
		code.Operation = op.Function()
		code.Asks = c.asksOperation() && saysDone(code.Operation.Signature)
	}
	return code
}

// policies is what the entry's defaults and the caller's values come to.
func (f *Finder) policies(e *model.Entry, sym model.Symbol, args []*value.Term) []*Policy {
	if e.Retry == nil {
		ev := effect.Sent(sym, args, token.NoPos)
		client := f.Effects.Request(&ev).Client
		if client == nil {
			return nil
		}
		return f.in.apply([]*Policy{newPolicy()}, client, nil)
	}
	r := e.Retry
	fr := frame{args: args, library: e.Library, defaults: true}
	if sym.Recv != "" && len(args) > 0 {
		fr.receiver, fr.args = args[0], args[1:]
	}
	p := newPolicy()
	p.retries = !r.Composes
	ps := []*Policy{p}
	if delay := loopDelay; sym == handwritten && delay < len(args) && args[delay].Kind != value.Nil {
		p.set("attempts", Setting{Word: "unbounded"})
		ps = f.in.apply(ps, args[delay], []string{"attempts", "elapsed", "backoff", "jitter"})
	}
	ps = f.in.sets(ps, r.Sets, fr)
	for _, ref := range r.Policy {
		ps = f.in.refs(ps, ref, fr)
	}
	if ctx := r.Context; ctx != nil && ctx.Arg != nil && *ctx.Arg < len(fr.args) {
		f.in.under(ps, fr.args[*ctx.Arg])
	}
	return ps
}

// maker is the call that makes the retrier which c runs, when the retrier is a
// local variable of the same function. A chain that passes through a variable
// starts where the chain starts, as one that does not.
func (f *Finder) maker(c retryCall) *ssa.Call {
	if c.helper.Name != "" || c.sender || len(c.entry.Retry.Policy) != 1 {
		return nil
	}
	common := c.instr.Common()
	var retrier ssa.Value
	switch ref := c.entry.Retry.Policy[0]; {
	case ref.Receiver:
		retrier = value.Receiver(common)
	case ref.Arg != nil && *ref.Arg < len(common.Args):
		retrier = common.Args[*ref.Arg]
	}
	if retrier == nil || !c.entry.Library.Runs(value.TypeSymbol(retrier.Type()).Name) {
		return nil
	}
	edges := []ssa.Value{retrier}
	if phi, ok := f.Evaluator.Root(retrier).(*ssa.Phi); ok {
		edges = phi.Edges
	}
	for _, edge := range edges {
		made, ok := f.Evaluator.Root(edge).(*ssa.Call)
		if !ok || made.Parent() != c.instr.Parent() || made.Pos() >= c.instr.Pos() {
			continue
		}
		t := f.Evaluator.Value(made, nil)
		if len(retrying(f.in.apply([]*Policy{newPolicy()}, t, nil), false)) > 0 {
			return made
		}
	}
	return nil
}

func (f *Finder) resolve(ts []*value.Term) []*value.Term {
	out := make([]*value.Term, len(ts))
	for i, t := range ts {
		out[i] = f.Evaluator.Resolve(t)
	}
	return out
}

// retrying leaves out the policies that run the operation once at most, by their
// count or because they retry nothing, and, of a composition, those that hold no
// retry.
func retrying(ps []*Policy, composes bool) []*Policy {
	return slices.DeleteFunc(ps, func(p *Policy) bool {
		if composes && !p.retries {
			return true
		}
		if only, ok := p.Get("predicate"); ok && only.Is("never") {
			return true
		}
		var s Schedule
		n, known := p.degenerate().count(&s)
		return known && !s.Unbounded && n <= 1
	})
}

// fixed names the settings of a call that do not depend on parameters of the
// function around it.
func (f *Finder) fixed(c retryCall) []string {
	ps := f.policies(c.entry, c.entrySym, f.closed(c.args))
	var out []string
	for _, name := range model.PolicySettings() {
		fixed := len(ps) > 0
		for _, p := range ps {
			set, ok := p.Get(name)
			fixed = fixed && ok && !set.Param
		}
		if fixed {
			out = append(out, name)
		}
	}
	return out
}

func (f *Finder) closed(ts []*value.Term) []*value.Term {
	out := make([]*value.Term, len(ts))
	for i, t := range ts {
		out[i] = f.Evaluator.Closed(t)
	}
	return out
}

// markHelper marks the settings that the helper fixes whatever its caller
// passes: they are judged there.
func markHelper(ps []*Policy, fixed []string) {
	for _, p := range ps {
		for _, name := range fixed {
			if s, ok := p.Get(name); ok {
				s.Helper = true
				p.set(name, s)
			}
		}
	}
}

// markParams marks the settings that callers pass, which were filled in from
// the callers in sight: they are judged there.
func (f *Finder) markParams(ps, symbolic []*Policy) {
	for _, p := range ps {
		for name, s := range p.settings {
			for _, h := range symbolic {
				if set, ok := h.Get(name); ok && set.Param {
					s.Param = true
				}
			}
			p.set(name, s)
		}
	}
}

// breaker says where a composition has its breaker, seen from the retry.
func breaker(ps []*Policy) string {
	out := ""
	for _, p := range ps {
		here := "unknown"
		if r := slices.Index(p.frames, "policy"); r >= 0 && !slices.Contains(p.frames, "unknown") {
			switch b := slices.Index(p.frames, "breaker"); {
			case b > r:
				here = "inside"
			case b >= 0:
				here = "outside"
			}
		}
		if out != "" && out != here {
			return "unknown"
		}
		out = here
	}
	return out
}

// extent is the source range of the expression at pos: the whole call, from
// the start of its chain.
func (f *Finder) extent(pos token.Pos) (start, end token.Pos) {
	if f.exprs == nil {
		f.exprs = map[token.Pos]ast.Expr{}
		for _, file := range f.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					f.exprs[n.Lparen] = n
				case *ast.CompositeLit:
					f.exprs[n.Lbrace] = n
				}
				return true
			})
		}
	}
	if e := f.exprs[pos]; e != nil {
		return e.Pos(), e.End()
	}
	return pos, pos
}
