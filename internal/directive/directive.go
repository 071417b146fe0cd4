// Package directive reads the comments by which users speak to resilint:
//
//	//resilint:word text
package directive

import (
	"go/ast"
	"go/token"
	"iter"
	"strings"
)

// Prefix is what a directive begins with; its word follows.
const Prefix = "//resilint:"

// A Problem is a directive that cannot be honoured, or was not needed.
type Problem struct {
	Pos     token.Pos
	Message string
	Broken  bool // it says nothing that can be understood
}

// Parse splits a comment into the word and the text of the directive that it is.
func Parse(c *ast.Comment) (word, text string, ok bool) {
	rest, ok := strings.CutPrefix(c.Text, Prefix)
	if !ok {
		return "", "", false
	}
	word = rest
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		word, text = rest[:i], strings.TrimSpace(rest[i:])
	}
	return word, text, true
}

// In lists the directives of a file with one of the words.
func In(f *ast.File, words ...string) iter.Seq[*ast.Comment] {
	return func(yield func(*ast.Comment) bool) {
		for _, group := range f.Comments {
			for _, c := range group.List {
				word, _, ok := Parse(c)
				for _, w := range words {
					if ok && w == word && !yield(c) {
						return
					}
				}
			}
		}
	}
}
