package engine

import (
	"fmt"
	"strings"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
)

// What names a request: "POST /payments", "POST" when no path is known, the
// function that sends it when that is all.
func (s *Site) What(send *retry.Send) string {
	if send.Call.Name != "" {
		return s.local(send.Call)
	}
	if send.Path == "" {
		return send.Method
	}
	return send.Method + " " + send.Path
}

// Times says how often a request may be applied: "up to 3 times".
func (s *Site) Times() string {
	switch a := s.attempts(); {
	case a == nil:
		return "more than once"
	case a.Unbounded:
		return "any number of times"
	case a.Max == 2:
		return "twice"
	default:
		return fmt.Sprintf("up to %d times", a.Max)
	}
}

// Each names the attempts: "each of 3 attempts".
func (s *Site) Each() string {
	if a := s.attempts(); a != nil && !a.Unbounded {
		return fmt.Sprintf("each of %d attempts", a.Max)
	}
	return "each attempt"
}

// Chain is the way from the retry to the send: "Register -> (*Client).do ->
// http.Client.Do".
func (s *Site) Chain(send *retry.Send) string {
	parts := []string{shortName(s.Name)}
	for _, sym := range send.Chain {
		parts = append(parts, s.local(sym))
	}
	return strings.Join(append(parts, send.Symbol.String()), " -> ")
}

// shortName is a function's name without its package.
func shortName(name string) string {
	i := strings.LastIndex(name, ".")
	return name[i+1:]
}

// local names a function as code of the site's package does.
func (s *Site) local(sym model.Symbol) string {
	switch {
	case sym.Pkg != s.Package:
		return sym.String()
	case sym.Recv != "":
		return "(*" + sym.Recv + ")." + sym.Name
	}
	return sym.Name
}
