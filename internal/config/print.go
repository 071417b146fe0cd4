package config

import (
	_ "embed"
	"encoding"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed start.yml
var start string

// Start is a file to start from: every key, in comments.
func Start() string { return start }

// Origin says where a key of the first level comes from.
func (f *File) Origin(key string) string {
	if line := f.Lines[key]; line > 0 {
		return fmt.Sprintf("%s:%d", Shown(f.Path), line)
	}
	if key == "contracts" && f.PromiseRequired() {
		return "preset " + string(f.Preset)
	}
	return "default"
}

// Write writes what is in force as a file would say it, each key with its
// origin in a comment. What is empty is left out.
func (f *File) Write(w io.Writer, origin func(key string) string) error {
	c := f.Config
	if c.Contracts == "" {
		c.Contracts = "optional"
		if f.PromiseRequired() {
			c.Contracts = "required"
		}
	}
	doc := encodeStruct(reflect.ValueOf(c))
	for i := 0; i+1 < len(doc.Content); i += 2 {
		doc.Content[i].HeadComment = "# " + origin(doc.Content[i].Value)
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	return enc.Encode(doc)
}

func encode(v reflect.Value) *yaml.Node {
	if text, ok := v.Interface().(encoding.TextMarshaler); ok {
		b, err := text.MarshalText()
		if err != nil {
			b = nil // none of ours fails
		}
		return scalar(string(b))
	}
	switch v.Kind() {
	case reflect.Struct:
		if models, ok := v.Interface().(Models); ok {
			return models.node()
		}
		return encodeStruct(v)
	case reflect.Map:
		out := &yaml.Node{Kind: yaml.MappingNode}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			out.Content = append(out.Content, scalar(key.String()), encode(v.MapIndex(key)))
		}
		return out
	case reflect.Slice:
		out := &yaml.Node{Kind: yaml.SequenceNode}
		if v.Type().Elem().Kind() != reflect.Struct {
			out.Style = yaml.FlowStyle
		}
		for i := range v.Len() {
			out.Content = append(out.Content, encode(v.Index(i)))
		}
		return out
	case reflect.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(v.Bool())}
	}
	return scalar(v.String())
}

// node is the list of models as it was written.
func (m *Models) node() *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(m.text), &doc); err != nil || len(doc.Content) == 0 {
		return scalar("") // it was read before
	}
	return doc.Content[0].Content[1]
}

// encodeStruct leaves out what says nothing, but for severities and switches,
// which always say something.
func encodeStruct(v reflect.Value) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for i := range v.NumField() {
		f := v.Field(i)
		quiet := f.IsZero() || (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.Len() == 0
		if quiet && f.Kind() != reflect.Int && f.Kind() != reflect.Bool {
			continue
		}
		out.Content = append(out.Content, scalar(v.Type().Field(i).Tag.Get("yaml")), encode(f))
	}
	return out
}

func scalar(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}
