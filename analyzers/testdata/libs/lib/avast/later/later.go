// Package later changes a default of retry-go at some time.
package later

import (
	"errors"

	"github.com/avast/retry-go"
)

// Attempts sets how often everything is tried.
func Attempts(n uint) { retry.DefaultAttempts = n }

func ping() error { return errors.ErrUnsupported }

func perhapsByDefault() error {
	return retry.Do(ping) // site "attempts=unknown"
}
