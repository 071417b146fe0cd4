// Package loop finds the hand-written loops that make a call again because it
// failed, and what they come to: attempts and waits.
//
// It runs the body of a loop, symbolically, under the assumption that one call in
// it always fails. The call is retried when it is then made again with the same
// arguments, and when it is not made again with these once it succeeds: a loop
// that asks on after an answer polls. How often it is made and what is waited in
// between is read off the same run, whatever the shape of the loop.
package loop

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Loop makes calls again because they failed.
type Loop struct {
	// Calls are the calls that are retried, in order of their places.
	Calls []*ssa.Call
	// Events are what the calls may do.
	Events []effect.Event
	// Nesting is how many loops of the function stand between the calls and this
	// one.
	Nesting int
	// Schedule is how often, and with which waits.
	Schedule Schedule
	// Delay is the call of a library in the loop that yields the next wait, nil
	// when there is none.
	Delay ssa.CallInstruction
	// Startup says that it waits for the other side to be there, when a program starts.
	Startup bool

	body   *natural
	all    []*natural
	reader *Reader
}

// Resends reports whether the loop makes the call again when it is answered with
// the status, which it tells from others that do not pass by themselves.
func (l *Loop) Resends(call *ssa.Call, status int) bool {
	again := func(status int) bool {
		_, again := l.reader.machine(l.all, l.body, call, outcome{status: status}).explore(2)
		return again
	}
	if !returnsResponse(call.Common().Signature()) || !again(status) {
		return false
	}
	others := []int{400, 404, 451, 200}
	if status == 503 {
		others = append(others, 500)
	}
	return !slices.ContainsFunc(others, again)
}

// Header is the block to which control comes back for each turn.
func (l *Loop) Header() *ssa.BasicBlock { return l.body.header }

// Has reports whether the block is part of the loop.
func (l *Loop) Has(b *ssa.BasicBlock) bool { return l.body.has(b) }

// Turns reports whether the block is part of the loop itself, not of one within it.
func (l *Loop) Turns(b *ssa.BasicBlock) bool { return innermost(l.all, b) == l.body }

// A Reader finds the loops in the functions of one package. It is not safe for
// concurrent use.
type Reader struct {
	Evaluator *value.Evaluator
	Catalogue *model.Catalogue
	Effects   *effect.Reader

	ids      map[any]uint64
	made     uint64
	sentinel map[uint64]string // names of package variables, by the id of their value
	sends    map[*ssa.Call][]effect.Event
	sleeping map[*ssa.Function]bool
	found    map[*ssa.Function][]*Loop
	tables   map[ssa.Value]*value.Term
}

// Of lists the loops of fn, inner ones first.
func (r *Reader) Of(fn *ssa.Function) []*Loop {
	if known, ok := r.found[fn]; ok {
		return known
	}
	out := r.find(fn)
	if r.found == nil {
		r.found = map[*ssa.Function][]*Loop{}
	}
	r.found[fn] = out
	return out
}

func (r *Reader) find(fn *ssa.Function) []*Loop {
	all := naturals(fn)
	if len(all) == 0 || waits(fn) {
		return nil
	}
	if r.ids == nil {
		r.ids, r.sentinel = map[any]uint64{}, map[uint64]string{}
		r.sends, r.sleeping, r.tables = map[*ssa.Call][]effect.Event{}, map[*ssa.Function]bool{}, map[ssa.Value]*value.Term{}
	}
	var out []*Loop
	taken := map[*ssa.Call]bool{}
	for _, l := range all {
		if r.modelled(l, fn) || transacts(fn, l.has) {
			continue
		}
		var found *Loop
		var best *result
		for _, call := range r.candidates(fn, l, taken) {
			events := r.events(call)
			if len(events) == 0 {
				continue // it stays in the process
			}
			res := r.retried(all, l, call)
			if res == nil {
				continue
			}
			taken[call] = true
			if found == nil {
				found = &Loop{body: l, all: all, reader: r}
				best = res
			} else if res.attempts() > best.attempts() {
				best = res
			}
			found.Calls = append(found.Calls, call)
			found.Events = append(found.Events, events...)
		}
		if found == nil {
			continue
		}
		found.Schedule = best.schedule()
		found.Nesting = nesting(all, l, found.Calls[0].Block())
		found.Delay = r.delay(l, fn)
		found.Startup = startup(fn, found)
		out = append(out, found)
	}
	return out
}

// events are what a call may do outside of the process, found out once.
func (r *Reader) events(call *ssa.Call) []effect.Event {
	if known, ok := r.sends[call]; ok {
		return known
	}
	out := r.Effects.Call(call)
	r.sends[call] = out
	return out
}

// modelled reports whether a library turns the loop: its model speaks of it.
func (r *Reader) modelled(l *natural, fn *ssa.Function) bool { return r.library(l, fn, "") != nil }

// delay is the call of a library in the loop that yields the next wait.
func (r *Reader) delay(l *natural, fn *ssa.Function) ssa.CallInstruction {
	return r.library(l, fn, "delay")
}

// library is the call in the loop of a function that is made for loops.
func (r *Reader) library(l *natural, fn *ssa.Function, kind string) ssa.CallInstruction {
	for _, b := range fn.Blocks {
		if !l.has(b) {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, sym := range value.CalleeSymbols(call.Common()) {
				if e := r.Catalogue.Lookup(sym); e != nil && e.Retry != nil && e.Retry.Loop && e.Retry.Kind == kind {
					return call
				}
			}
		}
	}
	return nil
}

// candidates are the calls in the loop that say when they failed.
func (r *Reader) candidates(fn *ssa.Function, l *natural, taken map[*ssa.Call]bool) []*ssa.Call {
	var out []*ssa.Call
	for _, b := range fn.Blocks {
		if !l.has(b) {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || taken[call] || !mayFail(call.Common().Signature()) {
				continue
			}
			sym := calleeSymbol(call.Common())
			if callee := call.Common().StaticCallee(); awaits(sym.Name) || callee != nil && transacts(callee, nil) {
				continue
			}
			if computes(sym.Name) || madeError(sym) || isFresh(sym.Name) && sym.Name != "Fetch" && !sendsByName(sym.Name) {
				continue
			}
			out = append(out, call)
		}
	}
	slices.SortStableFunc(out, func(a, b *ssa.Call) int { return int(a.Pos()) - int(b.Pos()) })
	return out
}

// transacts reports whether fn, or the part of it that is given, runs a whole
// database transaction: to run that again is for the database to ask.
func transacts(fn *ssa.Function, part func(*ssa.BasicBlock) bool) bool {
	begins, commits := false, false
	for _, b := range fn.Blocks {
		if part != nil && !part(b) {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			switch name := calleeSymbol(call.Common()).Name; {
			case name == "Begin", name == "BeginTx", name == "Beginx", name == "BeginTxx":
				begins = true
			case name == "Commit":
				commits = true
			}
		}
	}
	return begins && commits
}

func sendsByName(name string) bool {
	return contains(name, "request", "send", "post", "get", "put", "do")
}

// mayFail reports whether a function says when it failed: by an error, or by a
// response.
func mayFail(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && value.IsError(sig.Results().At(n-1).Type()) || returnsResponse(sig)
}

// nesting counts the loops inside of l that hold the block.
func nesting(all []*natural, l *natural, b *ssa.BasicBlock) int {
	n := 0
	for _, other := range all {
		if other != l && other.size < l.size && other.has(b) && l.has(other.header) {
			n++
		}
	}
	return n
}

// startup reports whether the loop waits for the other side to be there when a
// program starts.
func startup(fn *ssa.Function, l *Loop) bool {
	for _, c := range l.Calls {
		if connects(calleeSymbol(c.Common()).Name) {
			return true
		}
	}
	return connects(value.Outermost(fn).Name())
}

// waits reports whether a function says by its name that it waits for something.
func waits(fn *ssa.Function) bool {
	name := plain(value.Outermost(fn).Name())
	return (strings.HasPrefix(name, "wait") || contains(name, "waitfor", "waituntil")) && !contains(name, "retry")
}

// id numbers what values are computed from.
func (r *Reader) id(of any) uint64 {
	if n, ok := r.ids[of]; ok {
		return n
	}
	n := uint64(len(r.ids) + 1000)
	r.ids[of] = n
	return n
}

// sleeps reports whether fn waits for time to pass, in code in sight.
func (r *Reader) sleeps(fn *ssa.Function, depth int) bool {
	if known, ok := r.sleeping[fn]; ok {
		return known
	}
	r.sleeping[fn] = false // for a call of itself
	if depth == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			sym := calleeSymbol(call.Common())
			if sym.Pkg == "time" && (sym.Name == "Sleep" || sym.Name == "After" || sym.Name == "NewTimer" || sym.Name == "NewTicker" || sym.Name == "Tick") {
				r.sleeping[fn] = true
				return true
			}
			if callee := call.Common().StaticCallee(); callee != nil && len(callee.Blocks) > 0 && r.sleeps(callee, depth-1) {
				r.sleeping[fn] = true
				return true
			}
		}
	}
	return false
}

// table is the list that v is, when its elements are fixed.
func (r *Reader) table(v ssa.Value) *value.Term {
	if t, ok := r.tables[v]; ok {
		return t
	}
	t := r.Evaluator.Value(v, nil)
	if t.Kind != value.List || t.Open {
		t = nil
	}
	r.tables[v] = t
	return t
}

// tableNumber is element i of a list of numbers that the code fixes.
func (r *Reader) tableNumber(list ssa.Value, i int) (float64, bool) {
	t := r.table(list)
	if t == nil || i < 0 || i >= len(t.Args) {
		return 0, false
	}
	return t.Args[i].Float()
}

func (r *Reader) tableLen(list ssa.Value) (int, bool) {
	t := r.table(list)
	if t == nil {
		return 0, false
	}
	for _, a := range t.Args {
		if a.Kind == value.Elem {
			return 0, false
		}
	}
	return len(t.Args), true
}
