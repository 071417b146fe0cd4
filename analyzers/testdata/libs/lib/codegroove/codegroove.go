// Package codegroove has the ways to call codeGROOVE-dev/retry, a fork of
// avast/retry-go.
package codegroove

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/codeGROOVE-dev/retry"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func defaults(ctx context.Context) error {
	return retry.Do(ping, retry.Context(ctx)) // want "RE-3: 10 attempts over 51.5s .codeGROOVE retry defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 52s in memory" // site "attempts=10 backoff=exponential+jitter sleep=52s default=true"
}

func three(ctx context.Context) (int, error) {
	return retry.DoWithData(func() (int, error) { // site "attempts=3 backoff=exponential+jitter sleep=1.7s"
		resp, err := http.Get("https://pay.example/status")
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusNotFound {
			return 0, retry.Unrecoverable(errors.New("not found"))
		}
		return resp.StatusCode, nil
	}, retry.Attempts(3), retry.Delay(500*time.Millisecond), retry.Context(ctx))
}

func fixed() error {
	return retry.Do(ping, retry.Attempts(3), retry.DelayType(retry.FixedDelay), retry.Delay(time.Second)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func noJitter() error {
	return retry.Do(ping, retry.Attempts(3), retry.MaxJitter(0)) // want "RE-2: exponential without jitter .100ms, 200ms." // site "attempts=3 backoff=exponential sleep=300ms"
}

func fullJitter() error {
	return retry.Do(ping, retry.Attempts(4), retry.DelayType(retry.FullJitterBackoffDelay), retry.MaxDelay(time.Second)) // site "attempts=4 backoff=exponential+jitter sleep=1.4s"
}

func untilSucceeded() error {
	return retry.Do(ping, retry.UntilSucceeded()) // want "RE-3: retried without a limit" // site "attempts=unbounded"
}
