// Package never has operations that no library runs again, by what they return or
// by the policy, and those that look alike but are retried.
package never

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	"github.com/cenkalti/backoff/v4"
	"github.com/hashicorp/go-retryablehttp"
	lestrrat "github.com/lestrrat-go/backoff/v2"
	sethvargo "github.com/sethvargo/go-retry"
)

func ping() error {
	resp, err := http.Get("https://inventory.example/health")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

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

// What stays in the process is listed, and nobody is told of it.
func ofAFile(path string) error {
	return retry.Do(func() error { return os.Remove(path) }, retry.Attempts(50)) // site "attempts=50 effect=none"
}

func ofAComputation(v any) error {
	return retry.Do(func() error { // site "attempts=50 effect=none"
		_, err := json.Marshal(v)
		return err
	}, retry.Attempts(50))
}

func handedToAnother(requests chan<- string, errs <-chan error) error {
	return retry.Do(func() error { // want "RE-3: 50 attempts" "RE-4: " // site "effect=unknown"
		requests <- "ping"
		return <-errs
	}, retry.Attempts(50))
}

func ofAProgram() error {
	return retry.Do(func() error { return exec.Command("git", "push").Run() }, retry.Attempts(50)) // want "RE-3: 50 attempts" "RE-4: " // site "effect=unknown"
}

func loopThatDoesNotTurn(ctx context.Context) error {
	b := lestrrat.Constant(lestrrat.WithInterval(time.Second), lestrrat.WithMaxRetries(40)).Start(ctx) // nosite
	for lestrrat.Continue(b) {
		return ping()
	}
	return nil
}

func loopThatTurns(ctx context.Context) error {
	b := lestrrat.Constant(lestrrat.WithInterval(time.Second), lestrrat.WithMaxRetries(40)).Start(ctx) // want "RE-3: 41 attempts" "RE-4: " "X3: "
	for lestrrat.Continue(b) {
		if err := ping(); err == nil {
			return nil
		}
	}
	return errors.ErrUnsupported
}
