package retry

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A candidate is a client, or a request made from one, that code of a function
// makes or configures.
type candidate struct {
	root       ssa.Value
	pos        token.Pos // of the call or literal that makes it
	first      token.Pos // of the first call or write that configures it
	made       bool
	configures bool
	library    *model.Library
	symbol     model.Symbol
}

// clients lists the sites at which a client that retries by itself is made, or
// is told to retry. The requests sent through it are the operations.
func (f *Finder) clients(fn *ssa.Function) []*Site {
	var sites []*Site
	for _, c := range f.candidates(fn) {
		if s := f.clientSite(fn, c); s != nil {
			sites = append(sites, s)
		}
	}
	return sites
}

// candidates lists the clients that fn makes or configures.
func (f *Finder) candidates(fn *ssa.Function) []*candidate {
	var order []*candidate
	byRoot := map[any]*candidate{}
	at := func(root ssa.Value, e *model.Entry, sym model.Symbol) *candidate {
		key := identity(root)
		c := byRoot[key]
		if c == nil {
			c = &candidate{library: e.Library, symbol: sym}
			byRoot[key] = c
			order = append(order, c)
		}
		c.root = root // the last name of it has seen all changes before
		return c
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				f.clientCall(instr, at)
			case *ssa.Store:
				f.clientField(instr, at)
			}
		}
	}
	return slices.DeleteFunc(order, func(c *candidate) bool { return f.within(c.root, byRoot) })
}

// within reports whether the options at root are written into those of a client
// at hand, of which they are a part.
func (f *Finder) within(root ssa.Value, clients map[any]*candidate) bool {
	options, ok := root.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *options.Referrers() {
		load, ok := ref.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		for _, use := range *load.Referrers() {
			store, ok := use.(*ssa.Store)
			if !ok || store.Val != ssa.Value(load) {
				continue
			}
			field, ok := store.Addr.(*ssa.FieldAddr)
			if ok && clients[identity(f.origin(field.X))] != nil {
				return true
			}
		}
	}
	return false
}

func isClient(e *model.Entry) bool {
	return e != nil && e.Value != nil && (e.Value.Role == "client" || e.Value.Role == "request")
}

// clientCall notes a call that makes or configures a client.
func (f *Finder) clientCall(call *ssa.Call, at func(ssa.Value, *model.Entry, model.Symbol) *candidate) {
	for _, sym := range value.CalleeSymbols(call.Common()) {
		e := f.Catalogue.Lookup(sym)
		if !isClient(e) {
			continue
		}
		v := e.Value
		switch {
		case v.Mutates:
			if !configures(v) {
				return
			}
			recv := value.Receiver(call.Common())
			c := at(f.origin(recv), e, sym)
			c.configures = true
			if !c.first.IsValid() {
				c.first = call.Pos()
			}
		case v.Base == nil && !v.Derives:
			c := at(resultOf(call), e, sym)
			c.made, c.pos = true, call.Pos()
		}
		return
	}
}

// configures reports whether the entry changes how its client retries.
func configures(v *model.Value) bool {
	for _, name := range v.Sets.Names() {
		if name != "timeout" && name != "context" {
			return true
		}
	}
	return len(v.Policy) > 0
}

// clientField notes a write to a field of a client that configures retries.
func (f *Finder) clientField(store *ssa.Store, at func(ssa.Value, *model.Entry, model.Symbol) *candidate) {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	typ := value.TypeSymbol(addr.X.Type())
	e := f.Catalogue.Lookup(typ)
	if !isClient(e) {
		return
	}
	if sets := e.Value.Fields[value.FieldName(addr)]; len(sets) == 0 {
		return
	}
	c := at(f.origin(addr.X), e, typ)
	c.configures = true
	if !c.first.IsValid() {
		c.first = store.Pos()
	}
	if a, ok := c.root.(*ssa.Alloc); ok {
		c.made, c.pos = true, a.Pos()
	}
}

// origin is the value that v is another name of, seen through a field in which
// the function has just stored it.
func (f *Finder) origin(v ssa.Value) ssa.Value {
	for range maxHelpers {
		v = f.Evaluator.Root(v)
		stored := f.Evaluator.Stored(v)
		if stored == nil {
			break
		}
		v = stored
	}
	return v
}

// maxHelpers bounds the chain of fields and helpers through which a client is
// followed.
const maxHelpers = 4

// identity tells whether two values are the same object: two loads of one field
// or of one package variable are.
func identity(v ssa.Value) any {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	switch addr := load.X.(type) {
	case *ssa.FieldAddr:
		return [2]any{identity(addr.X), addr.Field}
	case *ssa.Global:
		return addr
	}
	return v
}

// resultOf is the client among the results of a call.
func resultOf(call *ssa.Call) ssa.Value {
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 0 {
			return x
		}
	}
	return call
}

func (f *Finder) clientSite(fn *ssa.Function, c *candidate) *Site {
	if f.elsewhere(fn, c) {
		return nil
	}
	made := f.Evaluator.Kept(c.root, nil) // what it is told elsewhere, too
	if g := f.variable(fn, c.root); g != nil {
		made = f.Evaluator.Variable(g)
	}
	t := f.Evaluator.Resolve(made)
	policies := f.in.apply([]*Policy{newPolicy()}, t, nil)
	if policies = retrying(policies, false); len(policies) == 0 {
		return nil
	}
	if !c.configures && !f.configured(made) && !f.retriesKnown(policies) {
		return nil // nothing here says that it retries
	}
	s := &Site{
		Mechanism: "builtin", Library: c.library, Symbol: c.symbol,
		Function: fn, Policies: policies,
	}
	if _, literal := c.root.(*ssa.Alloc); literal && s.DefaultsOnly() {
		return nil // options that were given for other reasons
	}
	pos := c.pos
	if !c.made {
		pos = c.first
		if call, ok := c.root.(ssa.Instruction); ok && call.Parent() == fn && call.Pos().IsValid() {
			if _, isCall := call.(*ssa.Call); isCall {
				pos = call.Pos()
			}
		}
	}
	if !pos.IsValid() {
		pos = c.first
	}
	s.Pos, s.End = f.extent(pos)
	s.Breaker = breaker(policies)
	s.Predicate = f.predicate(s)
	if e := f.Catalogue.Lookup(c.symbol); e != nil && e.Value != nil && e.Value.Runs != nil {
		call, _ := callOf(c.root)
		run := retryCall{instr: call, sends: f.Effects.Run(t)}
		s.Sends = f.sends(fn, run, ender{f: f})
		s.Seen = seen(run, nil)
	}
	s.explain()
	return s
}

// elsewhere reports whether the client, which fn makes or configures, is a site
// of another place.
func (f *Finder) elsewhere(fn *ssa.Function, c *candidate) bool {
	if c.made {
		return f.configuredByCallers(fn, c.root, maxHelpers) // there
	}
	if g, ok := identity(c.root).(*ssa.Global); ok {
		return f.makes(f.Evaluator.Variable(g)) // where the variable is initialised
	}
	kept := f.Evaluator.StoredInField(c.root)
	return len(kept) > 0 && !slices.ContainsFunc(kept, func(v ssa.Value) bool {
		return !f.madeHere(v, maxHelpers) // where it is stored in the field
	})
}

// configured reports whether something that happens to the client t changes how
// it retries.
func (f *Finder) configured(t *value.Term) bool {
	change := func(c value.Change) bool {
		if e := f.Catalogue.Lookup(c.Sym); e != nil && e.Value != nil {
			return configures(e.Value)
		}
		return len(f.in.fieldSets(t.Type, c.Path)) > 0
	}
	return slices.ContainsFunc(t.Alternatives(), func(alt *value.Term) bool { return slices.ContainsFunc(alt.Changes, change) })
}

// madeHere reports whether v is nothing but clients that this package makes, each
// with a candidate where it does.
func (f *Finder) madeHere(v ssa.Value, depth int) bool {
	v = f.Evaluator.Root(v)
	all := func(vs []ssa.Value) bool {
		return depth > 0 && !slices.ContainsFunc(vs, func(v ssa.Value) bool { return !f.madeHere(v, depth-1) })
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Phi:
		return all(v.Edges)
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
		fn := v.(ssa.Instruction).Parent()
		if slices.ContainsFunc(f.candidates(fn), func(c *candidate) bool { return c.made && c.root == v }) {
			return true
		}
	}
	call, result := callOf(v)
	if call == nil || call.Call.StaticCallee() == nil {
		return false
	}
	helper := call.Call.StaticCallee()
	return len(f.Evaluator.Calls(helper)) > 0 && all(f.returned(helper, result))
}

// configuredByCallers reports whether the client at root leaves fn for callers
// that all configure it: each is a site, then.
func (f *Finder) configuredByCallers(fn *ssa.Function, root ssa.Value, depth int) bool {
	calls := f.Evaluator.Calls(fn)
	if len(calls) == 0 || depth == 0 {
		return false
	}
	for _, call := range calls {
		mine := func(v ssa.Value) bool {
			at, result := callOf(v)
			return at != nil && at == call && slices.Contains(f.returned(fn, result), root)
		}
		caller := call.Parent()
		configures := func(c *candidate) bool { return c.configures && mine(c.root) }
		if slices.ContainsFunc(f.candidates(caller), configures) {
			continue
		}
		i := slices.IndexFunc(f.returned(caller, 0), mine)
		if i < 0 || !f.configuredByCallers(caller, f.returned(caller, 0)[i], depth-1) {
			return false
		}
	}
	return true
}

// callOf is the call of which v is a result, and which.
func callOf(v ssa.Value) (*ssa.Call, int) {
	switch v := v.(type) {
	case *ssa.Call:
		return v, 0
	case *ssa.Extract:
		call, _ := v.Tuple.(*ssa.Call)
		return call, v.Index
	}
	return nil, 0
}

// returned lists what fn returns as result number n.
func (f *Finder) returned(fn *ssa.Function, n int) []ssa.Value {
	var out []ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && n < len(ret.Results) {
			out = append(out, f.Evaluator.Root(ret.Results[n]))
		}
	}
	return out
}

// variable is the package variable in which fn stores the client at root.
func (f *Finder) variable(fn *ssa.Function, root ssa.Value) *ssa.Global {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok || f.Evaluator.Root(store.Val) != f.Evaluator.Root(root) {
				continue
			}
			if g, ok := store.Addr.(*ssa.Global); ok && g.Pkg == f.Evaluator.Package {
				return g
			}
		}
	}
	return nil
}

// makes reports whether t is a client that this package makes.
func (f *Finder) makes(t *value.Term) bool {
	if t.Kind != value.Call {
		return false
	}
	e := f.Catalogue.Lookup(t.Sym)
	return isClient(e) && e.Value.Base == nil
}

// retriesKnown reports whether each policy is known to try more than once.
func (f *Finder) retriesKnown(ps []*Policy) bool {
	for _, p := range ps {
		var s Schedule
		n, known := p.count(&s)
		if _, set := p.Get("attempts"); !set || !known || n <= 1 && !s.Unbounded {
			return false
		}
	}
	return len(ps) > 0
}
