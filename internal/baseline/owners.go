package baseline

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Owners say who owns which file, as a CODEOWNERS file has it. The zero value
// knows nobody.
type Owners struct{ lines []ownersLine }

type ownersLine struct {
	files  *regexp.Regexp
	owners string
}

// places are where GitHub and GitLab look for the file, the first one counts.
var places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// ReadOwners reads the CODEOWNERS file of the repository at root. Without one
// nobody owns anything.
func ReadOwners(root string) Owners {
	for _, place := range places {
		if data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(place))); err == nil {
			return parseOwners(string(data))
		}
	}
	return Owners{}
}

func parseOwners(text string) Owners {
	var out Owners
	section := "" // the owners of a GitLab section, for lines that name none
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		if line == "" || line[0] == '#' {
			continue
		}
		if name := strings.TrimPrefix(line, "^"); strings.HasPrefix(name, "[") {
			if _, owners, ok := strings.Cut(name, "]"); ok {
				if strings.HasPrefix(owners, "[") { // the number of approvals
					_, owners, _ = strings.Cut(owners, "]")
				}
				section = strings.Join(strings.Fields(owners), " ")
				continue
			}
		}
		fields := strings.Fields(strings.ReplaceAll(line, `\ `, "\x00"))
		owners := strings.Join(fields[1:], " ")
		if owners == "" {
			owners = section
		}
		out.lines = append(out.lines, ownersLine{filesOf(strings.ReplaceAll(fields[0], "\x00", " ")), owners})
	}
	return out
}

// filesOf is a pattern of CODEOWNERS as an expression: one with a slash that is
// not its last character starts at the root, one that names a directory means all
// below it, but for "dir/*", which means its files alone.
func filesOf(pattern string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	dir := strings.HasSuffix(pattern, "/")
	trimmed := strings.TrimSuffix(pattern, "/")
	if !strings.Contains(trimmed, "/") {
		b.WriteString("(?:.*/)?")
	}
	rest := strings.TrimPrefix(trimmed, "/")
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString("[^/]")
			rest = rest[1:]
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			rest = rest[1:]
		}
	}
	switch {
	case dir:
		b.WriteString("/.*")
	case !strings.HasSuffix(trimmed, "/*"):
		b.WriteString("(?:/.*)?")
	}
	return regexp.MustCompile(b.String() + "$")
}

// Of are the owners of a file, named from the root of the repository: those of
// the last line that matches it, "" for nobody.
func (o Owners) Of(file string) string {
	for i := len(o.lines) - 1; i >= 0; i-- {
		if o.lines[i].files.MatchString(file) {
			return o.lines[i].owners
		}
	}
	return ""
}
