package value

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A write is one place where an object may change, before its values are
// evaluated: only those that can reach a use are.
type write struct {
	instr ssa.Instruction
	path  string
	in    string          // the object is this field of the argument of call
	val   ssa.Value       // written value
	key   ssa.Value       // under this key of a map
	call  *ssa.CallCommon // or call
	arg   int             // which argument of call the object is
	sym   Symbol          // modelled method
	why   string          // or the reason why nothing is known after it
	maybe bool
	guard *guard
	place place

	changes []Change // what it comes to, once evaluated
	known   bool
	busy    bool // being evaluated
}

// object is base, the value that v had when it was made, after all changes
// that reach at.
func (e *Evaluator) object(v ssa.Value, at ssa.Instruction, base *Term) *Term {
	if a, ok := v.(*ssa.Alloc); ok {
		if arr, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array); ok {
			return e.array(a, arr.Len())
		}
	}
	if !isHandle(v.Type()) {
		return base
	}
	return base.with(e.changesOf(v, at))
}

// changesOf lists the changes of the object v that reach at, in program order.
func (e *Evaluator) changesOf(v ssa.Value, at ssa.Instruction) []Change {
	writes, ok := e.writes[v]
	if !ok {
		c := &collector{e: e, root: v, seen: map[ssa.Value]bool{}}
		c.collect(v, "", false)
		writes = c.writes
		slices.SortStableFunc(writes, func(a, b *write) int { return compareInstr(a.instr, b.instr) })
		e.writes[v] = writes
	}
	return e.reaching(writes, v, at)
}

// reaching lists what those of the writes that reach at do to the object v.
func (e *Evaluator) reaching(writes []*write, v ssa.Value, at ssa.Instruction) []Change {
	var out []Change
	for _, w := range writes {
		root := v
		if w.place.after != nil {
			root = w.place.after
		}
		reach := reaches(w.instr, at, root, e)
		if reach == never {
			continue
		}
		guarded := reach == sometimes && !w.maybe && w.guard != nil && reaches(w.guard.branch, at, v, e) == always &&
			!outlives(v, w.instr.Parent())
		var cond *Term
		if reach == sometimes && !w.maybe && !guarded {
			cond = e.decides(w.instr, at)
			if holds, known := truth(cond); known {
				if !holds {
					continue
				}
				reach, cond = always, nil
			}
		}
		for _, c := range e.evaluate(w) {
			switch {
			case guarded && w.val != nil:
				c.Maybe, c.If, c.Than = true, w.guard.rel, w.guard.than
			case w.maybe || reach == sometimes:
				if cond != nil && !c.Maybe && c.Cond == nil {
					c.Cond = cond // two conditions are more than is kept
				}
				c.Maybe, c.If, c.Than = true, "", nil
			}
			out = append(out, c)
		}
	}
	return out
}

func truth(cond *Term) (holds, known bool) {
	if cond == nil {
		return false, false
	}
	return cond.Bool()
}

// decides is the one comparison that decides whether instr is run on the way
// to at, or nil: `if key != "" { set }`.
func (e *Evaluator) decides(instr, at ssa.Instruction) *Term {
	block := instr.Block()
	if at != nil && at.Parent() != instr.Parent() {
		return nil
	}
	for block != nil && len(block.Preds) == 1 {
		from := block.Preds[0]
		branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok {
			block = from
			continue
		}
		if at != nil && !from.Dominates(at.Block()) || at == nil && !dominatesReturns(from) {
			return nil
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cmp.Op != token.NEQ && cmp.Op != token.EQL {
			return nil
		}
		cond := e.Value(cmp, cmp)
		if from.Succs[1] == block {
			cond = fold("!", []*Term{cond}, cmp.Pos())
		}
		if cond.Kind == Unknown {
			return nil
		}
		return cond
	}
	return nil
}

func dominatesReturns(b *ssa.BasicBlock) bool {
	for _, ret := range successes(b.Parent()) {
		if !b.Dominates(ret) {
			return false
		}
	}
	return true
}

// evaluate is what a write comes to, apart from whether it is made.
func (e *Evaluator) evaluate(w *write) []Change {
	switch {
	case w.known:
		return w.changes
	case w.busy:
		// It depends on itself, by way of a loop or of a recursive call.
		e.cuts++
		return []Change{{Path: w.path, Args: []*Term{unknown(w.instr.Pos(), "it changes in a loop")}, pos: w.instr.Pos()}}
	}
	// Each write is evaluated once, whoever asks first: to follow all ways
	// round a loop would not end.
	w.busy = true
	w.changes, w.known = e.evaluateAnew(w), true
	return w.changes
}

func (e *Evaluator) evaluateAnew(w *write) []Change {
	c := Change{Path: w.path, pos: w.instr.Pos()}
	switch {
	case w.why != "" && w.call != nil:
		c.Each = unknown(w.instr.Pos(), "%s", w.why)
	case w.why != "":
		c.Args = []*Term{unknown(w.instr.Pos(), "%s", w.why)}
	case w.val != nil:
		t := e.Value(w.val, w.instr)
		if t.pos == token.NoPos {
			cp := t.copy()
			cp.pos = w.instr.Pos()
			t = cp
		}
		c.Args = []*Term{t}
		if w.key != nil {
			c.Key = e.Value(w.key, w.instr)
		}
	case w.sym.Name != "":
		c.Sym = w.sym
		args := w.call.Args
		if !w.call.IsInvoke() {
			args = args[1:]
		}
		for _, a := range args {
			c.Args = append(c.Args, e.Value(a, w.instr))
		}
	default:
		return e.calleeChanges(w)
	}
	return []Change{c}
}

// calleeChanges are what a call does to the object it is given as argument.
func (e *Evaluator) calleeChanges(w *write) []Change {
	fn := w.call.StaticCallee()
	if fn == nil {
		return []Change{{Each: e.Value(w.call.Value, w.instr), pos: w.instr.Pos()}}
	}
	outline, owner := e.outline(fn)
	if outline == nil {
		if w.in != "" {
			e.cuts++ // it is being read: what it does is not kept for others
		}
		return nil
	}
	var args []*Term
	var out []Change
	for _, p := range outline.Changes {
		if p.Index != w.arg {
			continue
		}
		if w.in != "" {
			p.Changes = inField(p.Changes, w.in)
		}
		if args == nil {
			for _, a := range w.call.Args {
				args = append(args, e.shallow(a, w.instr))
			}
		}
		s := &substitution{fn: owner, args: args, memo: map[*Term]*Term{}}
		for _, c := range s.changes(e.broughtChanges(p.Changes, w.instr)) {
			if w.path != "" && c.Sym.Name == "" && c.Each == nil {
				if c.Path == "" {
					c.Path = w.path
				} else {
					c.Path = w.path + "." + c.Path
				}
			}
			c.pos = w.instr.Pos()
			out = append(out, c)
		}
	}
	return out
}

// A collector walks all names of one object and notes what happens to it.
type collector struct {
	e      *Evaluator
	root   ssa.Value
	seen   map[ssa.Value]bool
	writes []*write
	fields bool  // follow the object into fields
	place  place // of what is written at hand
	beyond bool  // it is reached through a field or a result
}

func (c *collector) collect(v ssa.Value, path string, maybe bool) {
	if c.seen[v] {
		return
	}
	c.seen[v] = true
	for _, ref := range c.e.refs(v) {
		switch ref := ref.(type) {
		case *ssa.Store:
			switch {
			case ref.Addr == v:
				c.add(write{instr: ref, path: path, val: ref.Val, maybe: maybe, guard: c.e.guard(ref)})
			case ref.Val == v && path == "":
				c.stored(ref, maybe)
			}
		case *ssa.Return:
			if c.fields && path == "" {
				c.returned(ref, v, maybe)
			}
		case *ssa.FieldAddr:
			f := fieldOf(ref.X.Type(), ref.Field)
			c.collect(ref, join(path, f.Name()), maybe)
		case *ssa.UnOp:
			// What a pointer or a variable of handle type holds shares the
			// object's state.
			if ref.Op == token.MUL && isHandle(ref.Type()) {
				c.collect(ref, path, maybe)
			}
		case *ssa.MapUpdate:
			if ref.Map == v {
				c.add(write{instr: ref, path: path, val: ref.Value, key: ref.Key, maybe: maybe})
			}
		case *ssa.ChangeType:
			c.collect(ref, path, maybe)
		case *ssa.ChangeInterface:
			c.collect(ref, path, maybe)
		case *ssa.MakeInterface:
			c.collect(ref, path, maybe)
		case *ssa.TypeAssert:
			if !ref.CommaOk {
				c.collect(ref, path, maybe)
			}
		case *ssa.Phi:
			c.collect(ref, path, true)
		case *ssa.MakeClosure:
			fn := ref.Fn.(*ssa.Function)
			for i, b := range ref.Bindings {
				if b == v {
					c.collect(fn.FreeVars[i], path, maybe)
				}
			}
		case ssa.CallInstruction:
			c.called(ref, v, path, maybe)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (c *collector) add(w write) {
	if c.beyond && w.why != "" && w.call != nil {
		return // most of what uses a client changes nothing
	}
	w.place = c.place
	c.writes = append(c.writes, &w)
}

// stored follows the object into the variable it is stored in.
func (c *collector) stored(s *ssa.Store, maybe bool) {
	if addr, ok := s.Addr.(*ssa.FieldAddr); ok && c.fields {
		c.keptIn(addr, s, maybe)
		return
	}
	cell, ok := s.Addr.(*ssa.Alloc)
	if !ok {
		return
	}
	if _, ok := cell.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
		return
	}
	only := true
	for _, ref := range *cell.Referrers() {
		if other, ok := ref.(*ssa.Store); ok && other != s && other.Addr == cell {
			only = false
		}
	}
	for _, ref := range *cell.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			c.collect(ref, "", maybe || !only)
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == ssa.Value(cell) {
					c.collect(ref.Fn.(*ssa.Function).FreeVars[i], "", maybe || !only)
				}
			}
		}
	}
}

// called notes what a call may do to the object v, one of its arguments.
func (c *collector) called(instr ssa.CallInstruction, v ssa.Value, path string, maybe bool) {
	common := instr.Common()
	if use, ok := c.e.Library.Call(common); ok {
		if Receiver(common) != v {
			return
		}
		if use.Mutates {
			c.add(write{instr: instr, path: path, call: common, sym: use.Symbol, maybe: maybe})
		}
		if result := instr.Value(); use.Fluent && result != nil {
			c.collect(result, path, maybe)
		}
		return
	}
	for i, arg := range common.Args {
		if arg != v {
			continue
		}
		switch fn := common.StaticCallee(); {
		case common.IsInvoke():
			if c.e.Library.Tracks(TypeSymbol(arg.Type())) {
				c.add(write{instr: instr, call: common, path: path, why: common.Method.Name() + ", an interface method, may change it", maybe: maybe})
			}
		case fn == nil && path != "" && c.e.Library.Tracks(TypeSymbol(arg.Type())):
			c.add(write{instr: instr, call: common, path: path, why: "a function value may change it", maybe: maybe})
		case fn == nil:
			if _, builtin := common.Value.(*ssa.Builtin); !builtin && path == "" && !maybeUnrelated(v) {
				c.add(write{instr: instr, call: common, arg: i, maybe: maybe})
			}
		case c.e.hasOutline(fn) && !configures(common, i) && !c.e.Library.Tracks(TypeSymbol(arg.Type())):
		case c.e.hasOutline(fn):
			c.add(write{instr: instr, call: common, arg: i, path: path, maybe: maybe})
		case c.e.Library.Tracks(TypeSymbol(arg.Type())):
			if obj := Object(fn); obj == nil || obj.Pkg() == nil || obj.Pkg().Path() == "maps" || strings.Contains(obj.Pkg().Path(), ".") {
				c.add(write{instr: instr, call: common, path: path, why: calleeName(fn) + " may change it", maybe: maybe})
			}
		case isAny(arg) && !quietCall(fn):
			c.add(write{instr: instr, path: path, why: fn.String() + " may fill it", maybe: maybe})
		case (path != "" || isVariable(arg)) && !isHandle(deref(arg.Type())) && !isMethodOn(common, i):
			// The address of a field or variable: flag.IntVar(&c.n, ...).
			c.add(write{instr: instr, path: path, why: fn.String() + " may set it", maybe: maybe})
		}
	}
}

// configures reports whether a call may be one that configures its argument i,
// judged by its shape: an option, a setter that returns its receiver, or a
// method without parameters and results (setDefaults). Other calls use the
// object; following all of them would mean to follow the program.
func configures(c *ssa.CallCommon, i int) bool {
	sig := c.Signature()
	if sig.Recv() == nil {
		return sig.Params().Len() == 1 || optionLike(sig, i)
	}
	if i != 0 {
		return false
	}
	switch sig.Results().Len() {
	case 0:
		return true
	case 1:
		return types.Identical(sig.Results().At(0).Type(), sig.Recv().Type()) ||
			sig.Params().Len() == 0 && sig.Results().At(0).Type().String() == "error"
	}
	return false
}

// optionLike reports whether a function is given its first argument, a pointer
// to a struct, to work on.
func optionLike(sig *types.Signature, i int) bool {
	return i == 0 && sig.Results().Len() == 0 && sig.Params().Len() <= 3
}

// maybeUnrelated reports whether a function value called with v as argument is
// no option: its argument is a context, an error or the like, which options do
// not change.
func maybeUnrelated(v ssa.Value) bool {
	switch t := v.Type().Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Pointer:
		_, ok := t.Elem().Underlying().(*types.Struct)
		return !ok
	}
	return true
}

// isVariable reports whether v is the address of a variable that holds a plain
// value; a struct's address is the struct itself.
func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		_, basic := deref(v.Type()).Underlying().(*types.Basic)
		return basic
	}
	return false
}

func isMethodOn(c *ssa.CallCommon, arg int) bool {
	return arg == 0 && c.Signature().Recv() != nil
}

func isAny(v ssa.Value) bool {
	i, ok := v.Type().Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

func quietCall(fn *ssa.Function) bool {
	obj := Object(fn)
	return obj == nil || obj.Pkg() == nil || quiet[obj.Pkg().Path()]
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// refs lists the instructions that use v.
func (e *Evaluator) refs(v ssa.Value) []ssa.Instruction {
	if g, ok := v.(*ssa.Global); ok {
		e.index.build()
		return e.index.globals[g]
	}
	if refs := v.Referrers(); refs != nil {
		return *refs
	}
	return nil
}
