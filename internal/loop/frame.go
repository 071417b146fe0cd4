package loop

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A frame is one activation of a function in a run.
type frame struct {
	m     *machine
	st    *state
	env   map[ssa.Value]val
	fn    *ssa.Function
	args  []*value.Term // of a helper, over the parameters of the function with the loop
	depth int
	id    uint64 // of the calls that lead to it
}

func (f *frame) phis(b, prev *ssa.BasicBlock) {
	at := -1
	for i, p := range b.Preds {
		if p == prev {
			at = i
		}
	}
	if at < 0 {
		return
	}
	var vals []val
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		v := f.value(phi.Edges[at])
		if v.kind == number && f.depth == 0 && b == f.m.loop.header && steps(phi) {
			v.id = hash(f.m.reader.id(phi), math.Float64bits(v.lo))
			if f.m.counting && countsAttempts(phi.Comment) {
				v.id = f.m.reader.id(phi)
			}
			if first, known := f.st.first[phi]; !known {
				f.st.first[phi] = v.lo
			} else if v.lo != first {
				v.counter = true
			}
		}
		vals = append(vals, v)
	}
	for i, v := range vals {
		f.env[b.Instrs[i].(*ssa.Phi)] = v
	}
}

// steps reports whether the variable goes up or down by a constant on some way
// round.
func steps(phi *ssa.Phi) bool {
	var from func(v ssa.Value, depth int) bool
	from = func(v ssa.Value, depth int) bool {
		switch v := v.(type) {
		case *ssa.BinOp:
			_, constant := v.Y.(*ssa.Const)
			return (v.Op == token.ADD || v.Op == token.SUB) && constant && (v.X == ssa.Value(phi) || from(v.X, depth))
		case *ssa.Phi:
			if v == phi || depth == 0 {
				return false
			}
			for _, e := range v.Edges {
				if from(e, depth-1) {
					return true
				}
			}
		}
		return false
	}
	for _, e := range phi.Edges {
		if from(e, 3) {
			return true
		}
	}
	return false
}

// value is v in the run: computed in it, or made before.
func (f *frame) value(v ssa.Value) val {
	if known, ok := f.env[v]; ok {
		return known
	}
	return f.outside(v)
}

// outside is a value that was made before the loop began.
func (f *frame) outside(v ssa.Value) val {
	if inner, ok := value.Unboxed(v); ok {
		return f.value(inner)
	}
	r := f.m.reader
	id := r.id(v)
	switch v := v.(type) {
	case *ssa.Const:
		return constantVal(v)
	case *ssa.Function:
		return val{kind: function, id: id, fn: v}
	case *ssa.MakeClosure:
		return f.closure(v, id)
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		if _, ok := v.Type().Underlying().(*types.Pointer); ok {
			return val{kind: address, id: id, at: cell{root: id}}
		}
	case *ssa.Call:
		if out, ok := f.clock(v); ok {
			return out
		}
	case *ssa.FieldAddr:
		base := f.value(v.X)
		return val{kind: address, id: hash(base.id, uint64(v.Field)), at: cell{root: base.id, path: value.FieldName(v)}}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.load(v)
		}
	}
	if isNumber(v.Type()) {
		return f.leaf(v, id)
	}
	if basic, ok := v.Type().Underlying().(*types.Basic); ok && basic.Info()&(types.IsBoolean|types.IsString) != 0 && f.depth == 0 {
		t := r.Evaluator.Value(v, nil)
		if b, isBool := t.Bool(); isBool {
			return truth(id, b)
		}
		if t.Kind == value.Const && strings.HasPrefix(t.Text, `"`) {
			return val{kind: text, id: id, s: constant.StringVal(constant.MakeFromLiteral(t.Text, token.STRING, 0))}
		}
	}
	return val{id: id}
}

// closure is a function with what it captured.
func (f *frame) closure(c *ssa.MakeClosure, id uint64) val {
	out := val{kind: function, id: id, fn: c.Fn.(*ssa.Function)}
	for _, b := range c.Bindings {
		bound := f.value(b)
		out.parts = append(out.parts, bound)
		out = out.from(bound, f.content(bound))
	}
	return out
}

// content is what a variable holds, or the value itself.
func (f *frame) content(v val) val {
	if v.kind == address {
		if held, ok := f.st.mem[v.at]; ok {
			return held.from(v)
		}
	}
	return v
}

func constantVal(c *ssa.Const) val {
	if c.Value == nil {
		return val{kind: null, id: 1}
	}
	id := hashText(c.Value.ExactString())
	switch c.Value.Kind() {
	case constant.Bool:
		return truth(id, constant.BoolVal(c.Value))
	case constant.String:
		return val{kind: text, id: id, s: constant.StringVal(c.Value)}
	case constant.Int, constant.Float:
		n, _ := constant.Float64Val(constant.ToFloat(c.Value))
		return num(id, n)
	}
	return val{id: id}
}

// load reads what v points at.
func (f *frame) load(v *ssa.UnOp) val {
	at := f.value(v.X)
	if at.kind == address {
		if held, ok := f.st.mem[at.at]; ok {
			return held
		}
		if whole, ok := f.within(at.at); ok {
			return val{id: hash(whole.id, hashText(at.at.path))}.from(whole)
		}
		if init, ok := f.initial(v); ok {
			return init.from(at)
		}
	}
	if at.kind != address && at.kind != opaque {
		return at // what points at a value is written like it
	}
	id := hash(at.id, 7)
	if g, ok := v.X.(*ssa.Global); ok {
		f.m.reader.sentinel[id] = g.Name()
	}
	out := val{id: id}
	switch {
	case isNumber(v.Type()) && !at.varies && !at.of():
		out = f.leaf(v, id)
	case at.at.path == "C" && isChannel(v.Type()):
		// The channel of a timer or ticker that was made before.
		if base, ok := v.X.(*ssa.FieldAddr); ok {
			if t := f.value(base.X); t.kind == timer {
				return val{kind: alarm, id: id, lo: t.lo, hi: t.hi, s: t.s, once: t.once, since: t.since}
			}
		}
	}
	return out.from(at)
}

// within is the value of the object of which the cell is a part, when it was
// written as a whole.
func (f *frame) within(at cell) (val, bool) {
	for at.path != "" {
		i := strings.LastIndexByte(at.path, '.')
		at.path = at.path[:max(i, 0)]
		if held, ok := f.st.mem[at]; ok {
			return held, true
		}
	}
	return val{}, false
}

// initial is what a variable held before the loop began, when one write did that.
func (f *frame) initial(v *ssa.UnOp) (val, bool) {
	cell, ok := v.X.(*ssa.Alloc)
	if !ok || f.depth > 0 {
		return val{}, false
	}
	var before *ssa.Store
	for _, ref := range *cell.Referrers() {
		s, ok := ref.(*ssa.Store)
		if !ok || s.Addr != ssa.Value(cell) || f.m.loop.has(s.Block()) {
			continue
		}
		if !s.Block().Dominates(f.m.loop.header) {
			return val{}, false
		}
		if before == nil || before.Block().Dominates(s.Block()) {
			before = s
		}
	}
	if before == nil {
		return zero(cell, f.m.reader.id(v)), true
	}
	return f.value(before.Val), true
}

func zero(cell *ssa.Alloc, id uint64) val {
	switch t := cell.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsBoolean != 0:
			return truth(id, false)
		case t.Info()&types.IsNumeric != 0:
			return num(id, 0)
		case t.Info()&types.IsString != 0:
			return val{kind: text, id: id}
		}
	case *types.Struct, *types.Array:
		return val{id: id}
	}
	return val{kind: null, id: 1}
}

// exec runs an instruction that does not end a block, and reports whether it ends
// the run: it waits for what only comes when all is over.
func (f *frame) exec(instr ssa.Instruction) (ends bool) {
	switch i := instr.(type) {
	case *ssa.Store:
		f.store(i)
	case *ssa.MapUpdate:
		f.alters(f.value(i.Map), f.value(i.Key), f.value(i.Value))
	case *ssa.Call:
		v, over := f.call(i, i.Common(), i == f.m.watch && f.depth == 0)
		f.env[i] = v
		return over
	case *ssa.UnOp:
		v, over := f.unary(i)
		f.env[i] = v
		return over
	case *ssa.Select:
		v, over := f.selects(i)
		f.env[i] = v
		return over
	case ssa.Value:
		f.env[i] = f.compute(i)
	}
	return false
}

func (f *frame) store(s *ssa.Store) {
	at, v := f.value(s.Addr), f.value(s.Val)
	if at.kind == address {
		f.st.mem[at.at] = v
		if v.varies {
			f.st.altered[at.at.root] = true
		}
		return
	}
	f.alters(at, v)
}

// alters notes that an object takes something.
func (f *frame) alters(object val, with ...val) {
	for _, v := range with {
		if v.varies {
			f.st.altered[object.id] = true
		}
	}
}

func (f *frame) unary(u *ssa.UnOp) (val, bool) {
	if u.Op == token.MUL {
		return f.load(u), false
	}
	x := f.value(u.X)
	id := hash(f.m.reader.id(u), x.id)
	switch {
	case u.Op == token.ARROW:
		switch x.kind {
		case alarm:
			f.ring(x)
			return val{id: id}, false
		case done:
			return val{id: id}, true
		}
		return f.fresh(u), false
	case u.Op == token.NOT && x.kind == boolean:
		return truth(id, !x.b).from(x), false
	case u.Op == token.NOT && x.kind == verdict:
		x.b = !x.b
		return x, false
	case u.Op == token.SUB && x.kind == number:
		return val{kind: number, id: id, lo: -x.hi, hi: -x.lo}.from(x), false
	}
	return val{id: id}.from(x), false
}

// left is how long it takes until an alarm rings.
func (f *frame) left(a val) (lo, hi float64) {
	if !a.once {
		return a.lo, a.hi
	}
	passed := f.st.lo - a.since
	return math.Max(0, a.lo-passed), math.Max(0, a.hi-passed)
}

// ring waits for an alarm.
func (f *frame) ring(a val) {
	lo, hi := f.left(a)
	f.st.wait(lo, hi, a.s == "vague")
}

// fresh is another value each time.
func (f *frame) fresh(v ssa.Value) val {
	f.st.items = true
	f.m.reader.made++
	return val{id: hash(f.m.reader.id(v), f.m.reader.made, 99), varies: true}
}

// compute is the value of an instruction that only computes.
func (f *frame) compute(v ssa.Value) val {
	if inner, ok := value.Unboxed(v); ok {
		return f.value(inner)
	}
	id := f.m.reader.id(v)
	switch v := v.(type) {
	case *ssa.BinOp:
		return f.binary(v)
	case *ssa.Extract:
		t := f.value(v.Tuple)
		if t.kind == tuple && v.Index < len(t.parts) {
			return t.parts[v.Index].from(val{varies: t.varies})
		}
		return val{id: hash(id, t.id)}.from(t)
	case *ssa.Convert:
		x := f.value(v.X)
		if x.kind == number && isNumber(v.Type()) {
			if isInteger(v.Type()) {
				x.lo, x.hi = math.Trunc(x.lo), math.Trunc(x.hi)
			}
		}
		return x
	case *ssa.TypeAssert:
		x := f.value(v.X)
		if v.CommaOk {
			return val{kind: tuple, id: id, parts: []val{x, {id: hash(id, x.id)}}}
		}
		return x
	case *ssa.FieldAddr:
		base := f.value(v.X)
		name := value.FieldName(v)
		if base.kind == answer || base.kind == failure {
			return f.part(base, name, v.Type().Underlying().(*types.Pointer).Elem(), id)
		}
		root := base.id
		if base.kind == address && base.at.path == "" {
			root = base.at.root
		}
		return val{kind: address, id: hash(base.id, hashText(name)), at: cell{root: root, path: join(base.at.path, name)}}.from(base)
	case *ssa.Field:
		base := f.value(v.X)
		st := v.X.Type().Underlying().(*types.Struct)
		if base.kind == answer || base.kind == failure {
			return f.part(base, st.Field(v.Field).Name(), v.Type(), id)
		}
		out := val{id: hash(base.id, uint64(v.Field))}
		if isNumber(v.Type()) && !base.varies {
			out = f.leaf(v, out.id)
		}
		return out.from(base)
	case *ssa.IndexAddr:
		return f.element(v.X, v.Index, id, true)
	case *ssa.Index:
		return f.element(v.X, v.Index, id, false)
	case *ssa.Lookup:
		x, i := f.value(v.X), f.value(v.Index)
		out := val{id: hash(id, x.id, i.id)}.from(x, i)
		if i.of() && isBool(v.Type()) || i.of() && v.CommaOk {
			// Which statuses are listed tells the name of the list.
			if holds, known := listed(nameOf(v.X)); known {
				is := truth(out.id, holds != f.m.ends.good())
				if v.CommaOk {
					return val{kind: tuple, id: id, parts: []val{is, is}}
				}
				return is
			}
		}
		if v.CommaOk {
			return val{kind: tuple, id: id, parts: []val{out, {id: hash(out.id, 1)}}}
		}
		return out
	case *ssa.Next:
		return f.next(v, id)
	case *ssa.MakeClosure:
		return f.closure(v, id)
	case *ssa.Alloc:
		at := cell{root: id}
		if f.depth == 0 {
			for c := range f.st.mem { // made anew
				if c.root == id {
					delete(f.st.mem, c)
				}
			}
			delete(f.st.altered, id)
			if b, ok := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Basic); ok && b.Info() > 0 {
				f.st.mem[at] = zero(v, id)
			}
		}
		return val{kind: address, id: id, at: at}
	}
	out := val{id: id}
	if instr, ok := v.(ssa.Instruction); ok {
		parts := []uint64{id}
		for _, op := range instr.Operands(nil) {
			if *op == nil {
				continue
			}
			o := f.value(*op)
			parts = append(parts, o.id)
			out = out.from(o)
		}
		out.id = hash(parts...)
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// element is an element of a list: another one for another index. A table of
// waits that the code fixes gives its number.
func (f *frame) element(list, index ssa.Value, id uint64, isAddr bool) val {
	x, i := f.value(list), f.value(index)
	out := val{id: hash(id, x.id, i.id)}
	if i.kind == number {
		out.id = hash(id, x.id, math.Float64bits(i.lo))
	}
	if isAddr {
		out.kind, out.at = address, cell{root: out.id}
		if b, ok := x.atArray(list); ok {
			out.at = cell{root: b, path: indexPath(i)}
		}
	}
	if i.kind == number && !i.random() {
		if n, ok := f.m.reader.tableNumber(list, int(i.lo)); ok {
			if isAddr {
				f.st.mem[out.at] = num(out.id, n)
			} else {
				return num(out.id, n)
			}
			return out
		}
	}
	out = out.from(x, i)
	if i.counter {
		out.varies = true
		f.st.items = f.st.items || !ofNumbers(list.Type())
	}
	return out
}

// ofNumbers reports whether a list holds numbers: waits, say.
func ofNumbers(list types.Type) bool {
	switch t := deref(list).Underlying().(type) {
	case *types.Slice:
		return isNumber(t.Elem())
	case *types.Array:
		return isNumber(t.Elem())
	}
	return false
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// atArray is the object in which the elements of an array variable are.
func (v val) atArray(list ssa.Value) (uint64, bool) {
	if v.kind != address {
		return 0, false
	}
	p, ok := list.Type().Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	_, ok = p.Elem().Underlying().(*types.Array)
	return v.at.root, ok
}

func indexPath(i val) string {
	if i.kind != number {
		return "?"
	}
	return string(rune('0' + int(i.lo)%64))
}

// next is one turn of a range: over a map or a string, whose elements differ.
func (f *frame) next(n *ssa.Next, id uint64) val {
	over := f.value(n.Iter)
	inner := f.depth > 0 || innermost(f.m.all, n.Block()) != f.m.loop
	elem := val{id: hash(id, over.id)}.from(over)
	if !inner {
		elem = f.fresh(n)
	}
	// In a loop within the loop: whether there is one more is not known.
	return val{kind: tuple, id: id, parts: []val{{id: hash(id, 1, uint64(f.m.steps))}, elem, elem}}
}

func (f *frame) binary(b *ssa.BinOp) val {
	x, y := f.value(b.X), f.value(b.Y)
	op := b.Op.String()
	id := hash(f.m.reader.id(b), x.id, y.id)
	out := val{id: id}.from(x, y)
	switch op {
	case "==", "!=":
		if equal, known := f.equal(x, y); known {
			return truth(id, equal == (op == "==")).from(x, y)
		}
		return out
	case "<", "<=", ">", ">=":
		if x.kind == number && y.kind == number {
			return truth(id, compare(op, x.mean(), y.mean())).from(x, y)
		}
		if x.kind == verdict && y.kind == number {
			return truth(id, x.b == compare(op, 0, y.mean()))
		}
		return out
	}
	if x.kind == number && y.kind == number {
		lo, hi, ok := arithmetic(op, x, y, isInteger(b.Type()))
		if ok {
			out.kind, out.lo, out.hi = number, lo, hi
		}
	}
	return out
}

// equal compares two values.
func (f *frame) equal(x, y val) (equal, known bool) {
	if x.kind < y.kind || x.kind == null {
		x, y = y, x
	}
	switch {
	case x.kind == number && y.kind == number:
		if x.random() || y.random() {
			return false, true
		}
		return x.lo == y.lo, true
	case x.kind == text && y.kind == text:
		return x.s == y.s, true
	case x.kind == boolean && y.kind == boolean:
		return x.b == y.b, true
	case x.kind == null && y.kind == null:
		return true, true
	case x.kind == text && y.of() && isOther(x.s), y.kind == text && x.of() && isOther(y.s):
		return false, true // another failure than the one assumed
	case x.kind == verdict && (y.kind == number || y.kind == text || y.kind == boolean || y.kind == null):
		isGood := y.kind == null
		switch y.kind {
		case number:
			isGood = isSuccessNumber(y.lo)
		case text:
			isGood = isSuccessWord(y.s)
		case boolean:
			return x.b == y.b, true
		}
		if isGood {
			return x.b, true
		}
		return false, x.b // which failure it is, nobody knows
	case y.kind == null && (x.kind == failure || x.kind == answer || x.kind == address || x.kind == function):
		return false, true
	case x.kind == failure && y.kind != null:
		// Compared with an error by name: a sentinel.
		if name := f.m.reader.sentinel[y.id]; name != "" {
			holds, known := errorTest(name)
			return holds, known
		}
	}
	return false, false
}

// part is a field, or the result of a method, of the answer or the error of the
// watched call.
func (f *frame) part(base val, name string, typ types.Type, id uint64) val {
	out := val{kind: base.kind, id: hash(base.id, hashText(name), id)}.from(base)
	if base.kind == failure {
		out.kind = opaque
		if isStatus(name) || plain(name) == "code" && isInteger(typ) {
			return num(out.id, 503).from(base)
		}
		return out
	}
	good := f.m.ends.good()
	basic, _ := typ.Underlying().(*types.Basic)
	switch {
	case basic != nil && basic.Info()&types.IsInteger != 0 && isStatus(name):
		return num(out.id, float64(f.m.status())).from(base)
	case basic != nil && basic.Info()&types.IsBoolean != 0 && flagOf(name) == goodFlag:
		return truth(out.id, good).from(base)
	case basic != nil && basic.Info()&types.IsBoolean != 0 && flagOf(name) == badFlag:
		return truth(out.id, !good).from(base)
	case flagOf(name) == codeFlag && basic != nil && (basic.Info()&types.IsBoolean) == 0 && !f.m.http(),
		flagOf(name) == errorFlag:
		if value.IsError(typ) {
			if good {
				return val{kind: null, id: out.id}
			}
			return val{kind: failure, id: out.id}
		}
		out.kind, out.b = verdict, good
		return out
	}
	return out
}

// status is the HTTP status with which the watched call ends.
func (m *machine) status() int {
	switch {
	case m.ends.status > 0:
		return m.ends.status
	case m.ends.fails:
		return 0
	}
	return 200
}

// http reports whether the watched call ends with an HTTP response.
func (m *machine) http() bool { return returnsResponse(m.watch.Common().Signature()) }

func isNumber(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		return tuple.Len() == 1 && isNumber(tuple.At(0).Type())
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0 && b.Info()&types.IsComplex == 0
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func isDuration(t types.Type) bool {
	return model.TypeSymbol(t) == model.Symbol{Pkg: "time", Name: "Duration"}
}

func returnsResponse(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		if model.TypeSymbol(sig.Results().At(i).Type()) == (model.Symbol{Pkg: "net/http", Name: "Response"}) {
			return true
		}
	}
	return false
}
