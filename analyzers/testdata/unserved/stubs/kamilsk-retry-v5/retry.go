// Package retry has the signatures of github.com/kamilsk/retry/v5.
package retry

import "context"

type Breaker = interface {
	Done() <-chan struct{}
	Err() error
}

type How = []func(Breaker, uint, error) bool

func Do(breaker Breaker, action func(context.Context) error, strategies ...func(Breaker, uint, error) bool) error {
	panic("a stub")
}
