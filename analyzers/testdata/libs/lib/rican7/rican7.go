// Package rican7 has the ways to write a policy of Rican7/retry: strategies,
// none of which is there unless it is named.
package rican7

import (
	"time"

	"github.com/Rican7/retry"
	"github.com/Rican7/retry/backoff"
	"github.com/Rican7/retry/jitter"
	"github.com/Rican7/retry/strategy"
)

func attempt(uint) error { return ping() }

func withoutStrategies() error {
	return retry.Retry(attempt) // want "RE-3: retried without a limit .*defaults, nothing set here" "X3: retried at once and without end .*: a hot loop" // site "attempts=unbounded backoff=none predicate=catch-all"
}

func limited() error {
	return retry.Retry(attempt, strategy.Limit(3)) // want "X3: 3 attempts without a pause: all are spent" // site "attempts=3 backoff=none"
}

func backoffWithJitter() error {
	return retry.Retry(attempt, strategy.Limit(3), strategy.BackoffWithJitter(backoff.BinaryExponential(250*time.Millisecond), jitter.Full(nil))) // site "attempts=3 backoff=exponential+jitter sleep=1.5s"
}

func backoffWithoutJitter() error {
	return retry.Retry(attempt, strategy.Limit(3), strategy.Backoff(backoff.BinaryExponential(250*time.Millisecond))) // want "RE-2: exponential without jitter .500ms, 1s." // site "attempts=3 backoff=exponential sleep=1.5s"
}

func linear() error {
	return retry.Retry(attempt, strategy.Limit(4), strategy.Backoff(backoff.Linear(100*time.Millisecond))) // want "X3: pauses grow linearly .100ms, 200ms, 300ms.: the load on a system that is down hardly falls" // site "attempts=4 backoff=linear sleep=600ms"
}

func waits() error {
	return retry.Retry(attempt, strategy.Limit(3), strategy.Wait(time.Second)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func limitOfZeroRunsNothing() error {
	return retry.Retry(attempt, strategy.Limit(0)) // nosite
}
