// Package other is a module of its own, whose code nobody who uses it can edit.
package other

import (
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

// Do retries op with a policy that it fixes.
func Do(op func() error) error {
	return retry.Do(op, retry.Attempts(8), retry.Delay(time.Millisecond))
}

// Times retries op as often as the caller says.
func Times(n uint, op func() error) error {
	return retry.Do(op, retry.Attempts(n), retry.Delay(time.Millisecond))
}

// Patient makes a policy of too many attempts.
func Patient() backoff.BackOff {
	return backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 9)
}
