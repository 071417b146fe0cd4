// Command resilint finds Go retries that charge a card twice, storm a system
// that is already down, or hide it from its circuit breaker.
//
// The same binary is a tool of the go command: go vet -vettool=$(which resilint) ./...
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/resilint/resilint/internal/vettool"
)

// Exit statuses. A check that finds something and loads only in part is partial.
const (
	statusClean    = 0
	statusFindings = 1
	statusUsage    = 2 // or the configuration
	statusPartial  = 3 // a package did not load, or was analysed in part
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if vettool.Asked(args) {
		return asVettool(args, stdout, stderr)
	}
	status, err := dispatch(args, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "resilint: %v\n", err)
		return statusUsage
	}
	return status
}
