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
	if r.generated(sig) {
		e.Callee, e.Unseen = model.FuncSymbol(fn), ""
		if len(given) > 1 && !hasIdentity(given[1].Type(), names) {
			e.Args = []*value.Term{r.Evaluator.Value(given[0], call)}
		}
	}
	return e
}

// generated reports whether a function of the signature is a method of a
// generated client: it takes a context, a message and options of the call, and
// returns a message.
func (r *Reader) generated(sig *types.Signature) bool {
	n := sig.Params().Len()
	if !sig.Variadic() || n != 3 || sig.Results().Len() != 2 {
		return false
	}
	options, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	if !ok {
		return false
	}
	if _, ok := sig.Results().At(0).Type().Underlying().(*types.Pointer); !ok {
		return false
	}
	e := r.Catalogue.Lookup(model.TypeSymbol(options.Elem()))
	return e != nil && e.Sender != nil && e.Sender.Option != ""
}

// hasIdentity reports whether a message has a field that may hold a key, or that
// tells one request from another.
func hasIdentity(typ types.Type, names *model.Names) bool {
	if ptr, ok := typ.Underlying().(*types.Pointer); ok {
		typ = ptr.Elem()
	}
	st, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range st.Fields() {
		if f.Exported() && (names.IsKey(f.Name()) || names.IsIdentity(f.Name())) {
			return true
		}
	}
	return false
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
	q := Request{Key: KeyMaybe, Carrier: e.Carrier, Call: e.Callee, Hidden: true}
	act := r.Catalogue.Names().Act(e.Callee.Name)
	q.Makes = act == model.Makes || e.Carrier != ""
	switch {
	case e.Carrier != "":
		q.Key, q.Source, q.Symbolic = KeyStable, e.Args[0], e.Args[0].Symbolic(nil)
	case act == model.Makes && len(e.Args) > 0 && r.plainContext(e.Args[0]):
		q.Key = KeyAbsent
	}
	switch act {
	case model.Reads:
		q.ReadOnly = true
	case model.Repeats:
		q.Idempotent = true
	}
	return declaredAs(q, e.Declared)
}

// plainContext reports whether nothing is seen to be put into a context: what is
// put into it may travel with the call.
func (r *Reader) plainContext(t *value.Term) bool {
	for _, alt := range t.Alternatives() {
		switch alt.Kind {
		case value.Param, value.Nil:
		case value.Call:
			// A context made of another, or of none.
			if e := r.Catalogue.Lookup(alt.Sym); e == nil || e.Value == nil || e.Value.Base != nil && len(alt.Args) > 0 && !r.plainContext(alt.Args[0]) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
