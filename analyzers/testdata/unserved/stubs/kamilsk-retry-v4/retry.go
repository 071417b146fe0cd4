// Package retry has the signatures of github.com/kamilsk/retry/v4.
package retry

import "context"

type Breaker interface {
	Done() <-chan struct{}
}

func Try(breaker Breaker, action func(attempt uint) error, strategies ...func(attempt uint, err error) bool) error {
	panic("a stub")
}

func TryContext(ctx context.Context, action func(ctx context.Context, attempt uint) error, strategies ...func(attempt uint, err error) bool) error {
	panic("a stub")
}
