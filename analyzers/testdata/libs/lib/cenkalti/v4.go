// Package cenkalti has the ways to write a policy of cenkalti/backoff, whose
// policies up to v4 are objects with fields that wrappers enclose.
package cenkalti

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cenkalti/backoff/v4"
)

func maxRetriesInPlace() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)) // site "attempts=3 backoff=exponential+jitter sleep=1.87s predicate=catch-all mechanism=library"
}

func contextAroundMaxRetries(ctx context.Context) error {
	b := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2), ctx)
	return backoff.Retry(ping, b) // site "attempts=3 sleep=1.87s"
}

func maxRetriesAroundContext(ctx context.Context) error {
	b := backoff.WithMaxRetries(backoff.WithContext(backoff.NewExponentialBackOff(), ctx), 2)
	return backoff.Retry(ping, b) // site "attempts=3 sleep=1.87s"
}

func fieldsAfterConstructor() error {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = 100 * time.Millisecond
	b.Multiplier = 2
	b.RandomizationFactor = 0.1
	b.MaxInterval = time.Second
	b.MaxElapsedTime = 0
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 4)) // site "attempts=5 backoff=exponential+jitter sleep=1.65s"
}

func options() error {
	b := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(100*time.Millisecond),
		backoff.WithMultiplier(2),
		backoff.WithRandomizationFactor(0),
		backoff.WithMaxElapsedTime(time.Second),
	)
	return backoff.Retry(ping, b) // want "RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "attempts=4 backoff=exponential sleep=700ms"
}

func withoutElapsedLimit() error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.Retry(ping, b) // want "RE-3: retried without a limit on attempts or time: a system that stays down is called for as long as this process lives" // site "attempts=unbounded sleep=unbounded"
}

func constant() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 3)) // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s"
}

func constantWithoutLimit() error {
	return backoff.Retry(ping, backoff.NewConstantBackOff(time.Second)) // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 1s apart" // site "attempts=unbounded backoff=constant sleep=unbounded"
}

func constantInLiteral() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(&backoff.ConstantBackOff{Interval: time.Second}, 2)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func zeroBackOff() error {
	return backoff.Retry(ping, &backoff.ZeroBackOff{}) // want "RE-3: retried without a limit" "X3: retried at once and without end: a hot loop against a system that is down" // site "attempts=unbounded backoff=none"
}

func stopBackOff() error {
	return backoff.Retry(ping, &backoff.StopBackOff{}) // nosite
}

func withData() (int, error) {
	return backoff.RetryWithData(func() (int, error) { return 1, ping() }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)) // site "attempts=3"
}

func notified() error {
	return backoff.RetryNotify(ping, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2), func(error, time.Duration) {}) // site "attempts=3"
}

func markedInside() error {
	return backoff.Retry(func() error { // site "attempts=3 predicate=unknown"
		err := ping()
		if errors.Is(err, io.EOF) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

func operationType() error {
	var op backoff.Operation = func() error { return ping() }
	return backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)) // site "attempts=3 predicate=catch-all"
}
