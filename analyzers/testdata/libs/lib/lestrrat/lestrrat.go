// Package lestrrat has the ways to write a policy of lestrrat-go/backoff, whose
// caller loops. The site is where the controller of the loop is made.
package lestrrat

import (
	"context"
	"time"

	"github.com/lestrrat-go/backoff/v2"
)

func exponential(ctx context.Context) error {
	policy := backoff.Exponential(backoff.WithMaxRetries(2), backoff.WithMinInterval(500*time.Millisecond), backoff.WithMultiplier(2), backoff.WithJitterFactor(0.1))
	controller := policy.Start(ctx) // site "attempts=3 backoff=exponential+jitter sleep=1.65s"
	for backoff.Continue(controller) {
		if err := ping(); err == nil {
			return nil
		}
	}
	return ctx.Err()
}

func defaults(ctx context.Context) error {
	c := backoff.Exponential().Start(ctx) // want "RE-3: 11 attempts over 56.6s .*defaults, nothing set here.; at most 5" "RE-4: waits up to 56.6s in memory" "RE-2: exponential without jitter" // site "attempts=11 backoff=exponential sleep=56.6s default=true"
	for backoff.Continue(c) {
		if err := ping(); err == nil {
			return nil
		}
	}
	return ctx.Err()
}

func constant(ctx context.Context) error {
	c := backoff.Constant(backoff.WithMaxRetries(3), backoff.WithInterval(time.Second)).Start(ctx) // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s"
	for backoff.Continue(c) {
		if err := ping(); err == nil {
			return nil
		}
	}
	return ctx.Err()
}

func null(ctx context.Context) error {
	c := backoff.Null().Start(ctx) // nosite
	for backoff.Continue(c) {
		if err := ping(); err == nil {
			return nil
		}
	}
	return ctx.Err()
}
