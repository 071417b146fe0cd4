package pass

import (
	"bytes"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Knowledge is what is known of packages by their import path alone. It chooses
// the dependencies that are read from source, for both drivers alike: what a
// dependency is told by cannot be who imports it, since go vet does not say.
type Knowledge struct {
	// Modelled reports whether the API of a package is known without looking at
	// its code. Packages that use such an API are worth looking at.
	Modelled func(importPath string) bool
	// Senders names the functions and methods by which requests that change
	// something are sent with a package. Packages that mention one are worth
	// looking at.
	Senders func(importPath string) []string
	// Skips reports whether packages of a module need no look: the catalogue
	// speaks of it, or it is known to send nothing for its caller.
	Skips func(module string) bool
}

// A Choice says whether a dependency is read from source.
type Choice int

const (
	Skip      Choice = iota
	Carrying         // when it mentions functions of its own module that carry facts
	Mentioned        // that, or when it mentions what sends
	Read
)

// Choose is the choice for a package of another module, by its own imports alone.
// What imports nothing that matters may still carry on what others of its module
// tell: the parts of a client are packages around one that sends.
func (k Knowledge) Choose(module string, imports []string) Choice {
	switch {
	case k.Skips != nil && k.Skips(module):
		return Skip
	case slices.ContainsFunc(imports, k.Modelled):
		return Read
	case k.Senders != nil && slices.ContainsFunc(imports, func(path string) bool { return len(k.Senders(path)) > 0 }):
		return Mentioned
	case slices.ContainsFunc(imports, func(path string) bool { return Within(path, module) }):
		return Carrying
	}
	return Skip
}

// Within reports whether the import path is of the module, or of one below it.
func Within(path, module string) bool {
	rest, ok := strings.CutPrefix(path, module)
	return ok && (rest == "" || rest[0] == '/')
}

// MaxSource bounds the source of a dependency, in bytes, beyond which it is not
// read: what checking it costs is then seconds, for code that was generated.
const MaxSource = 512 << 10

// TooLarge reports whether the files come to more than MaxSource.
func TooLarge(files []string) bool {
	var sum int64
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			sum += info.Size()
		}
	}
	return sum > MaxSource
}

// Look takes the look that a choice asks for: are there selectors of the names
// by which the imports send, or of functions of its own module that carry facts?
// Nothing is parsed: most dependencies that import net/http do not send.
func (k Knowledge) Look(choice Choice, files, imports []string, carried map[string]bool) bool {
	if choice == Skip || choice == Read {
		return choice == Read
	}
	senders := map[string]bool{}
	if choice == Mentioned {
		for _, path := range imports {
			for _, name := range k.Senders(path) {
				senders[name] = true
			}
		}
	}
	if len(senders)+len(carried) == 0 {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err != nil || mentions(text, senders, carried)
	})
}

// mentions reports whether the text selects one of the names. What is given a
// function literal, or is called once, sends nothing: sync.Once has a Do, too.
func mentions(text []byte, senders, carried map[string]bool) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '.' {
			continue
		}
		start := i + 1
		for start < len(text) && (text[start] == '\n' || text[start] == '\t') {
			start++ // a chain is broken behind its dots
		}
		end := start
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		name := string(text[start:end])
		if carried[name] || senders[name] && !once(text[:i], text[end:]) {
			return true
		}
		i = end - 1
	}
	return false
}

func once(before, after []byte) bool {
	return bytes.HasPrefix(after, []byte("(func")) ||
		len(before) >= 4 && bytes.EqualFold(before[len(before)-4:], []byte("once"))
}

func isLetter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// A Carrier is a fact that may not be worth reading code for that mentions its
// object.
type Carrier interface {
	analysis.Fact
	Carries() bool
}

// Names adds the names of the objects of pkg that carry facts.
func (s *Facts) Names(pkg *types.Package, names map[string]bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if set := s.packages[pkg]; set != nil {
		for key, fact := range set.objects {
			if c, ok := fact.(Carrier); ok && !c.Carries() {
				continue
			}
			names[key.object.Name()] = true
		}
	}
}
