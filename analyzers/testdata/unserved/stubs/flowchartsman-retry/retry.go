// Package retry has the signatures of github.com/flowchartsman/retry.
package retry

import (
	"context"
	"time"
)

type Retrier struct{ _ int }

func NewRetrier(maxTries int, initialDelay, maxDelay time.Duration) *Retrier { panic("a stub") }

func (r *Retrier) Run(funcToRetry func() error) error { panic("a stub") }

func (r *Retrier) RunContext(ctx context.Context, funcToRetry func(context.Context) error) error {
	panic("a stub")
}

func Stop(err error) error { panic("a stub") }
