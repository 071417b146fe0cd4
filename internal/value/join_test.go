package value

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTerm makes terms of few kinds, so that equal ones meet.
func randomTerm(r *rand.Rand, depth int) *Term {
	switch n := r.IntN(8); {
	case n == 0:
		return unknown(0, "reason %d", r.IntN(2))
	case n == 1:
		return &Term{Kind: Nil}
	case n == 2:
		return &Term{Kind: Param, Index: r.IntN(3)}
	case n == 3 && depth > 0:
		return Join(randomTerm(r, depth-1), randomTerm(r, depth-1))
	case n == 4 && depth > 0:
		return &Term{Kind: List, Args: []*Term{randomTerm(r, depth-1)}}
	case n == 5 && depth > 0:
		return fold("+", []*Term{number1(r), randomTerm(r, depth-1)}, 0)
	}
	return number1(r)
}

func number1(r *rand.Rand) *Term { return &Term{Kind: Const, Text: fmt.Sprint(r.IntN(4))} }

// set is the alternatives of t as a set.
func set(t *Term) []string {
	var out []string
	for _, a := range t.Alternatives() {
		out = append(out, a.String())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isUnknown(t *Term) bool {
	return slices.ContainsFunc(t.Alternatives(), func(a *Term) bool { return a.Kind == Unknown })
}

// checkJoin holds the laws of a join against three terms.
func checkJoin(t *testing.T, a, b, c *Term) {
	t.Helper()
	if got := Join(a, a); !slices.Equal(set(got), set(a)) {
		t.Errorf("%s joined with itself is %s", a, got)
	}
	ab, ba := Join(a, b), Join(b, a)
	if !slices.Equal(set(ab), set(ba)) && !(isUnknown(ab) && isUnknown(ba)) {
		t.Errorf("%s and %s in either order: %s, %s", a, b, ab, ba)
	}
	// Beyond the bound a join is unknown, and may have lost alternatives.
	left, right := Join(Join(a, b), c), Join(a, Join(b, c))
	if !slices.Equal(set(left), set(right)) && !(isUnknown(left) && isUnknown(right)) {
		t.Errorf("(%s, %s), %s is not the same in another order: %s, %s", a, b, c, left, right)
	}
	for _, part := range a.Alternatives() {
		if !slices.Contains(set(ab), part.String()) && !isUnknown(ab) {
			t.Errorf("%s lost %s of %s", ab, part, a)
		}
	}
	if len(ab.Alternatives()) > maxAlternatives {
		t.Errorf("%d alternatives in %s", len(ab.Alternatives()), ab)
	}
	for _, alt := range ab.Alternatives() {
		if alt.Kind == Alt {
			t.Errorf("an alternative within one: %s", ab)
		}
	}
	// Substitution goes into the alternatives.
	args := []*Term{{Kind: Const, Text: "7"}, {Kind: Nil}, unknown(0, "an argument")}
	sub, subs := Subst(ab, nil, args), Join(Subst(a, nil, args), Subst(b, nil, args))
	if !slices.Equal(set(sub), set(subs)) && !(isUnknown(sub) && isUnknown(subs)) {
		t.Errorf("in %s: %s, in its parts: %s", ab, sub, subs)
	}
	// What travels says the same.
	var p Portable
	if got := p.Term(ab).String(); got != ab.String() {
		t.Errorf("%s travels as %s", ab, got)
	}
}

func TestJoinLaws(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		checkJoin(t, randomTerm(r, 3), randomTerm(r, 3), randomTerm(r, 3))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzJoin(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		checkJoin(t, randomTerm(r, 4), randomTerm(r, 4), randomTerm(r, 4))
	})
}

// TestFoldAlternatives: an operator over alternatives is the alternatives of
// the operator, up to the bound.
func TestFoldAlternatives(t *testing.T) {
	alt := func(from, n int) *Term {
		var ts []*Term
		for i := range n {
			ts = append(ts, &Term{Kind: Const, Text: fmt.Sprint(from + i)})
		}
		return Join(ts...)
	}
	for _, c := range []struct {
		name string
		a, b *Term
		want string
	}{
		{"both", alt(1, 2), alt(10, 2), "{11, 12, 13}"},
		{"one", alt(1, 3), alt(5, 1), "{6, 7, 8}"},
		{"too many", alt(1, 4), alt(100, 8), "?(it has more than 8 possible values)"},
		{"unknown wins", unknown(0, "a reason"), alt(1, 1), "?(a reason)"},
		{"one alternative unknown", Join(alt(1, 1), unknown(0, "a reason")), alt(1, 1), "{2, ?(a reason)}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fold("+", []*Term{c.a, c.b}, 0).String(); got != c.want {
				t.Errorf("%s + %s = %s, want %s", c.a, c.b, got, c.want)
			}
		})
	}
}

// TestNoFold: what has no value in Go has none here.
func TestNoFold(t *testing.T) {
	n := func(text string) *Term { return &Term{Kind: Const, Text: text} }
	for _, c := range []struct {
		op   string
		a, b *Term
	}{
		{"/", n("1"), n("0")},
		{"%", n("1"), n("0")},
		{"<<", n("1"), n("-1")},
		{"<<", n("1"), n("1000")},
		{"+", n("1"), n(`"a"`)},
		{"&&", n("true"), n("false")},
	} {
		if got := fold(c.op, []*Term{c.a, c.b}, 0); got.Kind != Op {
			t.Errorf("%s %s %s = %s", c.a, c.op, c.b, got)
		}
	}
}
