// Package eapache has the ways to write a policy of go-resiliency's retrier: a
// list of waits, one per retry.
package eapache

import (
	"context"
	"time"

	"github.com/eapache/go-resiliency/retrier"
)

func constantBackoff() error {
	return retrier.New(retrier.ConstantBackoff(3, 100*time.Millisecond), nil).Run(ping) // want "X3: 4 attempts a constant 100ms apart" // site "attempts=4 backoff=constant sleep=300ms predicate=catch-all"
}

func exponentialBackoff(ctx context.Context) error {
	r := retrier.New(retrier.ExponentialBackoff(3, 100*time.Millisecond), nil) // want "RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "attempts=4 backoff=exponential sleep=700ms"
	return r.RunCtx(ctx, func(context.Context) error { return ping() })
}

func limitedExponentialBackoff() error {
	r := retrier.New(retrier.LimitedExponentialBackoff(4, 100*time.Millisecond, 300*time.Millisecond), retrier.DefaultClassifier{}) // site "attempts=5 backoff=exponential+jitter sleep=1.35s predicate=catch-all"
	r.SetJitter(0.5)
	return r.Run(ping)
}

func listOfWaits() error {
	r := retrier.New([]time.Duration{100 * time.Millisecond, 200 * time.Millisecond, time.Second}, nil) // want "RE-2: exponential without jitter .100ms, 200ms, 1s." // site "attempts=4 backoff=exponential sleep=1.3s"
	return r.Run(ping)
}

func jitterSwitchedOff() error {
	r := retrier.New(retrier.ExponentialBackoff(2, 100*time.Millisecond), nil) // want "RE-2: exponential without jitter .100ms, 200ms." // site "attempts=3 backoff=exponential"
	r.SetJitter(0)
	return r.Run(ping)
}

func classifierOfOurOwn() error {
	r := retrier.New(retrier.ExponentialBackoff(2, 100*time.Millisecond), retrier.WhitelistClassifier{context.DeadlineExceeded}) // site "attempts=3 backoff=exponential+jitter predicate=unknown"
	r.SetJitter(0.2)
	return r.Run(ping)
}

func infinite() error {
	r := retrier.New(retrier.ConstantBackoff(1, time.Second), nil).WithInfiniteRetry() // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 1s apart" // site "attempts=unbounded backoff=constant"
	return r.Run(ping)
}

// One immediate second attempt replaces a connection that has gone stale.
func immediateSecondAttempt() error {
	return retrier.New(retrier.ConstantBackoff(1, 0), nil).Run(ping) // site "attempts=2 backoff=none sleep=0s"
}

func immediateSecondAndThirdAttempt() error {
	return retrier.New(retrier.ConstantBackoff(2, 0), nil).Run(ping) // want "X3: 3 attempts without a pause: all are spent within the failure that caused the first" // site "attempts=3 backoff=none"
}

func noWaits() error {
	return retrier.New(nil, nil).Run(ping) // nosite
}
