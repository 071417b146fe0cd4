package value

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An index finds, in one pass over the package, what SSA keeps no list of: the
// uses of package variables, the writes of fields, the calls of functions and
// where closures are made. It is built when first asked.
type index struct {
	functions []*ssa.Function

	built    bool
	globals  map[*ssa.Global][]ssa.Instruction
	fields   map[*types.Var]*fieldUses
	closures map[*ssa.Function]*ssa.MakeClosure
	calls    map[*ssa.Function][]ssa.CallInstruction
	taken    map[*ssa.Function][]ssa.Instruction // uses otherwise than by a call
	allocs   map[*types.TypeName][]*ssa.Alloc
	reflect  map[*types.TypeName]token.Pos // passed as any to code out of sight
}

type fieldUses struct {
	addrs   []*ssa.FieldAddr
	writes  []*ssa.Store
	escapes token.Pos // its address is taken
}

func (x *index) build() {
	if x.built {
		return
	}
	x.built = true
	x.globals = map[*ssa.Global][]ssa.Instruction{}
	x.fields = map[*types.Var]*fieldUses{}
	x.closures = map[*ssa.Function]*ssa.MakeClosure{}
	x.calls = map[*ssa.Function][]ssa.CallInstruction{}
	x.taken = map[*ssa.Function][]ssa.Instruction{}
	x.allocs = map[*types.TypeName][]*ssa.Alloc{}
	x.reflect = map[*types.TypeName]token.Pos{}
	var rands [16]*ssa.Value
	for _, fn := range x.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				x.add(instr, rands[:0])
			}
		}
	}
}

func (x *index) add(instr ssa.Instruction, rands []*ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.MakeClosure:
		x.closures[instr.Fn.(*ssa.Function)] = instr
	case *ssa.FieldAddr:
		x.addField(instr)
	case *ssa.Alloc:
		if name := namedType(instr.Type()); name != nil {
			x.allocs[name] = append(x.allocs[name], instr)
		}
	}
	var callee *ssa.Function
	if call, ok := instr.(ssa.CallInstruction); ok {
		common := call.Common()
		if callee = common.StaticCallee(); callee != nil {
			x.calls[callee] = append(x.calls[callee], call)
		}
		if !x.inSight(callee) {
			x.addReflected(common)
		}
	}
	for _, op := range instr.Operands(rands) {
		switch v := (*op).(type) {
		case *ssa.Global:
			x.globals[v] = append(x.globals[v], instr)
		case *ssa.Function:
			if v != callee {
				x.taken[v] = append(x.taken[v], instr)
			}
		}
	}
}

func (x *index) addField(addr *ssa.FieldAddr) {
	f := fieldOf(addr.X.Type(), addr.Field).Origin()
	uses := x.fields[f]
	if uses == nil {
		uses = &fieldUses{}
		x.fields[f] = uses
	}
	uses.addrs = append(uses.addrs, addr)
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				uses.writes = append(uses.writes, ref)
				continue
			}
			uses.escapes = ref.Pos()
		case *ssa.Call, *ssa.Go, *ssa.Defer:
			// A method of the field's own, as in c.mu.Lock, is no escape of
			// its value into other code; an argument is.
			common := ref.(ssa.CallInstruction).Common()
			for i, arg := range common.Args {
				if arg == ssa.Value(addr) && (i > 0 || common.Signature().Recv() == nil) {
					uses.escapes = ref.Pos()
				}
			}
		case *ssa.MakeInterface, *ssa.Phi, *ssa.Return, *ssa.MakeClosure, *ssa.Send, *ssa.MapUpdate:
			uses.escapes = addr.Pos()
		}
	}
}

// quiet are packages that read what they are given by reflection, and write
// nothing to it.
var quiet = map[string]bool{"fmt": true, "log": true, "log/slog": true, "errors": true, "context": true, "testing": true, "sync": true, "reflect": true}

// addReflected notes the types whose addresses are handed to code out of sight
// as any: a decoder may fill them.
func (x *index) addReflected(c *ssa.CallCommon) {
	if fn := c.StaticCallee(); fn != nil {
		if obj := Object(fn); obj != nil && obj.Pkg() != nil && quiet[obj.Pkg().Path()] {
			return
		}
	}
	for _, arg := range c.Args {
		mi, ok := arg.(*ssa.MakeInterface)
		if !ok || mi.Type().Underlying().(*types.Interface).NumMethods() > 0 {
			continue
		}
		if _, ok := mi.X.Type().Underlying().(*types.Pointer); !ok {
			continue
		}
		if name := namedType(mi.X.Type()); name != nil {
			x.reflect[name] = c.Pos()
		}
	}
}

func (x *index) inSight(fn *ssa.Function) bool {
	return fn != nil && len(fn.Blocks) > 0
}

func namedType(t types.Type) *types.TypeName {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// Uses lists the instructions that use the closure fn, calls of it included, and
// the value by which they do.
func (e *Evaluator) Uses(fn *ssa.Function) (ssa.Value, []ssa.Instruction) {
	if made := e.index.closure(fn); made != nil {
		return made, *made.Referrers()
	}
	uses := slices.Clone(e.index.taken[fn])
	for _, call := range e.index.calls[fn] {
		uses = append(uses, call)
	}
	return fn, uses
}

func (x *index) closure(fn *ssa.Function) *ssa.MakeClosure {
	x.build()
	return x.closures[fn]
}
