package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// keyed is the event of a call of fn, whose code is not seen, with the
// idempotency key that the call is given: in a field of a struct, or as an
// argument of its own. Only calls that may fail are requests.
func (r *Reader) keyed(e Event, fn *types.Func, call ssa.CallInstruction) Event {
	sig := fn.Signature()
	if n := sig.Results().Len(); n == 0 || !types.Identical(sig.Results().At(n-1).Type(), types.Universe.Lookup("error").Type()) {
		return e
	}
	names := r.Catalogue.Names()
	given := call.Common().Args
	if !call.Common().IsInvoke() && sig.Recv() != nil && len(given) > 0 {
		given = given[1:]
	}
	for i, arg := range given {
		if i >= sig.Params().Len() {
			break
		}
		var key *value.Term
		carrier := ""
		if p := sig.Params().At(i); names.IsKey(p.Name()) && isText(p.Type()) {
			key, carrier = r.Evaluator.Value(arg, call), p.Name()
		} else if field := keyField(arg.Type(), names); field != "" {
			key, carrier = value.Select(r.Evaluator.Value(arg, call), field, &value.Term{Kind: value.Nil}), field
		}
		if carrier == "" {
			continue
		}
		if key = value.Pointed(key); !isEmpty(key) {
			e.Carrier, e.Callee, e.Args = carrier, model.FuncSymbol(fn), []*value.Term{key}
			return e
		}
	}
	return e
}

// keyField is the field that holds a key, of a struct or of what points at one.
func keyField(typ types.Type, names *model.Names) string {
	if ptr, ok := typ.Underlying().(*types.Pointer); ok {
		typ = ptr.Elem()
	}
	st, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for f := range st.Fields() {
		if f.Exported() && names.IsKey(f.Name()) && isText(f.Type()) {
			return f.Name()
		}
	}
	return ""
}

// isText reports whether values of the type are strings, or point at one.
func isText(typ types.Type) bool {
	if ptr, ok := typ.Underlying().(*types.Pointer); ok {
		typ = ptr.Elem()
	}
	basic, ok := typ.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// isEmpty reports whether no key is given.
func isEmpty(key *value.Term) bool {
	text, ok := Literal(key)
	return key.Kind == value.Nil || ok && text == ""
}

// procedure is the request of an event that is known by its key alone.
func (r *Reader) procedure(e *Event) Request {
	q := Request{Key: KeyStable, Source: e.Args[0], Carrier: e.Carrier, Call: e.Callee, Hidden: true, Symbolic: e.Args[0].Symbolic(nil)}
	switch r.Catalogue.Names().Act(e.Callee.Name) {
	case model.Reads:
		q.ReadOnly = true
	case model.Repeats:
		q.Idempotent = true
	}
	return declaredAs(q, e.Declared)
}
