package value

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
)

var operators = map[string]token.Token{
	"+": token.ADD, "-": token.SUB, "*": token.MUL, "/": token.QUO, "%": token.REM,
	"<<": token.SHL, ">>": token.SHR, "&": token.AND, "|": token.OR, "^": token.XOR, "!": token.NOT,
	"==": token.EQL, "!=": token.NEQ, "<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

// maxPairs bounds the combinations that an operator over alternatives forms.
const maxPairs = 64

// fold is the operator over args, computed where they are constants.
func fold(op string, args []*Term, pos token.Pos) *Term {
	for i, a := range args {
		if a.Kind != Alt || len(a.Args) > maxPairs {
			continue
		}
		var out []*Term
		for _, one := range a.Args {
			next := append([]*Term(nil), args...)
			next[i] = one
			out = append(out, fold(op, next, pos))
		}
		return Join(out...)
	}
	if rel, ok := strings.CutPrefix(op, "if"); ok && len(args) == 3 {
		return choose(rel, args, pos)
	}
	for _, a := range args {
		if a.Kind == Unknown && !(op == "+" && slices.ContainsFunc(args, maybeText)) {
			return a
		}
	}
	if op == "!" && args[0].Kind == Op && len(args[0].Args) == 2 {
		switch args[0].Text {
		case "==":
			return fold("!=", args[0].Args, pos)
		case "!=":
			return fold("==", args[0].Args, pos)
		}
	}
	if op == "==" || op == "!=" {
		if same, known := compareMade(args[0], args[1]); known {
			return constTerm(constant.MakeBool(same == (op == "==")), pos)
		}
	}
	if v := compute(op, args); v != nil {
		t := constTerm(v, pos)
		return t
	}
	return &Term{Kind: Op, Text: op, Args: args, pos: pos}
}

// filled reports whether some part of the text t is not empty.
func filled(t *Term) bool {
	return t.Kind == Const && strings.HasPrefix(t.Text, `"`) && t.Text != `""` || t.Kind == Op && t.Text == "+" && slices.ContainsFunc(t.Args, filled)
}

// maybeText reports whether t is a text, or a parameter that may be one.
func maybeText(t *Term) bool { return isText(t) || t.Kind == Param }

// isText reports whether t is a constant string, or a text that holds one: the
// constant parts of an address count, whatever the others are.
func isText(t *Term) bool {
	return t.Kind == Const && strings.HasPrefix(t.Text, `"`) || t.Kind == Op && t.Text == "+" && slices.ContainsFunc(t.Args, isText)
}

// compareMade compares a value with nil or "": what was made in sight, by a
// call of a modelled function or by a literal, is neither.
func compareMade(a, b *Term) (same, known bool) {
	empty := func(t *Term) bool { return t.Kind == Nil || t.Kind == Const && t.Text == `""` }
	if empty(a) && empty(b) {
		return true, true
	}
	if empty(a) {
		a, b = b, a
	}
	if !empty(b) {
		return false, false
	}
	switch a.Kind {
	case Call, Struct, Func:
		return false, true
	case Op:
		if filled(a) {
			return false, true
		}
	case List:
		return len(a.Args) == 0 && !a.Open, !a.Open && !spreads(a)
	}
	return false, false
}

// choose is what a variable holds after a default was given to it under a
// condition: args are its value before, what that is compared with, and the
// default.
func choose(rel string, args []*Term, pos token.Pos) *Term {
	old, than, def := args[0], args[1], args[2]
	holds, known := compare(rel, old, than)
	switch {
	case known && holds:
		return def
	case known:
		return old
	case than.Kind == Const && old.Symbolic(nil):
		return &Term{Kind: Op, Text: "if" + rel, Args: args, pos: pos}
	}
	return Join(old, def)
}

// compare tells how a compares with b, a constant or nil.
func compare(rel string, a, b *Term) (holds, known bool) {
	if b.Kind != Nil {
		v := compute(rel, []*Term{a, b})
		if v == nil || v.Kind() != constant.Bool {
			return false, false
		}
		return constant.BoolVal(v), true
	}
	if rel != "==" && rel != "!=" {
		return false, false
	}
	switch a.Kind {
	case Nil:
		return rel == "==", true
	case Call, Struct, List, Func:
		return rel == "!=", true
	}
	return false, false
}

// negated is the comparison that holds when rel does not.
var negated = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

func compute(op string, args []*Term) (result constant.Value) {
	vals := make([]constant.Value, len(args))
	for i, a := range args {
		if a.Kind != Const {
			return nil
		}
		if vals[i] = a.Value(); vals[i].Kind() == constant.Unknown {
			return nil
		}
		if k := vals[i].Kind(); k != vals[0].Kind() && (k <= constant.String || vals[0].Kind() <= constant.String) {
			return nil // a number and a string or bool
		}
	}
	// A shift by a negative count or a mismatch of kinds cannot come from
	// code that compiles, except through alternatives that never meet.
	defer func() {
		if recover() != nil {
			result = nil
		}
	}()
	tok, ok := operators[op]
	switch {
	case op == "trunc" && len(vals) == 1:
		return constant.ToInt(truncate(vals[0]))
	case op == "float" && len(vals) == 1:
		return constant.ToFloat(vals[0])
	case !ok:
		return nil
	case len(vals) == 1:
		return constant.UnaryOp(tok, vals[0], 0)
	}
	switch tok {
	case token.SHL, token.SHR:
		n, exact := constant.Uint64Val(vals[1])
		if !exact || n > 128 {
			return nil
		}
		return constant.Shift(vals[0], tok, uint(n))
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(vals[0], tok, vals[1]))
	case token.QUO:
		if constant.Sign(vals[1]) == 0 {
			return nil
		}
		if vals[0].Kind() == constant.Int && vals[1].Kind() == constant.Int {
			tok = token.QUO_ASSIGN // integer division
		}
	case token.REM:
		if constant.Sign(vals[1]) == 0 {
			return nil
		}
	}
	return constant.BinaryOp(vals[0], tok, vals[1])
}

// truncate is v towards zero, as a conversion to an integer type does.
func truncate(v constant.Value) constant.Value {
	f := constant.ToFloat(v)
	if f.Kind() != constant.Float {
		return v
	}
	if i := constant.ToInt(f); i.Kind() == constant.Int {
		return i
	}
	num, denom := constant.Num(f), constant.Denom(f)
	if num.Kind() != constant.Int || denom.Kind() != constant.Int {
		return constant.MakeUnknown()
	}
	return constant.BinaryOp(num, token.QUO_ASSIGN, denom)
}

// constTerm is the term of a constant. Floats keep a mark of their kind: 2.0
// divided by 4 is not 2 divided by 4.
func constTerm(v constant.Value, pos token.Pos) *Term {
	t := &Term{Kind: Const, Text: v.ExactString(), pos: pos}
	if v.Kind() == constant.Float {
		t.Index = int(constant.Float)
	}
	return t
}

// Value is the constant that t is, or an unknown one.
func (t *Term) Value() constant.Value {
	if t.Kind != Const {
		return constant.MakeUnknown()
	}
	switch t.Text {
	case "true", "false":
		return constant.MakeBool(t.Text == "true")
	}
	if t.Text != "" && t.Text[0] == '"' {
		return constant.MakeFromLiteral(t.Text, token.STRING, 0)
	}
	v := ratio(t.Text)
	if t.Index == int(constant.Float) {
		v = constant.ToFloat(v)
	}
	return v
}

// ratio parses what ExactString printed: 12, -3, 1/3.
func ratio(s string) constant.Value {
	num, denom, frac := strings.Cut(s, "/")
	v := number(num)
	if frac {
		d := number(denom)
		if d.Kind() == constant.Unknown || v.Kind() == constant.Unknown || constant.Sign(d) == 0 {
			return constant.MakeUnknown()
		}
		return constant.BinaryOp(constant.ToFloat(v), token.QUO, constant.ToFloat(d))
	}
	return v
}

func number(s string) constant.Value {
	neg := s != "" && s[0] == '-'
	if neg {
		s = s[1:]
	}
	v := constant.MakeFromLiteral(s, token.INT, 0)
	if v.Kind() == constant.Unknown {
		v = constant.MakeFromLiteral(s, token.FLOAT, 0)
	}
	if neg && v.Kind() != constant.Unknown {
		v = constant.UnaryOp(token.SUB, v, 0)
	}
	return v
}

// Bool returns the constant bool that t is.
func (t *Term) Bool() (value, ok bool) {
	if t.Kind != Const || (t.Text != "true" && t.Text != "false") {
		return false, false
	}
	return t.Text == "true", true
}

// Float returns the constant number that t is, as a float64.
func (t *Term) Float() (float64, bool) {
	v := constant.ToFloat(t.Value())
	if v.Kind() != constant.Float && v.Kind() != constant.Int {
		return 0, false
	}
	f, _ := constant.Float64Val(v)
	return f, true
}

// convert is t after a conversion from type from to type to.
func convert(t *Term, from, to types.Type, pos token.Pos) *Term {
	f, ok1 := from.Underlying().(*types.Basic)
	b, ok2 := to.Underlying().(*types.Basic)
	if !ok1 || !ok2 {
		return t
	}
	switch {
	case f.Info()&types.IsFloat != 0 && b.Info()&types.IsInteger != 0:
		return fold("trunc", []*Term{t}, pos)
	case f.Info()&types.IsInteger != 0 && b.Info()&types.IsFloat != 0:
		return fold("float", []*Term{t}, pos)
	}
	return t
}

// Number is the constant n.
func Number(n float64) *Term {
	if n == math.Trunc(n) && math.Abs(n) < 1<<62 {
		return &Term{Kind: Const, Text: strconv.FormatInt(int64(n), 10)}
	}
	return constTerm(constant.MakeFloat64(n), token.NoPos)
}

// Plus is t with n added to it.
func Plus(t *Term, n int) *Term {
	if n == 0 {
		return t
	}
	return fold("+", []*Term{t, Number(float64(n))}, t.pos)
}

// Times is t, n times.
func Times(t *Term, n float64) *Term {
	if n == 1 {
		return t
	}
	return fold("*", []*Term{t, Number(n)}, t.pos)
}
