package config

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/resilint/resilint/internal/model"
)

// An Error is what is wrong with a configuration, and where.
type Error struct {
	File    string
	Line    int
	Message string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// decode reads a document over what cfg already says, and returns the lines of
// the keys of the first level. Errors name what is wrong as users write it.
func decode(cfg *Config, data []byte) (lines map[string]int, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, syntaxError(err)
	}
	lines = map[string]int{}
	if len(doc.Content) == 0 {
		return lines, nil // nothing but comments
	}
	root := doc.Content[0]
	if err := decodeValue(root, "", reflect.ValueOf(cfg).Elem()); err != nil {
		return nil, err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		lines[root.Content[i].Value] = root.Content[i].Line
	}
	return lines, decodeModels(&cfg.Models, lines, data)
}

// decodeModels reads the models by the code that reads ours. It is given their
// lines of the document, and empty ones for the others, so that what it says of
// lines is right.
func decodeModels(into *Models, lines map[string]int, data []byte) error {
	first := lines["models"]
	if first == 0 {
		return nil
	}
	text := strings.SplitAfter(string(data), "\n")
	last := len(text)
	for _, line := range lines {
		if line > first {
			last = min(last, line-1)
		}
	}
	into.text = strings.Join(text[first-1:last], "")
	family, err := model.ParseUsers("models", []byte(strings.Repeat("\n", first-1)+into.text))
	if err != nil {
		return modelError(err, first)
	}
	into.Family = family
	return nil
}

// inModel is how the YAML package says what is wrong with a key or value.
var inModel = regexp.MustCompile(`^line (\d+): (.*?)( in type [\w.]+)?$`)

// modelError is the first of the errors in the models. Those that are not about
// YAML name their entry; their line is that of the key.
func modelError(err error, line int) error {
	message := err.Error()
	var typed *yaml.TypeError
	if errors.As(err, &typed) && len(typed.Errors) > 0 {
		message = typed.Errors[0]
	}
	message, _, _ = strings.Cut(message, "\n")
	if m := inModel.FindStringSubmatch(strings.TrimPrefix(message, "yaml: ")); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = m[2]
	}
	return &Error{Line: line, Message: "models: " + message}
}

// syntaxError takes the line out of what the YAML parser says.
func syntaxError(err error) error {
	out := &Error{Message: err.Error()}
	var line int
	if n, _ := fmt.Sscanf(err.Error(), "yaml: line %d:", &line); n == 1 {
		out.Line = line
		out.Message = err.Error()[len(fmt.Sprintf("yaml: line %d: ", line)):]
	}
	return out
}

// checker is a value that has to hold together.
type checker interface{ check() error }

// decodeValue reads node into v. Path is the key as messages name it.
func decodeValue(node *yaml.Node, path string, v reflect.Value) error {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	fail := func(err error) error {
		var known *Error
		if errors.As(err, &known) {
			return err
		}
		message := err.Error()
		if path != "" {
			message = path + ": " + message
		}
		return &Error{Line: node.Line, Message: message}
	}
	if node.Tag == "!!null" {
		return nil // as if it were not written
	}
	var err error
	switch text, isText := v.Addr().Interface().(encoding.TextUnmarshaler); {
	case isText || v.Kind() == reflect.String:
		err = decodeText(node, v, text)
	case v.Kind() == reflect.Bool:
		if err = node.Decode(v.Addr().Interface()); err != nil || node.Tag != "!!bool" {
			err = errors.New("true or false is needed")
		}
	case v.Kind() == reflect.Slice:
		err = decodeList(node, path, v)
	case v.Kind() == reflect.Map:
		err = decodeMap(node, path, v)
	case v.Type() == reflect.TypeFor[Models]():
		// by decodeModels, from the text
	default:
		err = decodeStruct(node, path, v)
	}
	if err != nil {
		return fail(err)
	}
	if c, ok := v.Addr().Interface().(checker); ok {
		if err := c.check(); err != nil {
			return fail(err)
		}
	}
	return nil
}

func decodeText(node *yaml.Node, v reflect.Value, into encoding.TextUnmarshaler) error {
	if node.Kind != yaml.ScalarNode {
		return errors.New("one value is needed, not several")
	}
	if into == nil {
		v.SetString(node.Value)
		return nil
	}
	return into.UnmarshalText([]byte(node.Value))
}

func decodeList(node *yaml.Node, path string, v reflect.Value) error {
	if node.Kind != yaml.SequenceNode {
		return errors.New("a list is needed: [...]")
	}
	list := reflect.MakeSlice(v.Type(), len(node.Content), len(node.Content))
	for i, n := range node.Content {
		if err := decodeValue(n, path, list.Index(i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

// decodeMap adds to what the map has: an entry is replaced as a whole.
func decodeMap(node *yaml.Node, path string, v reflect.Value) error {
	out := reflect.MakeMap(v.Type())
	for _, key := range v.MapKeys() {
		out.SetMapIndex(key, v.MapIndex(key))
	}
	err := decodeEntries(node, path, func(key, val *yaml.Node, path string) error {
		entry := reflect.New(v.Type().Elem()).Elem()
		if err := decodeValue(val, path, entry); err != nil {
			return err
		}
		name := reflect.New(v.Type().Key()).Elem()
		into, _ := name.Addr().Interface().(encoding.TextUnmarshaler)
		if err := decodeText(key, name, into); err != nil {
			return &Error{Line: key.Line, Message: fmt.Sprintf("%s: %v", path, err)}
		}
		out.SetMapIndex(name, entry)
		return nil
	})
	v.Set(out)
	return err
}

func decodeStruct(node *yaml.Node, path string, v reflect.Value) error {
	fields := map[string]int{}
	for i := range v.NumField() {
		fields[v.Type().Field(i).Tag.Get("yaml")] = i
	}
	return decodeEntries(node, path, func(key, val *yaml.Node, path string) error {
		i, ok := fields[key.Value]
		if !ok {
			err := fmt.Errorf("there is no key %q", path)
			return &Error{Line: key.Line, Message: proposing(err, key.Value, sortedKeys(fields)).Error()}
		}
		return decodeValue(val, path, v.Field(i))
	})
}

// decodeEntries calls read with each entry of a mapping and its path.
func decodeEntries(node *yaml.Node, path string, read func(key, val *yaml.Node, path string) error) error {
	if node.Kind != yaml.MappingNode {
		return errors.New("a mapping is needed: key: value")
	}
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		below := key.Value
		if path != "" {
			below = path + "." + below
		}
		if line, twice := first[key.Value]; twice {
			return &Error{Line: key.Line, Message: fmt.Sprintf("%s is in line %d already", below, line)}
		}
		first[key.Value] = key.Line
		if err := read(key, node.Content[i+1], below); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
