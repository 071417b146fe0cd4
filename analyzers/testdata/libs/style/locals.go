// Package style has the forms in which Go code can write a policy, whatever the
// library: where its values stand, and how they get to the call.
package style

import (
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

const (
	tries     = 4
	firstWait = 250 * time.Millisecond
	waitMS    = 100
)

func namedConstants() error {
	return retry.Do(ping, retry.Attempts(tries), retry.Delay(firstWait)) // site "attempts=4 sleep=2.05s"
}

func computedFromConstants() error {
	return retry.Do(ping, retry.Attempts(tries-1), retry.Delay(waitMS*time.Millisecond*2)) // site "attempts=3 sleep=800ms"
}

func convertedConstant() error {
	const seconds = 1.5
	wait := time.Duration(seconds * float64(time.Second))
	return retry.Do(ping, retry.Attempts(2), retry.Delay(wait)) // site "attempts=2 sleep=1.6s"
}

func localVariables() error {
	n := uint(3)
	wait := time.Second
	wait /= 2
	return retry.Do(ping, retry.Attempts(n), retry.Delay(wait)) // site "attempts=3 sleep=1.7s"
}

func assignedUnderCondition(careful bool) error {
	n := uint(3)
	if careful {
		n = 5
	}
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=3-5 backoff=exponential+jitter"
}

func bothAlternativesTooMany(careful bool) error {
	n := uint(6)
	if careful {
		n = 9
	}
	return retry.Do(ping, retry.Attempts(n), retry.Delay(time.Millisecond), retry.MaxJitter(time.Millisecond)) // want "RE-3: 6 to 9 attempts over [0-9.ms]+; at most 5, 3 is typical" // site "attempts=6-9"
}

func oneAlternativeTooMany(careful bool) error {
	n := uint(9)
	if careful {
		n = 3
	}
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=3-9"
}

func switchOverPolicies(kind string) error {
	var b backoff.BackOff
	switch kind {
	case "fast":
		b = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 1)
	case "slow":
		b = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3)
	default:
		b = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)
	}
	return backoff.Retry(ping, b) // site "attempts=2-4 backoff=exponential+jitter sleep=3.56s"
}

func fieldWrittenUnderCondition(patient bool) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 2 * time.Second
	if patient {
		b.MaxElapsedTime = 3 * time.Second
	}
	return backoff.Retry(ping, b) // site "attempts=3-4 backoff=exponential+jitter sleep=3s"
}

func fieldWrittenAfterUse() error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 2 * time.Second
	err := backoff.Retry(ping, b) // site "attempts=3 sleep=2s"
	b.MaxElapsedTime = 0
	return err
}

func capturedByClosure() error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 2 * time.Second
	run := func(op func() error) error {
		return backoff.Retry(op, backoff.WithMaxRetries(b, 2)) // site "attempts=3 backoff=exponential+jitter"
	}
	return run(ping) // site "attempts=3 mechanism=wrapper"
}

func closureIsTheOperation(id string) error {
	var last error
	err := retry.Do(func() error { // site "attempts=3 predicate=catch-all"
		last = ping()
		return last
	}, retry.Attempts(3))
	return err
}

type gateway struct{ id string }

func (g *gateway) confirm() error { return ping() }

func methodValueIsTheOperation(g *gateway) error {
	return retry.Do(g.confirm, retry.Attempts(3)) // site "attempts=3"
}

func methodValueOfRetrier() error {
	run := retry.Do
	return run(ping, retry.Attempts(3)) // site "attempts=3"
}

func inGoroutine() {
	go retry.Do(ping, retry.Attempts(3)) // site "attempts=3"
}

func deferred() {
	defer retry.Do(ping, retry.Attempts(3)) // site "attempts=3"
}
