// Package roko has the ways to write a policy of buildkite/roko, whose
// strategies are calls with two results.
package roko

import (
	"context"
	"time"

	"github.com/buildkite/roko"
)

func attempt(*roko.Retrier) error { return ping() }

func constant(ctx context.Context) error {
	return roko.NewRetrier(roko.WithMaxAttempts(4), roko.WithStrategy(roko.Constant(time.Second))).DoWithContext(ctx, attempt) // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s"
}

func exponentialWithJitter(ctx context.Context) error {
	r := roko.NewRetrier( // site "attempts=3 backoff=exponential+jitter sleep=5s"
		roko.WithMaxAttempts(3),
		roko.WithStrategy(roko.Exponential(2*time.Second, 0)),
		roko.WithJitter(),
	)
	return r.DoWithContext(ctx, attempt)
}

func exponentialWithoutJitter(ctx context.Context) error {
	r := roko.NewRetrier(roko.WithMaxAttempts(4), roko.WithStrategy(roko.Exponential(2*time.Second, 0))) // want "RE-2: exponential without jitter .1s, 2s, 4s." // site "attempts=4 backoff=exponential sleep=7s"
	return r.Do(attempt)
}

func forever(ctx context.Context) error {
	r := roko.NewRetrier(roko.TryForever(), roko.WithStrategy(roko.Constant(time.Second))) // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 1s apart" // site "attempts=unbounded"
	return r.DoWithContext(ctx, attempt)
}

func generic(ctx context.Context) (int, error) {
	r := roko.NewRetrier(roko.WithMaxAttempts(2), roko.WithStrategy(roko.Constant(time.Second)), roko.WithJitterRange(0, time.Second)) // want "X3: 2 attempts up to 2s apart, with jitter but without growth" // site "attempts=2 backoff=constant+jitter sleep=2s"
	return roko.DoFunc(ctx, r, func(r *roko.Retrier) (int, error) { return 1, attempt(r) })
}

func noStrategy(ctx context.Context) error {
	return roko.NewRetrier(roko.WithMaxAttempts(3)).DoWithContext(ctx, attempt) // want "X3: 3 attempts without a pause" // site "attempts=3 backoff=none"
}
