// Package policyyaml loads policies from YAML: one block per system, whose keys
// are those of policy.Settings. What is left out is the guide's number.
//
//	sber:
//	  attempts: 5
//	  writes:
//	    keeps_keys_for: 24h
//	    contract: Payment API 3.1, section 4.2
//	rates: {}
//
// Loading is strict. A key that is unknown, twice there, or of the wrong type,
// and a value that policy.New refuses, is an error with file and line. Schema is
// the JSON schema of the file, for editors.
package policyyaml

import (
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/resilint/resilint/policy"
)

// Load reads the file and makes a policy of each of its blocks, under the
// system's name. The name of the file is for errors; the observers watch every
// policy.
//
// The error names every mistake of the file, a line each. Settings.Transient is
// code and has no key: take Policy.Settings, set it, and call policy.New.
func Load(name string, r io.Reader, observers ...policy.Observer) (map[string]*policy.Policy, error) {
	root, err := parse(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l := loader{file: name}
	policies := map[string]*policy.Policy{}
	for system, block := range l.entries(root, "the file") {
		policies[system.Value] = l.policy(system, block, observers)
	}
	if len(l.mistakes) > 0 {
		return nil, errors.Join(l.mistakes...)
	}
	return policies, nil
}

// parse returns the one document's root.
func parse(r io.Reader) (*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(r)
	switch err := decoder.Decode(&document); {
	case err == io.EOF:
		return nil, errors.New("no policies: the file is empty")
	case err != nil:
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); err != io.EOF {
		return nil, errors.New("more than one document")
	}
	return document.Content[0], nil
}

// policy makes the policy of one block.
func (l *loader) policy(system, block *yaml.Node, observers []policy.Observer) *policy.Policy {
	settings := policy.Settings{System: system.Value, Observers: observers}
	where := map[string]*yaml.Node{"System": system} // by field
	before := len(l.mistakes)
	l.fill(block, "block "+system.Value, fields(&settings), where)
	if len(l.mistakes) > before {
		return nil
	}
	p, err := policy.New(settings)
	for _, refused := range flatten(err) {
		l.refused(system, where, refused)
	}
	return p
}

// refused says where the value stands that policy.New refused, or where the block
// begins when it is not written down.
func (l *loader) refused(system *yaml.Node, where map[string]*yaml.Node, err error) {
	var field *policy.FieldError
	if !errors.As(err, &field) {
		l.mistake(system, "%v", err)
		return
	}
	at := where[field.Field]
	if at == nil {
		at = system
	}
	l.mistake(at, "%s: %s: %s", system.Value, keyOf(field.Field), field.Problem)
}

func flatten(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
