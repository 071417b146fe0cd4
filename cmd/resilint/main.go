// Command resilint finds Go retries that charge a card twice, storm a system
// that is already down, or hide it from its circuit breaker.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/resilint/resilint/analyzers"
	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

func main() {
	cfg := engine.DefaultConfig()
	cfg.MinSeverity = finding.Note
	unitchecker.Main(analyzers.New(cfg))
}
