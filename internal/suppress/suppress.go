// Package suppress reads the comments with which users silence findings:
//
//	//resilint:ignore RULE[,RULE] [until=2027-03-01] reason
//
// A comment covers the statement it trails or the one below it. The reason is
// required, and a comment that silences nothing is reported. After the day that it
// names it silences nothing, and the findings are reported again.
package suppress

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"time"

	"github.com/resilint/resilint/internal/directive"
	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/rules"
)

const (
	word   = "ignore"
	prefix = directive.Prefix + word
)

// A Comment is one suppression.
type Comment struct {
	Rules  []string // full ids
	Reason string
	Until  string // the last day, 2027-03-01; "" for ever
	Pos    token.Pos
	file   string
	from   int // lines covered, both included
	to     int
	used   map[string]bool
}

// Read lists the suppressions in the files and what is wrong with them.
func Read(fset *token.FileSet, files []*ast.File) ([]*Comment, []directive.Problem) {
	var out []*Comment
	var problems []directive.Problem
	for _, f := range files {
		for c := range directive.In(f, word) {
			_, text, _ := directive.Parse(c)
			s, err := parse(text)
			if err != nil {
				problems = append(problems, directive.Problem{Pos: c.Pos(), Message: err.Error(), Broken: true})
				continue
			}
			s.Pos = c.Pos()
			s.cover(fset, f, c)
			out = append(out, s)
		}
	}
	return out, problems
}

func parse(text string) (*Comment, error) {
	names, reason, _ := strings.Cut(text, " ")
	if names == "" {
		return nil, fmt.Errorf("%s needs a rule and a reason, as in %s RE-3 the vendor asks for 8 attempts", prefix, prefix)
	}
	s := &Comment{Reason: strings.TrimSpace(reason), used: map[string]bool{}}
	for name := range strings.SplitSeq(names, ",") {
		r, err := rules.Find(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", prefix, err)
		}
		s.Rules = append(s.Rules, r.ID)
	}
	if day, rest, _ := strings.Cut(s.Reason, " "); strings.HasPrefix(day, "until=") {
		s.Until, s.Reason = strings.TrimPrefix(day, "until="), strings.TrimSpace(rest)
		if _, err := time.Parse(time.DateOnly, s.Until); err != nil {
			return nil, fmt.Errorf("%s %s: %q is no day: until=2027-03-01 is", prefix, names, day)
		}
	}
	if s.Reason == "" {
		return nil, fmt.Errorf("%s %s gives no reason: without one nothing is silenced", prefix, names)
	}
	return s, nil
}

// cover finds the lines of the statement or declaration that the comment
// trails, or that starts on the line below it.
func (s *Comment) cover(fset *token.FileSet, f *ast.File, c *ast.Comment) {
	at := fset.Position(c.Pos())
	s.file, s.from, s.to = at.Filename, at.Line, at.Line+1
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Stmt, ast.Spec, *ast.GenDecl, *ast.KeyValueExpr:
		default:
			return true
		}
		if _, block := n.(*ast.BlockStmt); block {
			return true
		}
		start, end := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
		if start == at.Line+1 || start <= at.Line && end == at.Line && n.End() < c.Pos() {
			s.from, s.to = min(s.from, start), max(s.to, end)
		}
		return true
	})
}

// Apply marks the findings that a comment silences, and returns the comments,
// or rules of one, that silenced none. Rules that are switched off are not held
// against a comment. A finding that a comment silenced until before today says so.
func Apply(findings []finding.Finding, comments []*Comment, today time.Time, enabled func(rule string) bool) []directive.Problem {
	for i := range findings {
		f := &findings[i]
		for _, c := range comments {
			if c.file != f.Pos.File || f.Pos.Line < c.from || f.Pos.Line > c.to {
				continue
			}
			for _, rule := range c.Rules {
				if rule != f.Rule {
					continue
				}
				c.used[rule] = true
				if c.Until != "" && today.Format(time.DateOnly) > c.Until {
					f.Message += " (it was ignored until " + c.Until + ")"
					continue
				}
				f.Status, f.Reason = finding.Suppressed, c.Reason
			}
		}
	}
	var problems []directive.Problem
	for _, c := range comments {
		for _, rule := range c.Rules {
			if !c.used[rule] && enabled(rule) {
				problems = append(problems, directive.Problem{Pos: c.Pos, Message: fmt.Sprintf("%s %s silences nothing here: remove it", prefix, short(rule))})
			}
		}
	}
	return problems
}

func short(id string) string {
	r, err := rules.Find(id)
	if err != nil {
		return id
	}
	return r.Short()
}
