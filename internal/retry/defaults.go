package retry

import (
	"go/types"
	"maps"
	"slices"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// argument is why a value that a library takes from its caller is not known
// when there is no caller.
const argument = "argument"

// A Default is what entries of a library do that are told nothing: all options
// are left out, and what has to be passed is unknown.
type Default struct {
	Names []string // of the entries that share it, as models name them
	Site  *Site    // in no function, and at no place
}

// Defaults lists what the library does by itself, in the order of its entries.
// An entry that is told all of its waits brings none, unless it has no limit.
func Defaults(models *model.Set, lib *model.Library) []Default {
	in := interpreter{catalogue: models.For(types.NewPackage("none", "none"))}
	var out []Default
	add := func(name, mechanism string, p []*Policy) {
		if !says(lib, p[0]) {
			return
		}
		s := &Site{Mechanism: mechanism, Library: lib, Policies: p}
		s.Predicate = defaultPredicate(lib, p)
		s.explain()
		for i := range out {
			if out[i].same(s) {
				out[i].Names = append(out[i].Names, name)
				return
			}
		}
		out = append(out, Default{Names: []string{name}, Site: s})
	}
	for _, r := range lib.Retries {
		if r.Kind != "" || r.Composes || !schedules(r.Sets) {
			continue
		}
		fr := unsaid(lib, r.Sets, r.Policy)
		ps := in.sets([]*Policy{newPolicy()}, r.Sets, fr)
		for _, ref := range r.Policy {
			if !ref.Receiver {
				ps = in.refs(ps, ref, fr)
			}
		}
		mechanism := "library"
		if r.Sends {
			mechanism = "builtin"
		}
		add(r.Func, mechanism, ps)
	}
	for _, literals := range []bool{false, true} {
		for i := range lib.Values {
			v := &lib.Values[i]
			// A literal is of interest where nothing else makes the value.
			if isLiteral := v.Type != ""; isLiteral != literals || isLiteral && len(out) > 0 {
				continue
			}
			if !makesPolicy(v) {
				continue
			}
			mechanism := "library"
			if v.Role == "client" {
				mechanism = "builtin"
			}
			add(valueName(v), mechanism, in.lay([]*Policy{newPolicy()}, v, unsaid(lib, v.Sets, v.Policy)))
		}
	}
	return out
}

// valueName is the value as Go code writes it.
func valueName(v *model.Value) string {
	switch {
	case v.Func != "":
		return v.Func
	case v.Type != "":
		return v.Type + "{}"
	}
	return v.Var
}

// makesPolicy reports whether the value is a policy, or a client, of its own.
func makesPolicy(v *model.Value) bool {
	switch v.Role {
	case "", "policy", "client":
	default:
		return false
	}
	_, attempts := v.Sets["attempts"]
	return v.Base == nil && !v.Mutates && attempts && schedules(v.Sets)
}

// schedules reports whether the settings say something of the waits.
func schedules(s model.Sets) bool {
	_, ok := s["backoff"]
	return ok
}

// unsaid is a call in which all that has to be passed is unknown, and what may
// be left out is.
func unsaid(lib *model.Library, sets model.Sets, refs []model.Ref) frame {
	n := 0
	for _, e := range sets {
		if e.Arg != nil {
			n = max(n, *e.Arg+1)
		}
	}
	for _, r := range refs {
		if r.Arg != nil {
			n = max(n, *r.Arg+1)
		}
	}
	for _, r := range refs {
		if r.Rest != nil {
			n = *r.Rest
		}
	}
	f := frame{library: lib, defaults: true}
	for range n {
		f.args = append(f.args, value.Opaque(argument))
	}
	return f
}

// says reports whether the policy has anything of its own: its waits, or that it
// never ends. Where the library polls, too, what never ends may be a poll's.
func says(lib *model.Library, p *Policy) bool {
	if _, err := p.waiter(); err == nil {
		return true
	}
	polls := slices.ContainsFunc(lib.Retries, func(r model.Retry) bool { return r.Kind == "poll" })
	attempts, _ := p.Get("attempts")
	return attempts.Is("unbounded") && !polls
}

// same reports whether s is another name of the same default.
func (d *Default) same(s *Site) bool {
	return d.Site.Mechanism == s.Mechanism && d.Site.Predicate == s.Predicate &&
		slices.EqualFunc(d.Site.Policies, s.Policies, func(p, q *Policy) bool {
			return maps.EqualFunc(p.settings, q.settings, func(a, b Setting) bool {
				return a.Word == b.Word && a.Number == b.Number && a.Unknown == b.Unknown && slices.Equal(a.List, b.List)
			})
		})
}

// defaultPredicate is what a policy retries, or else what the library's calls do
// that run it, those with an operation before those in the caller's own loop.
func defaultPredicate(lib *model.Library, ps []*Policy) string {
	for _, p := range ps {
		if s, ok := p.Get("predicate"); ok && s.Known() {
			return s.Word
		}
	}
	for _, loop := range []bool{false, true} {
		for _, r := range lib.Retries {
			if e, ok := r.Sets["predicate"]; ok && e.Literal != "" && r.Kind == "" && r.Loop == loop {
				return e.Literal
			}
		}
	}
	return "unknown"
}
