// Package value says what a Go expression can be, as a small term over
// constants, parameters, fields, calls of modelled functions and allocation
// sites. It is the one evaluator: policies, clients, requests and function
// values are all read through it.
//
// A term never guesses. What the code does not fix is [Unknown], with the
// reason, and what depends on a parameter stays symbolic until a caller's
// arguments are substituted for it.
package value

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/model"
)

// Kind says which form a term has.
type Kind uint8

const (
	// Unknown is a value that the code does not fix; Text is the reason.
	Unknown Kind = iota
	// Const is a number, string or bool; Text is its exact literal.
	Const
	// Nil is the nil of any type.
	Nil
	// Param is parameter Index of a function, receiver first.
	Param
	// Field is field Text of Args[0], whose value is not known here; Args[1] is
	// the zero value of its type.
	Field
	// Var is a package variable of another package, named by Sym.
	Var
	// Func is a function or closure.
	Func
	// Call is result Index of a call of the modelled function Sym. Args holds
	// the receiver first, if there is one.
	Call
	// Struct is a struct allocated in sight, or a pointer to one: zero but for
	// its changes.
	Struct
	// List is a slice or array of Args; Open means that more elements follow.
	List
	// Elem is some element of the list Args[0]: what a loop over it sees. Of a
	// map, Text says whether it is a key or a value.
	Elem
	// Alt is one of Args.
	Alt
	// Op is the operator Text over Args.
	Op
	// Result is the first result of a call of the function value Args[0], which is
	// not seen through, with the arguments that follow: a function, too.
	Result
)

// A Symbol names a function, method, type or variable of a package.
type Symbol = model.Symbol

// A Term is what an expression can be. Terms are immutable once built; facts
// carry them between packages, so positions and functions, which mean nothing
// outside their package, stay unexported and do not travel.
type Term struct {
	Kind  Kind
	Text  string
	Index int
	Sym   Symbol
	// Type is the named type, pointers stripped, where there is one: an unknown
	// retry policy is still known to be a retry policy.
	Type Symbol
	Args []*Term
	// Changes are later writes and calls on this object, in program order.
	Changes []Change
	Open    bool

	pos token.Pos
	fn  *ssa.Function // of a Param or Func of the package at hand
	env *ssa.MakeClosure
	fld *types.Var // of a Field of the package at hand
	by  *ssa.Call  // see brought

	// outer are the arguments of the function around a closure that it returned.
	outer []*Term

	params *[]*ssa.Function // see parameters
	weight int              // see Weight
}

// Pos is where the value is written, when that is in the package at hand.
func (t *Term) Pos() token.Pos { return t.pos }

// Function is the body of a function value defined in the package at hand.
func (t *Term) Function() *ssa.Function { return t.fn }

// Outer are the arguments of the function that returned the closure t, nil where
// it is not known to have been returned.
func (t *Term) Outer() []*Term { return t.outer }

// By is, of a call that makes another value each time, the call by which its
// value came to where it is used: the call itself, or that of a helper.
func (t *Term) By() *ssa.Call { return t.by }

// A Change is one thing done to an object after it was made.
type Change struct {
	// Path is the field written, "A.B" for nested ones; empty for a write of
	// the whole object or a call.
	Path string
	// Sym is the modelled method called, with Args its arguments.
	Sym  Symbol
	Args []*Term
	// Each is a function value, or a list of them, that is called with the
	// object: functional options, request editors.
	Each *Term
	// Key is the key of an entry put into a map, Args its value.
	Key *Term
	// Maybe marks a change that some path to the use leaves out. Cond is the
	// condition under which it is made, when that is one comparison.
	Maybe bool
	Cond  *Term
	// If is the operator of the comparison, of what was there before with Than,
	// under which the change is made: a default for what was not set.
	If   string
	Than *Term

	pos token.Pos
}

// Pos is where the change is made, when that is in the package at hand.
func (c *Change) Pos() token.Pos { return c.pos }

// copy is a term like t to be changed before anyone sees it.
func (t *Term) copy() *Term {
	c := *t
	c.params, c.weight = nil, 0
	return &c
}

func unknown(pos token.Pos, format string, args ...any) *Term {
	return &Term{Kind: Unknown, Text: fmt.Sprintf(format, args...), pos: pos}
}

// Alternatives lists what t can be, one level deep.
func (t *Term) Alternatives() []*Term {
	if t.Kind == Alt {
		return t.Args
	}
	return []*Term{t}
}

// maxAlternatives bounds a join: beyond it a value counts as unknown.
const maxAlternatives = 8

// Join is the value that is one of ts.
func Join(ts ...*Term) *Term {
	var out []*Term
	seen := map[string]bool{}
	for _, t := range ts {
		for _, a := range t.Alternatives() {
			if key := a.key(); !seen[key] {
				seen[key] = true
				out = append(out, a)
			}
		}
	}
	switch {
	case len(out) == 0:
		return &Term{Kind: Unknown, Text: "no value reaches here"}
	case len(out) == 1:
		return out[0]
	case len(out) > maxAlternatives:
		return unknown(out[0].pos, "it has more than %d possible values", maxAlternatives)
	}
	return &Term{Kind: Alt, Args: out, Type: out[0].Type, pos: out[0].pos}
}

// Int returns the constant integer that t is.
func (t *Term) Int() (int64, bool) {
	if t.Kind != Const {
		return 0, false
	}
	n, err := strconv.ParseInt(t.Text, 10, 64)
	return n, err == nil
}

// Symbolic reports whether t depends on a parameter of the function fn, or of
// any function when fn is nil.
func (t *Term) Symbolic(fn *ssa.Function) bool {
	for _, f := range t.parameters() {
		if fn == nil || f == fn || f == nil {
			return true
		}
	}
	return false
}

// parameters lists the functions whose parameters t depends on; nil stands for
// the function that a fact is about. It is kept: terms share their parts, and
// walking them as trees would not end.
func (t *Term) parameters() []*ssa.Function {
	if t.params != nil {
		return *t.params
	}
	var out []*ssa.Function
	add := func(fns ...*ssa.Function) {
		for _, fn := range fns {
			if !slices.Contains(out, fn) {
				out = append(out, fn)
			}
		}
	}
	if t.Kind == Param {
		add(t.fn)
	}
	for _, a := range t.Args {
		add(a.parameters()...)
	}
	for _, c := range t.Changes {
		if c.Each != nil {
			add(c.Each.parameters()...)
		}
		if c.Key != nil {
			add(c.Key.parameters()...)
		}
		if c.Cond != nil {
			add(c.Cond.parameters()...)
		}
		for _, a := range c.Args {
			add(a.parameters()...)
		}
	}
	t.params = &out
	return out
}

// maxWeight bounds the size of a term: what is larger is the state of a program
// rather than a value that someone wrote.
const maxWeight = 1000

// Weight is the size of t, its parts counted as often as they occur, up to a
// little more than maxWeight. It is kept, like parameters.
func (t *Term) Weight() int {
	if t.weight > 0 {
		return t.weight
	}
	n := 1
	for _, a := range t.Args {
		n = min(n+a.Weight(), maxWeight+1)
	}
	for _, c := range t.Changes {
		n = min(n+1, maxWeight+1)
		if c.Each != nil {
			n = min(n+c.Each.Weight(), maxWeight+1)
		}
		for _, a := range c.Args {
			n = min(n+a.Weight(), maxWeight+1)
		}
	}
	t.weight = n
	return n
}

// bounded is t, or an unknown value of its type when it is too large.
func (t *Term) bounded() *Term {
	if t.Weight() <= maxWeight {
		return t
	}
	u := unknown(t.pos, "a value too large to follow")
	u.Type = t.Type
	return u
}

// String renders t in the compact form that tests and reasons use.
func (t *Term) String() string { return t.key() }

// maxPrint bounds how deep a term is printed.
const maxPrint = 6

// key tells terms apart as far as they are printed.
func (t *Term) key() string {
	var b strings.Builder
	t.write(&b, maxPrint)
	return b.String()
}

func (t *Term) write(b *strings.Builder, depth int) {
	if depth == 0 || b.Len() > 2000 {
		fmt.Fprintf(b, "...%d", t.pos)
		return
	}
	depth--
	list := func(open, close string, ts []*Term) {
		b.WriteString(open)
		for i, a := range ts {
			if i > 0 {
				b.WriteString(", ")
			}
			a.write(b, depth)
		}
		b.WriteString(close)
	}
	switch t.Kind {
	case Unknown:
		b.WriteString("?(" + t.Text + ")")
	case Const:
		b.WriteString(t.Text)
	case Nil:
		b.WriteString("nil")
	case Param:
		fmt.Fprintf(b, "#%d", t.Index)
		if t.fn != nil && t.fn.Parent() != nil {
			b.WriteString("@" + t.fn.Name())
		}
	case Field:
		t.Args[0].write(b, depth)
		b.WriteString("." + t.Text)
	case Var:
		b.WriteString(t.Sym.String())
	case Func:
		if t.Sym.Name != "" {
			b.WriteString("func " + t.Sym.String())
		} else {
			b.WriteString("func")
			if t.fn != nil {
				b.WriteString(" " + t.fn.Name())
			}
		}
	case Call:
		b.WriteString(t.Sym.String())
		list("(", ")", t.Args)
	case Struct:
		b.WriteString(t.Type.String())
	case List:
		list("[", "]", t.Args)
		if t.Open {
			b.WriteString("...")
		}
	case Elem:
		t.Args[0].write(b, depth)
		b.WriteString("[*" + t.Text + "]")
	case Alt:
		list("{", "}", t.Args)
	case Result:
		list("call(", ")", t.Args)
	case Op:
		switch len(t.Args) {
		case 1:
			b.WriteString(t.Text)
			t.Args[0].write(b, depth)
		case 3:
			b.WriteString(t.Text)
			list("(", ")", t.Args)
		default:
			b.WriteString("(")
			t.Args[0].write(b, depth)
			b.WriteString(" " + t.Text + " ")
			t.Args[1].write(b, depth)
			b.WriteString(")")
		}
	}
	if len(t.Changes) == 0 {
		return
	}
	b.WriteString("{")
	for i, c := range t.Changes {
		if i > 0 {
			b.WriteString("; ")
		}
		if c.Maybe {
			b.WriteString("maybe ")
		}
		if c.Cond != nil {
			b.WriteString("if ")
			c.Cond.write(b, depth)
			b.WriteString(" ")
		}
		switch {
		case c.Each != nil:
			b.WriteString("each ")
			c.Each.write(b, depth)
		case c.Sym.Name != "":
			b.WriteString(c.Sym.Name)
			list("(", ")", c.Args)
		case c.Key != nil:
			b.WriteString(c.Path + "[")
			c.Key.write(b, depth)
			b.WriteString("]=")
			list("", "", c.Args)
		default:
			b.WriteString(c.Path + "=")
			list("", "", c.Args)
		}
	}
	b.WriteString("}")
}
