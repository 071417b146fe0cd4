package retry

import "github.com/resilint/resilint/internal/value"

// under notes that the policies run under a context, and when that ends.
func (in *interpreter) under(ps []*Policy, ctx *value.Term) {
	if ctx.Kind == value.Nil {
		return
	}
	deadline, ends := in.deadline(ctx)
	word := "set"
	if e := in.meaning(ctx); e != nil && e.Value.Sets["context"].Literal != "" {
		word = e.Value.Sets["context"].Literal // one that is never done
	}
	for _, p := range ps {
		p.set("context", Setting{Word: word, Pos: ctx.Pos(), Param: ctx.Symbolic(nil)})
		if ends {
			p.set("deadline", deadline)
		}
	}
}

// deadline is how long from now a context, or the point in time at which one
// shall end, is at the latest; ends is false when it is not seen to end by itself.
func (in *interpreter) deadline(t *value.Term) (d Setting, ends bool) {
	if t.Kind == value.Alt {
		for i, alt := range t.Args {
			switch one, ok := in.deadline(alt); {
			case !ok:
				return d, false
			case i == 0, !one.Known(), d.Known() && one.Number > d.Number:
				d = one
			}
		}
		return d, len(t.Args) > 0
	}
	e := in.meaning(t)
	if e == nil {
		return d, false
	}
	f := frame{args: t.Args, library: e.Library}
	if t.Sym.Recv != "" && len(t.Args) > 0 {
		f.receiver, f.args = t.Args[0], t.Args[1:]
	}
	if expr, ok := e.Value.Sets["deadline"]; ok {
		if after := in.operand(expr, f); after != nil {
			d, ends = in.setting("deadline", expr, after)
		}
		if f.receiver != nil && !in.isNow(f.receiver) {
			d = Setting{Unknown: why(f.receiver), Pos: t.Pos()}
		}
	}
	for _, ref := range e.Value.Policy {
		if ref.Arg == nil || *ref.Arg >= len(f.args) {
			continue
		}
		if d, ends = in.deadline(f.args[*ref.Arg]); !ends {
			d, ends = Setting{Unknown: why(f.args[*ref.Arg]), Pos: t.Pos()}, true
		}
	}
	if base := e.Value.Base; base != nil && base.Arg != nil && *base.Arg < len(f.args) {
		outer, ok := in.deadline(f.args[*base.Arg])
		if ok && (!ends || !d.Known() || outer.Known() && outer.Number < d.Number) {
			return outer, true
		}
	}
	return d, ends
}

func (in *interpreter) isNow(t *value.Term) bool {
	if t.Kind != value.Call {
		return false
	}
	e := in.catalogue.Lookup(t.Sym)
	return e != nil && e.Fresh
}
