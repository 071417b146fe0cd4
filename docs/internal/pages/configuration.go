package pages

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

// KeyTable lists the keys of .resilint.yml.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| key | meaning | values |\n|---|---|---|\n")
	writeKeys(&b, "", reflect.TypeFor[config.Config]())
	return b.String()
}

func writeKeys(b *strings.Builder, path string, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		key := path + f.Tag.Get("yaml")
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", key, f.Tag.Get("doc"), values(f.Type))
		switch {
		case f.Type == reflect.TypeFor[config.Models]():
		case f.Type.Kind() == reflect.Struct:
			writeKeys(b, key+".", f.Type)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			writeKeys(b, key+"[].", f.Type.Elem())
		case f.Type == reflect.TypeFor[config.Severities]():
		case f.Type.Kind() == reflect.Map:
			writeKeys(b, key+".NAME.", f.Type.Elem())
		}
	}
}

// values says what a key can hold.
func values(t reflect.Type) string {
	switch {
	case words(t) != nil:
		return strings.Join(words(t), ", ")
	case t == reflect.TypeFor[config.Severities]():
		return "of each rule note, warning or error"
	case t.Kind() == reflect.Slice, t == reflect.TypeFor[config.Models]():
		return "a list"
	case t.Kind() == reflect.Bool:
		return "true, false"
	case t == reflect.TypeFor[config.Duration]():
		return "a duration"
	case t.Kind() == reflect.String:
		return "a text"
	}
	return ""
}

// words are the values of a type that has few.
func words(t reflect.Type) []string {
	if t == reflect.TypeFor[finding.Severity]() {
		return []string{finding.Note.String(), finding.Warning.String(), finding.Error.String()}
	}
	if w, ok := reflect.Zero(t).Interface().(interface{ Words() []string }); ok {
		return w.Words()
	}
	return nil
}

// A schema is a JSON schema.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Required    []string           `json:"required,omitempty"`
}

// configurationSchema is for editors that complete and check .resilint.yml.
func configurationSchema() (string, error) {
	s := schemaOf(reflect.TypeFor[config.Config]())
	s.Schema = "http://json-schema.org/draft-07/schema#"
	s.ID = "https://raw.githubusercontent.com/resilint/resilint/main/docs/resilint.schema.json"
	s.Title = "resilint configuration"
	text, err := json.MarshalIndent(s, "", "  ")
	return string(text) + "\n", err
}

func schemaOf(t reflect.Type) *schema {
	switch {
	case words(t) != nil:
		return &schema{Type: "string", Enum: words(t)}
	case t == reflect.TypeFor[config.Rule]():
		var names []string
		for _, r := range rules.All() {
			names = append(names, r.ID, strings.TrimPrefix(r.ID, "R-RES-"), r.Short(), r.Alias)
		}
		slices.Sort(names)
		return &schema{Type: "string", Enum: slices.Compact(names)}
	case t == reflect.TypeFor[config.Models]():
		return &schema{Type: "array", Items: &schema{Type: "object", Required: []string{"id", "name", "source", "packages"}}}
	case t.Kind() == reflect.Bool:
		return &schema{Type: "boolean"}
	case t.Kind() == reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem())}
	case t.Kind() == reflect.Map:
		return &schema{Type: "object", Additional: schemaOf(t.Elem())}
	case t.Kind() == reflect.Struct:
		s := &schema{Type: "object", Properties: map[string]*schema{}, Additional: false}
		for i := range t.NumField() {
			f := t.Field(i)
			p := schemaOf(f.Type)
			p.Description = f.Tag.Get("doc")
			s.Properties[f.Tag.Get("yaml")] = p
		}
		if t == reflect.TypeFor[config.System]() {
			s.Required = []string{"match"}
		}
		return s
	}
	return &schema{Type: "string"}
}
