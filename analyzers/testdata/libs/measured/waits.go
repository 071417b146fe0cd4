package measured

import (
	"context"
	"time"

	rican7 "github.com/Rican7/retry"
	rican7backoff "github.com/Rican7/retry/backoff"
	"github.com/Rican7/retry/strategy"
	avast4 "github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	cenkalti4 "github.com/cenkalti/backoff/v4"
	cenkalti5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
	lestrrat "github.com/lestrrat-go/backoff/v2"
	sethvargo "github.com/sethvargo/go-retry"
)

// The waits of these policies have no jitter, so their sum is exact: the test of
// this package adds up what the libraries say.

func cenkalti4policy() *cenkalti4.ExponentialBackOff {
	return cenkalti4.NewExponentialBackOff(
		cenkalti4.WithRandomizationFactor(0),
		cenkalti4.WithMultiplier(3),
		cenkalti4.WithMaxInterval(2*time.Second),
	)
}

func cenkalti4waits(op operation) error {
	return cenkalti4.Retry(cenkalti4.Operation(op), cenkalti4.WithMaxRetries(cenkalti4policy(), 4)) // site "attempts=5 sleep=6s" // want "RE-2: exponential without jitter .500ms, 1.5s, 2s, 2s."
}

func cenkalti4elapsed(op operation) error {
	b := cenkalti4policy()
	b.MaxElapsedTime = 7 * time.Second
	return cenkalti4.Retry(cenkalti4.Operation(op), b) // site "attempts=5 sleep=6s" // want "RE-2: "
}

func cenkalti5policy() *cenkalti5.ExponentialBackOff {
	return &cenkalti5.ExponentialBackOff{InitialInterval: 100 * time.Millisecond, Multiplier: 4, MaxInterval: time.Second}
}

func cenkalti5waits(ctx context.Context, op operation) error {
	_, err := cenkalti5.Retry(ctx, cenkalti5value(op), cenkalti5.WithBackOff(cenkalti5policy()), cenkalti5.WithMaxTries(5)) // site "attempts=5 sleep=2.5s" // want "RE-2: exponential without jitter .100ms, 400ms, 1s, 1s."
	return err
}

func sethvargoExponential() sethvargo.Backoff {
	return sethvargo.WithMaxRetries(4, sethvargo.WithCappedDuration(time.Second, sethvargo.NewExponential(200*time.Millisecond)))
}

func sethvargoExponentialWaits(ctx context.Context, op operation) error {
	return sethvargo.Do(ctx, sethvargoExponential(), sethvargoof(op)) // site "attempts=5 sleep=2.4s" // want "RE-2: exponential without jitter .200ms, 400ms, 800ms, 1s."
}

func sethvargoFibonacci() sethvargo.Backoff {
	return sethvargo.WithMaxRetries(4, sethvargo.NewFibonacci(100*time.Millisecond))
}

func sethvargoFibonacciWaits(ctx context.Context, op operation) error {
	return sethvargo.Do(ctx, sethvargoFibonacci(), sethvargoof(op)) // site "attempts=5 sleep=1.1s" // want "RE-2: exponential without jitter .100ms, 200ms, 300ms, 500ms."
}

func eapacheWaits(op operation) error {
	return retrier.New(retrier.LimitedExponentialBackoff(4, 100*time.Millisecond, 500*time.Millisecond), nil).Run(op) // site "attempts=5 sleep=1.2s" // want "RE-2: exponential without jitter .100ms, 200ms, 400ms, 500ms."
}

func rican7BinaryExponentialWaits(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(4), strategy.Backoff(rican7backoff.BinaryExponential(100*time.Millisecond))) // site "attempts=4 sleep=1.4s" // want "RE-2: "
}

func rican7ExponentialWaits(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(4), strategy.Backoff(rican7backoff.Exponential(100*time.Millisecond, 3))) // site "attempts=4 sleep=3.9s" // want "RE-2: exponential without jitter .300ms, 900ms, 2.7s."
}

func rican7IncrementalWaits(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(4), strategy.Backoff(rican7backoff.Incremental(100*time.Millisecond, 50*time.Millisecond))) // site "attempts=4 sleep=600ms" // want "X3: pauses grow linearly"
}

func rican7FibonacciWaits(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(5), strategy.Backoff(rican7backoff.Fibonacci(100*time.Millisecond))) // site "attempts=5 sleep=700ms" // want "RE-2: exponential without jitter .100ms, 100ms, 200ms, 300ms."
}

func rokoExponentialWaits(op operation) error {
	return roko.NewRetrier(roko.WithMaxAttempts(4), roko.WithStrategy(roko.Exponential(2*time.Second, 100*time.Millisecond))).Do(rokoof(op)) // site "attempts=4 sleep=7.3s" // want "RE-2: "
}

func rokoSubsecondWaits(op operation) error {
	return roko.NewRetrier(roko.WithMaxAttempts(4), roko.WithStrategy(roko.ExponentialSubsecond(100*time.Millisecond))).Do(rokoof(op)) // site "attempts=4 sleep=410ms" // want "RE-2: exponential without jitter .100ms, 133ms, 177ms."
}

func avast4waits(op operation) error {
	return avast4.Do(avast4.RetryableFunc(op), avast4.Attempts(5), avast4.MaxDelay(300*time.Millisecond), avast4.DelayType(avast4.BackOffDelay)) // site "attempts=5 sleep=900ms" // want "RE-2: exponential without jitter .100ms, 200ms, 300ms, 300ms."
}

func lestrratWaits(ctx context.Context, op operation) error {
	c := lestrrat.Exponential(lestrrat.WithMaxRetries(4), lestrrat.WithMinInterval(100*time.Millisecond), lestrrat.WithMultiplier(3), lestrrat.WithMaxInterval(time.Second)).Start(ctx) // site "attempts=5 sleep=2.3s" // want "RE-2: exponential without jitter .100ms, 300ms, 900ms, 1s."
	for lestrrat.Continue(c) {
		if op() == nil {
			return nil
		}
	}
	return ctx.Err()
}
