package retry

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Send is one request that an attempt may send.
type Send struct {
	effect.Request
	Symbol model.Symbol   // the function that sends
	Chain  []model.Symbol // the calls that lead to it, outermost first
	Pos    token.Pos      // of the first of them, in the operation
	// Elsewhere says that callers decide what is sent: they are judged.
	Elsewhere bool
	// Blind says that whatever callers decide is sent again: nothing of it is
	// looked at.
	Blind bool
	// Last says that no attempt follows one that sends it: it is sent once.
	Last bool
	// Fresh names the function that makes the key anew, if one does.
	Fresh    model.Symbol
	FreshPos token.Pos
	// Carriers are what its headers come to as its key.
	Carriers []Carrier
}

// A Carrier is a header that may hold the key.
type Carrier struct {
	Name     string
	Key      effect.Key
	Source   *value.Term
	Fresh    model.Symbol
	FreshPos token.Pos
}

// By is the send whose key is in the carrier.
func (s Send) By(c Carrier) Send {
	s.Carrier, s.Key, s.Source, s.Fresh, s.FreshPos = c.Name, c.Key, c.Source, c.Fresh, c.FreshPos
	return s
}

// once notes which requests a client that retries some methods only sends once,
// and reports whether they all are. A method that may be among them, or not, is
// none that it is known to send again.
func (s *Site) once(ps []*Policy) bool {
	all := len(s.Sends) > 0
	for i := range s.Sends {
		send := &s.Sends[i]
		for _, p := range ps {
			set, ok := p.Get("methods")
			if !ok || set.Is("all") {
				all = false
				continue
			}
			if !set.Known() || send.Method != "" && !slices.Contains(strings.Split(set.Word, ","), send.Method) {
				send.Last = true
			}
			all = all && set.Known()
		}
		all = all && send.Last
	}
	return all
}

// Repeats reports whether it may be sent again with a consequence: it is neither
// the last thing that an attempt does, nor declared to be idempotent.
func (s *Send) Repeats() bool { return !s.Last && !s.Idempotent }

// sends reads what the events of a call send.
func (f *Finder) sends(fn *ssa.Function, c retryCall, end ender) []Send {
	var out []Send
	for i := range c.sends {
		e := c.sends[i]
		if !e.Sends() {
			continue
		}
		given, resolved := e, e
		given.Args, resolved.Args = f.closed(e.Args), f.resolve(e.Args)
		s := Send{
			Request: f.Effects.Request(&resolved), Symbol: e.Send, Chain: e.Chain, Pos: e.Pos(),
			Elsewhere: e.Send.Name != "" && f.callerKnows(fn, given),
		}
		if e.Send.Name == "" {
			s.Symbol = e.Callee
		}
		if op := c.operation; op != nil && op.Function() != nil {
			s.Last = end.endsRetry(op.Function(), e.Pos())
		}
		s.Blind = s.Elsewhere && s.Method == "" && s.Key != effect.KeyStable && c.helper.Name == "" && f.resendsBlindly(fn)
		s = s.By(f.aged(Carrier{Name: s.Carrier, Key: s.Key, Source: s.Source}, fn, c))
		for _, h := range s.Headers {
			s.Carriers = append(s.Carriers, f.aged(Carrier{Name: h.Name, Key: h.Key(), Source: h.Value}, fn, c))
		}
		out = append(out, s)
	}
	return out
}

// aged is the carrier with what its key comes to when it is made anew for each
// attempt or for each call: by a function that never returns the same value twice.
func (f *Finder) aged(k Carrier, fn *ssa.Function, c retryCall) Carrier {
	if k.Source == nil || k.Key != effect.KeyStable {
		return k
	}
	call := f.freshCall(k.Source, map[*value.Term]bool{})
	if call == nil {
		return k
	}
	again := effect.KeyUnstable
	if c.sender {
		again = effect.KeyPerCall // the client sends the same request again
	} else if made := call.Function(); made != nil {
		switch {
		case c.helper.Name != "" && c.operation == nil && made == c.instr.Common().StaticCallee():
			// Made by the helper around its operation, or in its loop.
			if c.entrySym == handwritten {
				return k
			}
			again = effect.KeyPerCall
		case around(fn, made):
			// Made by the function around the operation, it is one per call.
			if c.loop == nil || call.By() == nil || !c.loop.Has(call.By().Block()) {
				again = effect.KeyPerCall
			}
		case !f.runs(c, made):
			return k // made at another time: when the program started, say
		}
	}
	k.Key, k.Fresh, k.FreshPos = again, call.Sym, call.Pos()
	return k
}

// around reports whether outer is fn, or a function around it.
func around(fn, outer *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// runs reports whether an attempt runs code of the function made.
func (f *Finder) runs(c retryCall, made *ssa.Function) bool {
	seen := map[*ssa.Function]bool{}
	var in func(fn *ssa.Function) bool
	in = func(fn *ssa.Function) bool {
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		if fn == made {
			return true
		}
		if seen[fn] {
			return false
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, v := range instr.Operands(nil) {
					if callee, ok := (*v).(*ssa.Function); ok && in(callee) {
						return true // called, or given to what calls it
					}
				}
			}
		}
		return false
	}
	if c.loop != nil {
		for _, call := range c.loop.Calls {
			if callee := call.Call.StaticCallee(); callee != nil && in(callee) {
				return true
			}
		}
	}
	if op := c.operation; op != nil {
		for _, alt := range op.Alternatives() {
			if alt.Function() != nil && in(alt.Function()) {
				return true
			}
		}
	}
	if callee := c.instr.Common().StaticCallee(); c.helper.Name != "" && callee != nil {
		return in(callee)
	}
	return false
}

func (f *Finder) freshCall(t *value.Term, seen map[*value.Term]bool) *value.Term {
	if seen[t] || t.Kind == value.Alt || t.Kind == value.Op && strings.HasPrefix(t.Text, "if") {
		return nil // of several values, nothing is claimed
	}
	seen[t] = true
	if t.Kind == value.Call {
		if e := f.Catalogue.Lookup(t.Sym); e != nil && e.Fresh {
			return t
		}
	}
	for _, a := range t.Args {
		if call := f.freshCall(a, seen); call != nil {
			return call
		}
	}
	return nil
}

// Effect sums up what one attempt may do.
func (s *Site) Effect() string {
	if len(s.Sends) == 0 {
		if s.Seen {
			return "none"
		}
		return "unknown"
	}
	var reads, writes, keyed, unknown int
	for _, send := range s.Sends {
		switch {
		case send.Last:
			unknown++
		case send.Read():
			reads++
		case !send.Write(), send.Key == effect.KeyMaybe && !send.Idempotent:
			unknown++
		case send.Key == effect.KeyStable, send.Idempotent:
			keyed++
		default:
			writes++
		}
	}
	switch {
	case unknown > 0 && writes == 0:
		return "unknown"
	case writes > 0 && reads+keyed+unknown == 0:
		return "write"
	case writes > 0:
		return "mixed"
	case !s.Seen:
		return "unknown"
	case keyed > 0 && reads == 0:
		return "keyed"
	case keyed > 0:
		return "mixed"
	}
	return "read"
}

// seen reports whether the operation is followed to all of its ends.
func seen(c retryCall, op *value.Term) bool {
	if !c.sender && c.entry != nil && (op == nil || op.Kind != value.Func || op.Function() == nil || len(op.Function().Blocks) == 0) {
		return false
	}
	return !slices.ContainsFunc(c.sends, func(e effect.Event) bool { return !e.Sends() || e.Unseen != "" })
}
