package retry

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// document lays the policies that a JSON text holds on top of each of ps: one of
// them applies, which depends on what is called.
func (in *interpreter) document(ps []*Policy, doc *model.JSON, f frame) []*Policy {
	arg := f.args[*doc.Arg]
	var out []*Policy
	for _, alt := range arg.Alternatives() {
		text, ok := effect.Text(alt)
		var root any
		if !ok || json.Unmarshal([]byte(text), &root) != nil {
			unknown := cloned(ps)
			poisonAll(unknown, doc.Settings(), alt, why(alt))
			out = append(out, unknown...)
			continue
		}
		found := objects(root, strings.Split(doc.At, "."))
		if len(found) == 0 {
			out = append(out, cloned(ps)...)
		}
		for _, object := range found {
			out = append(out, in.object(cloned(ps), doc, object, alt, f)...)
		}
	}
	return limit(out, arg)
}

// object lays one policy of a document on top of ps.
func (in *interpreter) object(ps []*Policy, doc *model.JSON, object map[string]any, at *value.Term, f frame) []*Policy {
	for _, p := range ps {
		p.retries = true
	}
	f.defaults = false
	ps = in.sets(ps, doc.Sets, f)
	for _, p := range ps {
		for name, set := range p.settings {
			if _, ok := doc.Sets[name]; ok && !set.Pos.IsValid() {
				set.Pos = at.Pos()
				p.set(name, set)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		if val, ok := object[name]; ok {
			f.self = value.Like(scalar(val), at)
			ps = in.sets(ps, doc.Fields[name], f)
		}
	}
	return ps
}

// scalar is a value of a document as code would write it; a text that is a
// duration counts as one.
func scalar(v any) *value.Term {
	switch v := v.(type) {
	case float64:
		return value.Number(v)
	case string:
		if d, err := time.ParseDuration(v); err == nil {
			return value.Number(float64(d))
		}
		return value.Text(v)
	}
	return value.Opaque("a part of a document")
}

// objects lists the objects at the path, through lists.
func objects(v any, path []string) []map[string]any {
	switch v := v.(type) {
	case []any:
		var out []map[string]any
		for _, e := range v {
			out = append(out, objects(e, path)...)
		}
		return out
	case map[string]any:
		if len(path) == 0 {
			return []map[string]any{v}
		}
		return objects(v[path[0]], path[1:])
	}
	return nil
}
