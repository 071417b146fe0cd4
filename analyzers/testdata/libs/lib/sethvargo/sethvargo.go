// Package sethvargo has the ways to write a policy of sethvargo/go-retry, whose
// wrappers take the policy last.
package sethvargo

import (
	"context"
	"time"

	"github.com/sethvargo/go-retry"
)

func attempt(context.Context) error { return retry.RetryableError(ping()) }

func wrappersInPlace(ctx context.Context) error {
	return retry.Do(ctx, retry.WithMaxRetries(2, retry.WithJitterPercent(30, retry.NewExponential(500*time.Millisecond))), attempt) // site "attempts=3 backoff=exponential+jitter sleep=1.95s"
}

func wrappersOneByOne(ctx context.Context) error {
	b := retry.NewExponential(500 * time.Millisecond)
	b = retry.WithMaxRetries(2, b)
	b = retry.WithJitter(100*time.Millisecond, b)
	return retry.Do(ctx, b, attempt) // site "attempts=3 backoff=exponential+jitter sleep=1.7s"
}

func cappedDuration(ctx context.Context) error {
	b := retry.WithMaxRetries(4, retry.WithCappedDuration(time.Second, retry.WithFullJitter(retry.NewExponential(500*time.Millisecond))))
	return retry.Do(ctx, b, attempt) // site "attempts=5 backoff=exponential+jitter sleep=3.5s"
}

func withoutJitter(ctx context.Context) error {
	return retry.Do(ctx, retry.WithMaxRetries(2, retry.NewExponential(500*time.Millisecond)), attempt) // want "RE-2: exponential without jitter .500ms, 1s.: clients that failed together come back together" // site "attempts=3 backoff=exponential sleep=1.5s"
}

func fibonacci(ctx context.Context) error {
	return retry.Do(ctx, retry.WithMaxRetries(3, retry.WithJitterPercent(10, retry.NewFibonacci(time.Second))), attempt) // site "attempts=4 backoff=exponential+jitter sleep=6.6s"
}

func constant(ctx context.Context) error {
	return retry.Do(ctx, retry.WithMaxRetries(2, retry.NewConstant(time.Second)), attempt) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func maxDuration(ctx context.Context) error {
	b := retry.WithMaxDuration(5*time.Second, retry.WithJitterPercent(10, retry.NewExponential(time.Second)))
	return retry.Do(ctx, b, attempt) // site "attempts=4 backoff=exponential+jitter sleep=5s"
}

func constantInOneCall(ctx context.Context) error {
	return retry.Constant(ctx, time.Second, attempt) // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 1s apart" // site "attempts=unbounded backoff=constant"
}

func exponentialInOneCall(ctx context.Context) error {
	return retry.Exponential(ctx, time.Second, attempt) // want "RE-3: retried without a limit" "RE-2: exponential without jitter .1s, 2s, 4s, 8s, ..." // site "attempts=unbounded backoff=exponential"
}

func fibonacciInOneCall(ctx context.Context) error {
	return retry.Fibonacci(ctx, time.Second, attempt) // want "RE-3: retried without a limit" "RE-2: exponential without jitter .1s, 2s, 3s, 5s, ..." // site "attempts=unbounded backoff=exponential"
}

func withValue(ctx context.Context) (int, error) {
	b := retry.WithMaxRetries(1, retry.NewConstant(time.Millisecond))
	return retry.DoValue(ctx, b, func(ctx context.Context) (int, error) { return 1, attempt(ctx) }) // want "X3: 2 attempts a constant 1ms apart" // site "attempts=2"
}

// A backoff written as a function is code; nothing of it is known but what the
// wrapper says.
func backoffFunc(ctx context.Context) error {
	b := retry.BackoffFunc(func() (time.Duration, bool) { return time.Second, false })
	return retry.Do(ctx, retry.WithMaxRetries(2, b), attempt) // site "attempts=3 backoff=unknown sleep=unknown"
}
