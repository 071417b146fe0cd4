// Package avast has the ways to write a policy of avast/retry-go, whose policy
// is the list of options of one call or, since v5, of a retrier.
package avast

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/avast/retry-go/v4"
)

func optionsInPlace() error {
	return retry.Do(ping, // site "attempts=3 backoff=exponential+jitter sleep=1.7s predicate=catch-all mechanism=library default=false"
		retry.Attempts(3), retry.Delay(500*time.Millisecond))
}

func operationInPlace(ctx context.Context) error {
	return retry.Do( // site "attempts=3 backoff=exponential+jitter sleep=500ms predicate=catch-all"
		func() error { return ping() },
		retry.Context(ctx),
		retry.Attempts(3),
		retry.LastErrorOnly(true),
		retry.OnRetry(func(uint, error) {}),
	)
}

func withData() (int, error) {
	return retry.DoWithData(func() (int, error) { return 1, ping() }, retry.Attempts(4)) // site "attempts=4 sleep=1s"
}

func lastOptionWins() error {
	return retry.Do(ping, retry.Attempts(10), retry.Attempts(2)) // site "attempts=2 sleep=200ms"
}

func capped() error {
	return retry.Do(ping, // site "attempts=5 backoff=exponential+jitter sleep=950ms"
		retry.Attempts(5), retry.MaxDelay(250*time.Millisecond))
}

func largerJitter() error {
	return retry.Do(ping, retry.Attempts(3), retry.MaxJitter(time.Second)) // site "attempts=3 backoff=exponential+jitter sleep=2.3s"
}

func fixed() error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(time.Second), // want "X3: 3 attempts a constant 1s apart: a system that comes back meets everyone at once" // site "attempts=3 backoff=constant sleep=2s"
		retry.DelayType(retry.FixedDelay))
}

func fixedAndRandom() error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(time.Second), // want "X3: 3 attempts up to 1.1s apart, with jitter but without growth$" // site "backoff=constant+jitter"
		retry.DelayType(retry.CombineDelay(retry.FixedDelay, retry.RandomDelay)))
}

func randomAlone() error {
	return retry.Do(ping, retry.Attempts(3), // want "X3: 3 attempts up to 100ms apart" // site "backoff=constant+jitter sleep=200ms"
		retry.DelayType(retry.RandomDelay))
}

func backOffAlone() error {
	return retry.Do(ping, retry.Attempts(3), // want "RE-2: exponential without jitter .100ms, 200ms.: clients that failed together come back together" // site "backoff=exponential sleep=300ms"
		retry.DelayType(retry.BackOffDelay))
}

func bothAsByDefault() error {
	return retry.Do(ping, retry.Attempts(3), // site "backoff=exponential+jitter sleep=500ms"
		retry.DelayType(retry.CombineDelay(retry.BackOffDelay, retry.RandomDelay)))
}

func fullJitter() error {
	return retry.Do(ping, retry.Attempts(4), // site "attempts=4 backoff=exponential+jitter"
		retry.DelayType(retry.FullJitterBackoffDelay))
}

func delayOfOurOwn() error {
	return retry.Do(ping, retry.Attempts(4), // site "attempts=4 backoff=unknown sleep=unknown"
		retry.DelayType(func(n uint, _ error, _ *retry.Config) time.Duration { return time.Duration(n) * time.Second }))
}

func zeroAttempts() error {
	return retry.Do(ping, retry.Attempts(0)) // want "RE-3: retried without a limit on attempts or time" // site "attempts=unbounded sleep=unbounded"
}

func untilSucceeded() error {
	return retry.Do(ping, retry.UntilSucceeded(), retry.MaxDelay(time.Minute)) // want "RE-3: retried without a limit on attempts or time" // site "attempts=unbounded"
}

func everyErrorByPredicate() error {
	return retry.Do(ping, retry.Attempts(3), retry.RetryIf(func(error) bool { return true })) // site "attempts=3 predicate=catch-all"
}

func predicateOfOurOwn(transient func(error) bool) error {
	return retry.Do(ping, retry.Attempts(3), retry.RetryIf(transient)) // site "attempts=3 predicate=unknown"
}

func markedInside() error {
	return retry.Do(func() error { // site "attempts=3 predicate=unknown"
		err := ping()
		if errors.Is(err, io.EOF) {
			return retry.Unrecoverable(err)
		}
		return err
	}, retry.Attempts(3))
}

func oneAttempt() error {
	return retry.Do(ping, retry.Attempts(1)) // nosite
}
