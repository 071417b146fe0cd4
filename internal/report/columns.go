package report

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/resilint/resilint/internal/finding"
)

// columnsOf counts columns as programs outside Go do. It caches the files that
// it reads.
type columnsOf struct{ files sourceFiles }

// utf16 is the column in units of UTF-16, from 1; the column in bytes where the
// file cannot be read, and 0 where none is known.
func (c columnsOf) utf16(pos finding.Position) int {
	lines := c.files.lines(pos.File)
	if pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > len(lines[pos.Line-1])+1 {
		return pos.Column
	}
	before := lines[pos.Line-1][:pos.Column-1]
	if utf8.RuneCount(before) == len(before) {
		return pos.Column
	}
	return len(utf16.Encode([]rune(string(before)))) + 1
}
