package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/resilint/resilint/internal/finding"
)

const indent = "    "

// writeText is for people. Editors and CI systems know the first line's form,
// the one of compilers; what follows is indented, so that they skip it.
func writeText(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	paint := painter(r.Color)
	files := sourceFiles{}
	for _, f := range finding.Merge(r.Findings, r.Floor) {
		fmt.Fprintf(out, "%s %s %s %s\n",
			paint(bold, r.place(f.Pos)+":"),
			paint(colors[f.Severity], f.Severity.String()+":"),
			f.Message, paint(faint, "["+f.Rule+" "+f.Alias+"]"))
		if f.Hint != "" {
			fmt.Fprintf(out, "%s%s\n", indent, f.Hint)
		}
		if line, caret, ok := files.excerpt(f.Pos); ok {
			fmt.Fprintf(out, "%s%s\n%s%s\n", indent, line, indent, paint(colors[f.Severity], caret))
		}
		for _, rel := range f.Related {
			fmt.Fprintf(out, "%s%s:%d: %s\n", indent, r.rel(rel.Pos.File), rel.Pos.Line, rel.Message)
		}
	}
	fmt.Fprintln(out, r.Summary())
	return out.Flush()
}

// place is file:line:column; generated code may not know its column.
func (r *Report) place(p finding.Position) string {
	s := fmt.Sprintf("%s:%d", r.rel(p.File), p.Line)
	if p.Column > 0 {
		s += fmt.Sprintf(":%d", p.Column)
	}
	return s
}

// Escape sequences of terminals.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

var colors = map[finding.Severity]string{finding.Error: red, finding.Warning: yellow, finding.Note: cyan}

func painter(color bool) func(style, s string) string {
	return func(style, s string) string {
		if !color {
			return s
		}
		return style + s + plain
	}
}

// sourceFiles caches the lines of files that findings lie in.
type sourceFiles map[string][][]byte

// lines are those of a file, none when it cannot be read.
func (files sourceFiles) lines(file string) [][]byte {
	lines, seen := files[file]
	if !seen {
		if text, err := os.ReadFile(file); err == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		files[file] = lines
	}
	return lines
}

// excerpt is a line of source without its indentation, and a line with a caret
// below the column. Columns count bytes; tabs stay tabs in both lines, so that
// they align whatever a tab's width.
func (files sourceFiles) excerpt(pos finding.Position) (line, caret string, ok bool) {
	lines := files.lines(pos.File)
	if pos.Line < 1 || pos.Line > len(lines) {
		return "", "", false
	}
	full := strings.TrimRightFunc(string(lines[pos.Line-1]), unicode.IsSpace)
	if full == "" || !utf8.ValidString(full) {
		return "", "", false
	}
	line = strings.TrimLeft(full, " \t")
	at := pos.Column - 1 - (len(full) - len(line))
	if at < 0 || at > len(line) {
		return line, "^", true
	}
	blank := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, line[:at])
	return line, blank + "^", true
}
