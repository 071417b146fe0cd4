// Package circuitbreaker has the signatures of
// github.com/mercari/go-circuitbreaker.
package circuitbreaker

import (
	"context"
	"errors"
)

var ErrOpen = errors.New("circuit breaker open")

type CircuitBreaker struct{ _ int }

type BreakerOption interface{ apply() }

type Operation func() (interface{}, error)

func New(opts ...BreakerOption) *CircuitBreaker { panic("a stub") }

func (cb *CircuitBreaker) Do(ctx context.Context, o Operation) (interface{}, error) { panic("a stub") }
