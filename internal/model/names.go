package model

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
)

// namesFile is the file of the catalogue that holds the names.
const namesFile = "models/terms/names.yaml"

// none is what a catalogue without names knows.
var none = &Names{}

// Names are the words by which calls are understood whose code is not seen.
func (c *Catalogue) Names() *Names {
	if c.names == nil {
		c.names = none
		if _, err := fs.Stat(c.set.fsys, namesFile); err != nil {
			return c.names
		}
		f, err := c.set.family(namesFile)
		if err != nil {
			c.err = err
		} else if f.Names != nil {
			c.names = f.Names
		}
	}
	return c.names
}

// IsKey reports whether a field or parameter of the name holds an idempotency
// key.
func (n *Names) IsKey(name string) bool { return slices.Contains(n.Keys, plain(name)) }

// IsIdentity reports whether a field of the name may tell a request from its repeat.
func (n *Names) IsIdentity(name string) bool { return slices.Contains(n.Identities, plain(name)) }

// An Act is what the name of a function says that it does.
type Act string

const (
	Writes  Act = ""
	Makes   Act = "makes" // something more each time
	Reads   Act = "reads"
	Repeats Act = "repeatable" // a repeat of it changes nothing more
)

// Act is what a function of the name does to the other side.
func (n *Names) Act(function string) Act {
	words := splitWords(function)
	for len(words) > 1 && slices.Contains(n.Leading, words[0]) {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
	case slices.Contains(n.Reads, words[0]):
		return Reads
	case slices.Contains(n.Repeatable, words[0]):
		return Repeats
	case slices.Contains(n.Makes, words[0]):
		return Makes
	}
	return Writes
}

// plain is a name without case and underscores.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// splitWords are the words of a Go name, in lower case.
func splitWords(name string) []string {
	var out []string
	start := 0
	runes := []rune(name)
	add := func(end int) {
		if w := plain(string(runes[start:end])); w != "" {
			out = append(out, w)
		}
		start = end
	}
	for i := 1; i < len(runes); i++ {
		upper, after := unicode.IsUpper(runes[i]), i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if upper && (!unicode.IsUpper(runes[i-1]) || after) || runes[i] == '_' {
			add(i)
		}
	}
	add(len(runes))
	return out
}

func (n *Names) check() error {
	if n.Source == "" {
		return errors.New("names: no source")
	}
	for _, list := range [][]string{n.Keys, n.Identities, n.Reads, n.Makes, n.Repeatable, n.Leading} {
		seen := map[string]bool{}
		for _, w := range list {
			if w == "" || plain(w) != w {
				return fmt.Errorf("names: %q is not written in lower case, without underscores", w)
			}
			if seen[w] {
				return fmt.Errorf("names: %q occurs twice", w)
			}
			seen[w] = true
		}
	}
	return nil
}
