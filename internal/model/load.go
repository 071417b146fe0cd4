package model

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parse reads one file of the catalogue. It is strict: an unknown key, a
// missing source, a name that occurs twice or a reference that cannot be is an
// error naming the file and the entry.
func Parse(name string, data []byte) (*Family, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var f Family
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := dec.Decode(new(Family)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document", name)
	}
	f.File = name
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &f, nil
}

// ParseUsers reads the libraries that a configuration lists under models.
func ParseUsers(name string, data []byte) (*Family, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var doc struct {
		Models []Library `yaml:"models"`
	}
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	f := &Family{Family: name, Libraries: doc.Models, File: name}
	return f, f.check()
}

// ParseFS reads the files of the catalogue with the given names.
func ParseFS(fsys fs.FS, names ...string) ([]*Family, error) {
	var out []*Family
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		f, err := Parse(name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func (f *Family) check() error {
	if f.Family == "" {
		return errors.New("the family has no name")
	}
	if f.Names != nil {
		if err := f.Names.check(); err != nil {
			return err
		}
	}
	ids := map[string]bool{}
	for i := range f.Libraries {
		lib := &f.Libraries[i]
		if lib.ID == "" {
			return fmt.Errorf("library %d has no id", i+1)
		}
		if ids[lib.ID] {
			return fmt.Errorf("library %s occurs twice", lib.ID)
		}
		ids[lib.ID] = true
		if err := lib.check(); err != nil {
			return fmt.Errorf("%s: %w", lib.ID, err)
		}
	}
	return f.checkTwice()
}

// checkTwice reports an entry of two libraries that may both be in force: one
// would hide the other.
func (f *Family) checkTwice() error {
	type key struct{ kind, path, recv, name string }
	first := map[key]*Library{}
	var errs []error
	for i := range f.Libraries {
		lib := &f.Libraries[i]
		lib.entries(func(kind, name, _ string) {
			paths, rn, _ := lib.symbol(name)
			for _, path := range paths {
				k := key{kind, path, rn[0], rn[1]}
				other := first[k]
				if other == nil {
					first[k] = lib
				} else if other.When == nil || lib.When == nil {
					errs = append(errs, fmt.Errorf("%s: %s %s of %s is in %s too, and no condition tells them apart", lib.ID, kind, name, path, other.ID))
				}
			}
		})
	}
	return errors.Join(errs...)
}

func (lib *Library) check() error {
	switch {
	case lib.Name == "":
		return errors.New("no name")
	case lib.Source == "":
		return errors.New("no source")
	case len(lib.Packages) == 0:
		return errors.New("no packages")
	}
	for i := range lib.Packages {
		p := &lib.Packages[i]
		if p.Alias == "" {
			p.Alias = p.Path[strings.LastIndex(p.Path, "/")+1:]
		}
		if p.Resolve == "no" && p.Why == "" {
			return fmt.Errorf("package %s: not resolved, and no reason why", p.Path)
		}
	}
	seen := map[string]bool{}
	var errs []error
	lib.entries(func(kind, name, source string) {
		switch {
		case name == "":
			errs = append(errs, fmt.Errorf("a %s entry names nothing", kind))
		case source == "":
			errs = append(errs, fmt.Errorf("%s %s: no source", kind, name))
		case seen[kind+" "+name]:
			errs = append(errs, fmt.Errorf("%s %s occurs twice", kind, name))
		}
		seen[kind+" "+name] = true
		if _, _, err := lib.symbol(name); err != nil && name != "" {
			errs = append(errs, fmt.Errorf("%s %s: %w", kind, name, err))
		}
	})
	if lib.When != nil && (lib.When.Has == "") == (lib.When.Lacks == "") {
		errs = append(errs, errors.New("when needs either has or lacks"))
	}
	bad := func(kind, name string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", kind, name, err))
		}
	}
	for _, r := range lib.Retries {
		if !r.Loop && !r.Sends && !r.Operation.set() {
			bad("retry", r.Func, errors.New("no operation"))
		}
		bad("retry", r.Func, oneOf("kind", r.Kind, kinds))
		for _, ref := range r.Policy {
			bad("retry", r.Func, lib.checkRef(ref))
		}
	}
	for _, v := range lib.Values {
		bad("value", v.name(), oneOf("role", v.Role, roles))
		if v.Base != nil {
			bad("value", v.name(), lib.checkRef(*v.Base))
		}
		for _, ref := range v.Policy {
			bad("value", v.name(), lib.checkRef(ref))
		}
		for _, c := range v.If {
			bad("value", v.name(), checkSetting(c.Field, Expr{Literal: c.Is}))
		}
		if v.Runs != nil {
			bad("value", v.name(), lib.checkRef(*v.Runs))
		}
		if v.JSON != nil && (v.JSON.Arg == nil || v.JSON.At == "") {
			bad("value", v.name(), errors.New("json needs arg and at"))
		}
		if v.Fields != nil && v.Type == "" {
			bad("value", v.name(), errors.New("only a type has fields"))
		}
	}
	for _, q := range lib.Requests {
		for _, ref := range q.Editors {
			bad("request", q.name(), lib.checkRef(ref))
		}
	}
	for _, b := range lib.Breakers {
		if !b.TwoStep && !b.Operation.set() {
			bad("breaker", b.Func, errors.New("no operation"))
		}
		for _, open := range b.Open {
			if !slices.ContainsFunc(lib.Errors, func(e ErrorVar) bool { return e.name() == open }) {
				bad("breaker", b.Func, fmt.Errorf("open: %s is not among the errors", open))
			}
		}
	}
	for _, p := range lib.Predicates {
		bad("predicate", p.name(), oneOf("errors", p.Errors, []string{"all", "transient", "none", "listed"}))
		if p.Statuses != "" {
			bad("predicate", p.name(), checkStatuses(p.Statuses))
		}
	}
	for _, m := range lib.Markers {
		bad("marker", m.name(), oneOf("means", m.Means, []string{"permanent", "retryable"}))
	}
	for _, e := range lib.Errors {
		bad("error", e.name(), oneOf("means", e.Means, []string{"open", "full", "exceeded", "timeout"}))
	}
	return errors.Join(errs...)
}

var roles = []string{"policy", "breaker", "bulkhead", "timeout", "fallback", "hedge", "client", "carrier", "request", "compose", "other"}

var kinds = []string{"poll", "startup", "cas", "delay"}

// oneOf reports a word that is set and not allowed.
func oneOf(key, word string, allowed []string) error {
	if word == "" || slices.Contains(allowed, word) {
		return nil
	}
	return fmt.Errorf("%s %q is none of %s", key, word, strings.Join(allowed, ", "))
}

// checkRef reports a reference to nothing.
func (lib *Library) checkRef(r Ref) error {
	if !r.set() {
		return errors.New("a reference needs arg, rest, field, receiver or value")
	}
	if r.Value != "" && !slices.ContainsFunc(lib.Values, func(v Value) bool { return v.name() == r.Value }) {
		return fmt.Errorf("value: %s is not among the values", r.Value)
	}
	return checkAffects(r.Affects)
}

// entries calls yield with the kind, name and source of each entry.
func (lib *Library) entries(yield func(kind, name, source string)) {
	for _, r := range lib.Retries {
		yield("retry", r.Func, r.Source)
	}
	for _, v := range lib.Values {
		yield("value", v.name(), v.Source)
	}
	for _, b := range lib.Breakers {
		yield("breaker", b.Func, b.Source)
	}
	for _, p := range lib.Predicates {
		yield("predicate", p.name(), p.Source)
	}
	for _, m := range lib.Markers {
		yield("marker", m.name(), m.Source)
	}
	for _, r := range lib.Requests {
		yield("request", r.name(), r.Source)
	}
	for _, s := range lib.Senders {
		yield("sender", s.name(), s.Source)
	}
	for _, f := range lib.Fresh {
		yield("fresh", f.Func, f.Source)
	}
	for _, e := range lib.Errors {
		yield("error", e.name(), e.Source)
	}
}

func (v *Value) name() string     { return cmp.Or(v.Func, v.Type, v.Var) }
func (p *Predicate) name() string { return cmp.Or(p.Func, p.Type, p.Var) }
func (m *Marker) name() string    { return cmp.Or(m.Func, m.Type) }
func (r *Request) name() string   { return cmp.Or(r.Func, r.Type) }
func (s *Sender) name() string    { return cmp.Or(s.Func, s.Option) }
func (e *ErrorVar) name() string  { return cmp.Or(e.Var, e.Type) }

func (r Ref) set() bool {
	return r.Arg != nil || r.Rest != nil || r.Receiver || r.Field != "" || r.Value != ""
}

// symbol splits an entry's name, [alias.][Type.]Name, into the packages it
// belongs to, the type and the name. Without an alias it is the first package,
// and all others that have its alias.
func (lib *Library) symbol(name string) (paths []string, recvAndName [2]string, err error) {
	parts := strings.Split(name, ".")
	alias := lib.Packages[0].Alias
	if len(parts) > 1 {
		for _, p := range lib.Packages {
			if p.Alias == parts[0] {
				alias, parts = parts[0], parts[1:]
				break
			}
		}
	}
	for _, p := range lib.Packages {
		if p.Alias == alias {
			paths = append(paths, p.Path)
		}
	}
	switch len(parts) {
	case 1:
		return paths, [2]string{"", parts[0]}, nil
	case 2:
		return paths, [2]string{parts[0], parts[1]}, nil
	}
	return nil, recvAndName, fmt.Errorf("%q is not [package.][Type.]Name", name)
}

// strictKeys reports the keys of a mapping that no yaml tag of the struct v
// names: nested decoding does not inherit the decoder's strictness.
func strictKeys(node *yaml.Node, v any) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a mapping or a plain value is needed here", node.Line)
	}
	t := reflect.TypeOf(v)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		known := false
		for j := range t.NumField() {
			if tag, _, _ := strings.Cut(t.Field(j).Tag.Get("yaml"), ","); tag == key.Value {
				known = true
			}
		}
		if !known {
			return fmt.Errorf("line %d: field %s not found", key.Line, key.Value)
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
