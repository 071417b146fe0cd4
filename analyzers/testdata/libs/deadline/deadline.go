// Package deadline has retries under contexts that end by themselves.
package deadline

import (
	"context"
	"net/http"
	"time"

	songmu "github.com/Songmu/retry"
	"github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	sethvargo "github.com/sethvargo/go-retry"
)

func ping() error {
	resp, err := http.Get("https://inventory.example/health")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func endless() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return b
}

func aroundAPolicyWithoutEnd(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // site "attempts=4 sleep=3s"
}

func onlyCancelled(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // want "RE-3: retried without a limit"
}

func detached(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), context.WithoutCancel(ctx))) // want "RE-3: retried without a limit"
}

func outerIsShorter(ctx context.Context) error {
	outer, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	inner, stop := context.WithTimeout(context.WithValue(outer, "k", 1), time.Hour)
	defer stop()
	return backoff.Retry(ping, backoff.WithContext(endless(), inner)) // site "sleep=2s"
}

func untilAPointInTime(ctx context.Context) error {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(4*time.Second))
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // site "sleep=4s"
}

func untilAGivenPointInTime(ctx context.Context, end time.Time) error {
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // site "sleep=unknown"
}

func forAsLongAsConfigured(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // site "sleep=unknown"
}

func onOnePathOnly(ctx context.Context, quick bool) error {
	if quick {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
	}
	return backoff.Retry(ping, backoff.WithContext(endless(), ctx)) // want "RE-3: retried without a limit"
}

func longerThanTheWindow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err := backoff5.Retry(ctx, func() (int, error) { return 0, ping() }, backoff5.WithMaxTries(3)) // site "attempts=3 sleep=1.87s"
	return err
}

func asArgument(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	b := sethvargo.WithJitterPercent(10, sethvargo.NewExponential(time.Second))
	return sethvargo.Do(ctx, b, func(context.Context) error { return sethvargo.RetryableError(ping()) }) // site "attempts=3 sleep=3s"
}

func asOption(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return retry.Do(ping, retry.Context(ctx), retry.Attempts(0), retry.Delay(time.Second)) // site "attempts=3 sleep=5s"
}

func retrierUnderAContext(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return roko.NewRetrier(roko.WithMaxAttempts(5), roko.WithStrategy(roko.Exponential(2*time.Second, 0)), roko.WithJitter()).DoWithContext(ctx, func(*roko.Retrier) error { return ping() }) // site "sleep=5s"
}

func counted(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2500*time.Millisecond)
	defer cancel()
	return songmu.WithContext(ctx, 30, time.Second, ping) // want "X3: 3 attempts"
}
