package value

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Kept is the client or policy v with all that this package does to it, by way
// of the fields that it is kept in, too: in an option, in a setter, in a method
// that a constructor calls. Any other value is what it is at at.
func (e *Evaluator) Kept(v ssa.Value, at ssa.Instruction) *Term {
	if !isHandle(v.Type()) || !e.Library.Configured(TypeSymbol(v.Type())) {
		return e.Value(v, at)
	}
	root := e.Root(v)
	if t := e.kept[root]; t != nil {
		return t
	}
	key := [2]any{root, "kept"}
	if e.active[key] {
		e.cuts++
		return e.Value(v, at)
	}
	if len(e.active) == 0 {
		e.steps = 0
	}
	cuts := e.cuts
	e.active[key] = true
	t := e.keep(root)
	delete(e.active, key)
	if t == nil {
		return e.Value(v, at)
	}
	if e.cuts == cuts || len(e.active) == 0 {
		e.kept[root] = t
	}
	return t
}

// keep is Kept for one that the function at hand makes or is returned, nil for
// any other.
func (e *Evaluator) keep(v ssa.Value) *Term {
	if phi, ok := v.(*ssa.Phi); ok {
		var out []*Term
		for _, edge := range phi.Edges {
			out = append(out, e.Kept(edge, phi))
		}
		return Join(out...)
	}
	made := e.made(v)
	if made == nil {
		return nil
	}
	c := &collector{e: e, root: v, seen: map[ssa.Value]bool{}, fields: true}
	c.collect(v, "", false)
	slices.SortStableFunc(c.writes, func(a, b *write) int {
		return cmp.Or(cmp.Compare(a.place.rank, b.place.rank), compareInstr(a.instr, b.instr))
	})
	return made.with(e.reaching(c.writes, v, nil)).typed(v.Type()).bounded()
}

// A place says in which function a write stands, seen from the one that makes
// the object. Writes take effect in the order of their ranks.
type place struct {
	rank  int       // 0 there and in its closures, 1 in its only caller, and so on
	after ssa.Value // the call that returns, or has kept, the object in that caller
}

// elsewhere are functions that may run at any time, or never.
const elsewhere = maxResolve + 1

// from collects what happens to the object under the name v, which it has at p.
func (c *collector) from(p place, v ssa.Value, maybe bool) {
	place, beyond := c.place, c.beyond
	c.place, c.beyond = p, true
	c.collect(v, "", maybe)
	c.place, c.beyond = place, beyond
}

// A holder is a struct that keeps the object in a field, as one function names
// it, and the instruction since when it does.
type holder struct {
	base  ssa.Value
	since ssa.Instruction
	place place
}

// keptIn follows the object into the field in which s stores it, to wherever
// this package reads that field.
func (c *collector) keptIn(addr *ssa.FieldAddr, s *ssa.Store, maybe bool) {
	holders := c.holders(addr.X, s)
	var calls []ssa.CallInstruction
	for _, h := range holders {
		calls = append(calls, c.handedOn(h, FieldName(addr), maybe)...)
	}
	for _, load := range c.e.loads(addr) {
		stored, sure := c.e.stored(load)
		if sure && stored != nil && stored != s {
			continue // another object by then
		}
		if h := holderOf(holders, load); h != nil {
			if r := reachesWithin(h.since, load, alias(h.base)); r != never {
				c.from(h.place, load, maybe || !sure || r == sometimes)
			}
		} else if mayAlias(addr.X, fieldRead(load).X) && !c.e.allCalls(load.Parent(), calls) {
			c.from(place{rank: elsewhere}, load, true)
		}
	}
}

// allCalls reports whether fn is called by some of calls, and by no other.
func (e *Evaluator) allCalls(fn *ssa.Function, calls []ssa.CallInstruction) bool {
	of := e.Calls(fn)
	return len(of) > 0 && !slices.ContainsFunc(of, func(call ssa.CallInstruction) bool { return !slices.Contains(calls, call) })
}

// holders are the names of the struct at base since s: in the function of s, in
// its only caller, and so on.
func (c *collector) holders(base ssa.Value, s *ssa.Store) []holder {
	out := []holder{{base, s, c.place}}
	if c.place.rank == elsewhere {
		return out
	}
	for rank := c.place.rank + 1; rank < elsewhere; rank++ {
		h := out[len(out)-1]
		call := c.e.onlyCall(h.since.Parent())
		if call == nil {
			break
		}
		base := passed(h.base, call)
		if base == nil {
			break
		}
		out = append(out, holder{base, call, place{rank, call}})
	}
	return out
}

func holderOf(holders []holder, load *ssa.UnOp) *holder {
	for i, h := range holders {
		if load.Parent() == h.since.Parent() && samePlace(h.base, fieldRead(load).X) {
			return &holders[i]
		}
	}
	return nil
}

// handedOn notes, and lists, the calls that are given the struct h, which keeps
// the object in field: a constructor has the rest set up by methods.
func (c *collector) handedOn(h holder, field string, maybe bool) (calls []ssa.CallInstruction) {
	for _, b := range h.since.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			fn := common.StaticCallee()
			if fn == nil || !c.e.hasOutline(fn) {
				continue
			}
			for i, arg := range common.Args {
				if !configures(common, i) || !samePlace(arg, h.base) {
					continue
				}
				if r := reachesWithin(h.since, call, alias(h.base)); r != never {
					here := c.place
					c.place = h.place
					c.add(write{instr: call, call: common, arg: i, in: field, maybe: maybe || r == sometimes})
					c.place = here
					calls = append(calls, call)
				}
			}
		}
	}
	return calls
}

// inField are those of the changes of a struct that are made to the object in
// its field name, up to where another takes its place. Options that the struct
// is given to are not among them: they are found where they read the field.
func inField(changes []Change, name string) []Change {
	var out []Change
	for _, c := range changes {
		switch {
		case c.Each != nil:
		case c.Sym.Name != "" && c.Path == name:
			c.Path = ""
			out = append(out, c)
		case c.Path == name && c.Key == nil || c.Path == "" && c.Sym.Name == "":
			return out
		case strings.HasPrefix(c.Path, name+"."):
			c.Path = strings.TrimPrefix(c.Path, name+".")
			out = append(out, c)
		}
	}
	return out
}

// returned follows the object to the callers of the function that makes it,
// when all are in sight: to all that its only caller does, and of others to
// what is done where they keep it.
func (c *collector) returned(ret *ssa.Return, v ssa.Value, maybe bool) {
	if c.place.rank >= maxResolve {
		return
	}
	calls := c.e.Calls(ret.Parent())
	for i, r := range ret.Results {
		if r != v {
			continue
		}
		for _, call := range calls {
			result := resultOf(call, i)
			switch {
			case result == nil:
			case len(calls) == 1:
				c.from(place{c.place.rank + 1, result}, result, maybe)
			default:
				c.keptElsewhere(result)
			}
		}
	}
}

// keptElsewhere follows the object v into fields, to functions other than the
// one at hand.
func (c *collector) keptElsewhere(v ssa.Value) {
	for _, ref := range *v.Referrers() {
		s, ok := ref.(*ssa.Store)
		if !ok || s.Val != v {
			continue
		}
		addr, ok := s.Addr.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, load := range c.e.loads(addr) {
			if load.Parent() != s.Parent() && mayAlias(addr.X, fieldRead(load).X) {
				if stored, sure := c.e.stored(load); stored == nil || !sure {
					c.from(place{rank: elsewhere}, load, true)
				}
			}
		}
	}
}

// Stored is what the load v reads from a field, when its function has stored it
// there before; nil when that is not known.
func (e *Evaluator) Stored(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || fieldRead(load) == nil {
		return nil
	}
	if s, sure := e.stored(load); s != nil && sure {
		return s.Val
	}
	return nil
}

// stored is the last store to the field that load reads, on the way to it; sure
// is false when some other may come between.
func (e *Evaluator) stored(load *ssa.UnOp) (last *ssa.Store, sure bool) {
	read := fieldRead(load)
	sure = true
	for _, s := range e.usesOf(read).writes {
		if s.Parent() != load.Parent() || !samePlace(s.Addr, read) {
			continue
		}
		switch reachesWithin(s, load, alias(read.X)) {
		case always:
			if last == nil || compareInstr(last, s) < 0 {
				last = s
			}
		case sometimes:
			sure = false
		}
	}
	return last, sure
}

// StoredInField lists what is stored in the field of this package that v reads,
// of a struct that may be the same; nothing when v reads none.
func (e *Evaluator) StoredInField(v ssa.Value) []ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	read := fieldRead(load)
	if read == nil || fieldOf(read.X.Type(), read.Field).Pkg() != e.Package.Pkg {
		return nil
	}
	var out []ssa.Value
	for _, s := range e.usesOf(read).writes {
		if mayAlias(s.Addr.(*ssa.FieldAddr).X, read.X) {
			out = append(out, s.Val)
		}
	}
	return out
}

// loads lists the reads of the field at addr in this package.
func (e *Evaluator) loads(addr *ssa.FieldAddr) []*ssa.UnOp {
	var out []*ssa.UnOp
	for _, a := range e.usesOf(addr).addrs {
		for _, ref := range *a.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok && load.Op == token.MUL {
				out = append(out, load)
			}
		}
	}
	return out
}

// usesOf are the uses of the field at addr in this package.
func (e *Evaluator) usesOf(addr *ssa.FieldAddr) *fieldUses {
	e.index.build()
	if uses := e.index.fields[fieldOf(addr.X.Type(), addr.Field).Origin()]; uses != nil {
		return uses
	}
	return &fieldUses{}
}

// fieldRead is the field that v reads, nil when it reads none.
func fieldRead(v *ssa.UnOp) *ssa.FieldAddr {
	if v.Op != token.MUL {
		return nil
	}
	addr, _ := v.X.(*ssa.FieldAddr)
	return addr
}

// onlyCall is the only call of fn, nil when there may be others.
func (e *Evaluator) onlyCall(fn *ssa.Function) *ssa.Call {
	calls := e.Calls(fn)
	if len(calls) != 1 || calls[0].Parent() == fn {
		return nil
	}
	call, _ := calls[0].(*ssa.Call)
	return call
}

// passed is how the caller names base, a value of the function called: as an
// argument or as a result. It is nil when the caller does not see it.
func passed(base ssa.Value, call *ssa.Call) ssa.Value {
	base = alias(base)
	if p, ok := base.(*ssa.Parameter); ok {
		return call.Call.Args[param(p).Index]
	}
	for _, b := range successes(call.Call.StaticCallee()) {
		for i, r := range b.Instrs[len(b.Instrs)-1].(*ssa.Return).Results {
			if alias(r) == base {
				return resultOf(call, i)
			}
		}
	}
	return nil
}

// resultOf is result number i of the call, nil when nobody uses it.
func resultOf(call ssa.CallInstruction, i int) ssa.Value {
	v := call.Value()
	switch {
	case v == nil:
		return nil
	case call.Common().Signature().Results().Len() == 1:
		return v
	}
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// Root is the value that v is another name of: the first receiver of a chain.
func (e *Evaluator) Root(v ssa.Value) ssa.Value {
	seen := map[ssa.Value]bool{}
	for !seen[v] { // req = req.SetHeader(...) in a captured variable comes round
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Call:
			use, ok := e.Library.Call(x.Common())
			if recv := Receiver(x.Common()); ok && use.Fluent && recv != nil {
				v = recv
				continue
			}
		case *ssa.ChangeType:
			v = x.X
			continue
		}
		v = alias(v)
	}
	return v
}

// alias is the value that v is when it reads a local variable that is captured,
// or whose address is taken, and is written once.
func alias(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	if cell, ok := load.X.(*ssa.Alloc); ok {
		if val := onlyStore(cell); val != nil {
			return val
		}
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

// mayAlias reports whether two pointers may be to one struct: two that are made
// in sight are not.
func mayAlias(a, b ssa.Value) bool {
	x, ok1 := alias(a).(*ssa.Alloc)
	y, ok2 := alias(b).(*ssa.Alloc)
	return !ok1 || !ok2 || x == y || onlyStore(x) != nil || onlyStore(y) != nil
}
