package retryattempts

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/hashicorp/go-retryablehttp"
	sethvargo "github.com/sethvargo/go-retry"
)

func fiveAttempts() error {
	return retry.Do(ping, retry.Attempts(5)) // site "attempts=5 sleep=1.9s"
}

func fourRetriesAreFiveAttempts() error {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = 100 * time.Millisecond
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 4)) // site "attempts=5"
}

// It looks endless, but the time limit allows four attempts.
func limitedByTimeAlone(ctx context.Context) error {
	_, err := backoff5.Retry(ctx, func() (int, error) { return 0, ping() }, backoff5.WithMaxElapsedTime(3*time.Second)) // site "attempts=4 sleep=3s"
	return err
}

func limitedByWhicheverIsFirst(ctx context.Context) error {
	_, err := backoff5.Retry(ctx, func() (int, error) { return 0, ping() }, // site "attempts=4 sleep=3s"
		backoff5.WithMaxTries(20), backoff5.WithMaxElapsedTime(3*time.Second))
	return err
}

func durationOfAWrapper(ctx context.Context) error {
	b := sethvargo.WithMaxDuration(3*time.Second, sethvargo.WithJitterPercent(20, sethvargo.NewExponential(500*time.Millisecond)))
	return sethvargo.Do(ctx, b, func(context.Context) error { return sethvargo.RetryableError(ping()) }) // site "attempts=4 sleep=3s"
}

func oneAlternativeIsFine(urgent bool) error {
	n := uint(20)
	if urgent {
		n = 3
	}
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=3-20"
}

func givenByTheCaller(n uint) error {
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=unknown"
}

func oneAttempt() error {
	return retry.Do(ping, retry.Attempts(1)) // nosite
}

func noRetries() *retryablehttp.Client {
	c := retryablehttp.NewClient() // nosite
	c.RetryMax = 0
	return c
}

// The policy is made, and nothing is retried with it.
func policyAlone() backoff.BackOff {
	return backoff.NewExponentialBackOff() // nosite
}

func nextWaitIsAsked(b backoff.BackOff) time.Duration {
	return b.NextBackOff() // nosite
}
