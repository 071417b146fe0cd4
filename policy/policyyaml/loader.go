package policyyaml

import (
	"fmt"
	"iter"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// loader collects the mistakes of a file.
type loader struct {
	file     string
	mistakes []error
}

func (l *loader) mistake(at *yaml.Node, format string, args ...any) {
	l.mistakes = append(l.mistakes, fmt.Errorf("%s:%d: %s", l.file, at.Line, fmt.Sprintf(format, args...)))
}

// entries yields the keys and values of a mapping, each key once.
func (l *loader) entries(node *yaml.Node, what string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		node = resolve(node)
		if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
			return // "sber:" alone is a block at the defaults
		}
		if node.Kind != yaml.MappingNode {
			l.mistake(node, "%s is not a mapping", what)
			return
		}
		seen := map[string]*yaml.Node{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			if key.Kind != yaml.ScalarNode {
				l.mistake(key, "a key of %s is not a name", what)
				continue
			}
			if first := seen[key.Value]; first != nil {
				l.mistake(key, "%q is twice in %s, first in line %d", key.Value, what, first.Line)
				continue
			}
			seen[key.Value] = key
			if !yield(key, value) {
				return
			}
		}
	}
}

func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// fill sets the fields that a mapping names, and notes where each stands.
func (l *loader) fill(block *yaml.Node, what string, known []field, where map[string]*yaml.Node) {
	for key, value := range l.entries(block, what) {
		f, ok := find(known, key.Value)
		if !ok {
			l.mistake(key, "%s has no key %q%s", what, key.Value, proposal(known, key.Value))
			continue
		}
		where[f.name] = key
		if inner, ok := f.to.([]field); ok {
			l.fill(value, f.key+" of "+what, inner, where)
		} else if problem := set(f.to, resolve(value)); problem != "" {
			l.mistake(value, "%s of %s: %s", f.key, what, problem)
		}
	}
}

func find(known []field, key string) (field, bool) {
	for _, f := range known {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

// set stores a scalar, or says why it can't. Zero is refused where it would
// silently become the default.
func set(to any, value *yaml.Node) (problem string) {
	if value.Kind != yaml.ScalarNode {
		return "is not a single value"
	}
	switch to := to.(type) {
	case *string:
		*to = value.Value
		return ""
	case *bool:
		if value.Decode(to) != nil {
			return fmt.Sprintf("%q is neither true nor false", value.Value)
		}
		return ""
	case *time.Duration:
		d, err := time.ParseDuration(value.Value)
		if err != nil {
			return fmt.Sprintf("%q is not a duration such as 500ms or 5s", value.Value)
		}
		*to = d
		return zeroProblem(d == 0)
	case *int:
		n, err := strconv.Atoi(value.Value)
		if err != nil {
			return fmt.Sprintf("%q is not a whole number", value.Value)
		}
		*to = n
		return zeroProblem(n == 0)
	case *float64:
		x, err := strconv.ParseFloat(value.Value, 64)
		if err != nil {
			return fmt.Sprintf("%q is not a number", value.Value)
		}
		*to = x
		return zeroProblem(x == 0)
	}
	panic(fmt.Sprintf("policyyaml: no way to set a %T", to))
}

func zeroProblem(zero bool) string {
	if zero {
		return "zero stands for the default; leave the key out"
	}
	return ""
}
