// Package retry finds the constructs of a package that may run an operation
// again, and says with which policy: attempts, waits and what is retried. It
// reads libraries through their models alone.
package retry

import (
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Policy is one way in which a site may retry: each setting has one value,
// or is unknown. Code that can end up with several policies has several.
type Policy struct {
	settings map[string]Setting
	cases    []model.Case
	frames   []string // roles of what it is composed with, outermost first
	retries  bool     // some part of it is a retry policy
}

// A Setting is the value of one setting of a policy.
type Setting struct {
	Word    string // exponential, unbounded, uncapped, ...
	Number  float64
	List    []float64
	Unknown string // the reason, when the code does not fix the value

	Pos     token.Pos // where it is written, if in this package
	Default bool      // the library's own: nothing is set in the code
	Param   bool      // it comes from the caller
	Helper  bool      // it is fixed inside a helper that is judged on its own
}

// Known reports whether the code fixes the setting.
func (s Setting) Known() bool { return s.Unknown == "" }

// Is reports whether the setting is the word.
func (s Setting) Is(word string) bool { return s.Known() && s.Word == word }

// equal reports whether t says the same as s, wherever it is written.
func (s Setting) equal(t Setting) bool {
	s.Pos, t.Pos = token.NoPos, token.NoPos
	return reflect.DeepEqual(s, t)
}

func newPolicy() *Policy { return &Policy{settings: map[string]Setting{}} }

func (p *Policy) clone() *Policy {
	c := *p
	c.settings = maps.Clone(p.settings)
	c.cases = append([]model.Case(nil), p.cases...)
	c.frames = append([]string(nil), p.frames...)
	return &c
}

// equal reports whether q says the same as p, wherever it is written.
func (p *Policy) equal(q *Policy) bool {
	return p.alike(q) && maps.EqualFunc(p.settings, q.settings, Setting.equal)
}

// alike reports whether q is composed like p, whatever their settings are.
func (p *Policy) alike(q *Policy) bool {
	return p.retries == q.retries && slices.Equal(p.frames, q.frames) && reflect.DeepEqual(p.cases, q.cases)
}

// agrees reports whether p and q say the same of one setting.
func (p *Policy) agrees(q *Policy, name string) bool {
	a, ok := p.Get(name)
	b, set := q.Get(name)
	return ok == set && a.equal(b)
}

// Get is the value of a setting; absent reports that neither the library nor
// the code says anything of it.
func (p *Policy) Get(name string) (s Setting, ok bool) {
	s, ok = p.settings[name]
	return s, ok
}

func (p *Policy) set(name string, s Setting) { p.settings[name] = s }

// poison makes settings unknown, all that a policy can have when none is named.
func (p *Policy) poison(names []string, t *value.Term, why string) {
	s := Setting{Unknown: why, Pos: t.Pos(), Param: t.Symbolic(nil)}
	if len(names) == 0 {
		names = model.PolicySettings()
	}
	for _, name := range names {
		p.set(name, s)
	}
}

// literal reads a setting's literal of the model: a word, a number or a
// duration.
func literal(text string) Setting {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return Setting{Number: n}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return Setting{Number: float64(d)}
	}
	return Setting{Word: text}
}

// why is the reason why a term has no value, for a reader.
func why(t *value.Term) string {
	switch t.Kind {
	case value.Unknown:
		return t.Text
	case value.Param:
		if t.Text != "" {
			return "parameter " + t.Text
		}
		return "a parameter"
	case value.Field:
		return "field " + t.Text
	case value.Var:
		return "variable " + t.Sym.String()
	case value.Func:
		return "a function of your own"
	case value.Call:
		return "the result of " + t.Sym.String()
	case value.Elem:
		return "an element of " + why(t.Args[0])
	case value.Op:
		for _, a := range t.Args {
			if a.Kind != value.Const {
				return why(a)
			}
		}
	case value.Struct:
		return "a value of " + t.Type.String()
	}
	return fmt.Sprintf("a value that is not followed (%s)", t)
}
