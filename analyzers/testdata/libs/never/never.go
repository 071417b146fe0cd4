// Package never has operations that no library runs again, by what they return or
// by the policy, and those that look alike but are retried.
package never

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	"github.com/cenkalti/backoff/v4"
	"github.com/hashicorp/go-retryablehttp"
	sethvargo "github.com/sethvargo/go-retry"
)

func ping() error { return errors.ErrUnsupported }

func notMarkedAsRetryable(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.NewExponential(time.Second), func(ctx context.Context) error { // nosite
		return ping()
	})
}

func onlySomeMarkedAsRetryable(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.WithFullJitter(sethvargo.NewExponential(time.Second)), func(ctx context.Context) error { // want "RE-3: retried without a limit"
		err := ping()
		if errors.Is(err, io.EOF) {
			return sethvargo.RetryableError(err)
		}
		return err
	})
}

func predicateThatAdmitsNothing() error {
	return retry.Do(ping, retry.Attempts(50), retry.RetryIf(func(error) bool { return false })) // nosite
}

func predicateThatAdmitsSome() error {
	return retry.Do(ping, retry.Attempts(50), retry.RetryIf(func(err error) bool { return errors.Is(err, io.EOF) })) // want "RE-3: 50 attempts" "RE-4: "
}

func checkThatStops() *retryablehttp.Client {
	c := retryablehttp.NewClient() // nosite
	c.RetryMax = 50
	c.CheckRetry = func(_ context.Context, _ *http.Response, err error) (bool, error) { return false, err }
	return c
}

func allFailuresPermanent() error {
	return backoff.Retry(func() error { // nosite
		if err := ping(); err != nil {
			return backoff.Permanent(err)
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

func oneFailurePermanent() error {
	return backoff.Retry(func() error { // want "RE-3: 25 attempts over 15m" "RE-4: "
		err := ping()
		if errors.Is(err, io.EOF) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.NewExponentialBackOff())
}

// The error of a wrapped helper is permanent, whatever the helper met.
func permanentInAHelper() error {
	return backoff.Retry(func() error { return permanently() }, backoff.NewExponentialBackOff()) // nosite
}

func permanently() error {
	if err := ping(); err != nil {
		return backoff.Permanent(err)
	}
	return nil
}

func brokenOffOnFailure(ctx context.Context) error {
	return roko.NewRetrier(roko.WithMaxAttempts(50), roko.WithStrategy(roko.Constant(time.Second))).DoWithContext(ctx, func(r *roko.Retrier) error { // nosite
		if err := ping(); err != nil {
			r.Break()
			return err
		}
		return nil
	})
}

func brokenOffOnSomeFailures(ctx context.Context) error {
	return roko.NewRetrier(roko.WithMaxAttempts(50), roko.WithStrategy(roko.Constant(time.Second)), roko.WithJitter()).DoWithContext(ctx, func(r *roko.Retrier) error { // want "RE-3: 50 attempts" "RE-4: " "X3: "
		err := ping()
		if errors.Is(err, io.EOF) {
			r.Break()
		}
		return err
	})
}

func neverFails() error {
	return retry.Do(func() error { // nosite
		_ = ping()
		return nil
	}, retry.Attempts(50))
}
