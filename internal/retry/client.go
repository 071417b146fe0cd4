package retry

import (
	"go/token"

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
	var sites []*Site
	for _, c := range order {
		if f.within(c.root, byRoot) {
			continue
		}
		if s := f.clientSite(fn, c); s != nil {
			sites = append(sites, s)
		}
	}
	return sites
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
			if ok && clients[identity(f.root(field.X))] != nil {
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
			c := at(f.root(recv), e, sym)
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
	c := at(f.root(addr.X), e, typ)
	c.configures = true
	if !c.first.IsValid() {
		c.first = store.Pos()
	}
	if a, ok := c.root.(*ssa.Alloc); ok {
		c.made, c.pos = true, a.Pos()
	}
}

// root is the value that v is another name of: the first receiver of a chain.
func (f *Finder) root(v ssa.Value) ssa.Value {
	seen := map[ssa.Value]bool{}
	for !seen[v] { // req = req.SetHeader(...) in a captured variable comes round
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Call:
			use, ok := f.Evaluator.Library.Call(x.Common())
			if recv := value.Receiver(x.Common()); ok && use.Fluent && recv != nil {
				v = recv
				continue
			}
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.UnOp:
			// A captured or address-taken local: its cell's only value.
			if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
				if s := onlyStore(a); s != nil {
					v = s
					continue
				}
			}
		}
		return v
	}
	return v
}

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

func onlyStore(a *ssa.Alloc) ssa.Value {
	var val ssa.Value
	for _, ref := range *a.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == ssa.Value(a) {
			if val != nil {
				return nil
			}
			val = s.Val
		}
	}
	return val
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
	made := f.Evaluator.Value(c.root, nil)
	if g := f.variable(fn, c.root); g != nil {
		made = f.Evaluator.Variable(g) // what it is told elsewhere, too
	} else if g, ok := identity(c.root).(*ssa.Global); ok && !c.made && f.makes(f.Evaluator.Variable(g)) {
		return nil // a site where the variable is initialised
	}
	t := f.Evaluator.Resolve(made)
	policies := f.in.apply([]*Policy{newPolicy()}, t, nil)
	if policies = retrying(policies, false); len(policies) == 0 {
		return nil
	}
	if !c.configures && !f.retriesKnown(policies) {
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
	s.explain()
	return s
}

// variable is the package variable in which fn stores the client at root.
func (f *Finder) variable(fn *ssa.Function, root ssa.Value) *ssa.Global {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok || f.root(store.Val) != f.root(root) {
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
