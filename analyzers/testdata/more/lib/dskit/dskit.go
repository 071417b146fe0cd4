// Package dskit has the loops around the backoff of grafana/dskit.
package dskit

import (
	"context"
	"net/http"
	"time"

	"github.com/grafana/dskit/backoff"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func ten(ctx context.Context) error {
	b := backoff.New(ctx, backoff.Config{MinBackoff: 100 * time.Millisecond, MaxBackoff: 10 * time.Second, MaxRetries: 10}) // want "RE-3: 10 attempts over 31.9s; at most 5" "RE-4: waits up to 42.6s in memory .10 attempts.: a restart loses it" // site "attempts=10 backoff=exponential+jitter sleep=42.6s"
	for b.Ongoing() {
		if err := ping(); err == nil {
			return nil
		}
		b.Wait()
	}
	return b.Err()
}

func three(ctx context.Context) error {
	b := backoff.New(ctx, backoff.Config{MinBackoff: 250 * time.Millisecond, MaxBackoff: 2 * time.Second, MaxRetries: 3}) // site "attempts=3 backoff=exponential+jitter sleep=1.5s"
	var err error
	for b.Ongoing() {
		if err = ping(); err == nil {
			return nil
		}
		b.Wait()
	}
	return err
}

func noMax(ctx context.Context) error {
	b := backoff.New(ctx, backoff.Config{MinBackoff: time.Second, MaxRetries: 3}) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
	for b.Ongoing() {
		if ping() == nil {
			return nil
		}
		b.Wait()
	}
	return b.Err()
}

func busy(ctx context.Context) error {
	b := backoff.New(ctx, backoff.Config{MaxRetries: 3}) // want "X3: 3 attempts without a pause" // site "attempts=3 backoff=none sleep=0s"
	for b.Ongoing() {
		if ping() == nil {
			return nil
		}
		b.Wait()
	}
	return b.Err()
}

func endless(ctx context.Context) error {
	b := backoff.New(ctx, backoff.Config{MinBackoff: 100 * time.Millisecond, MaxBackoff: 10 * time.Second}) // want "RE-3: retried without a limit" // site "attempts=unbounded"
	for b.Ongoing() {
		if ping() == nil {
			return nil
		}
		b.Wait()
	}
	return b.Err()
}

type config struct{ Backoff backoff.Config }

// What a configuration file says is not known here.
func configured(ctx context.Context, cfg config) error {
	b := backoff.New(ctx, cfg.Backoff) // site "attempts=unknown"
	for b.Ongoing() {
		if ping() == nil {
			return nil
		}
		b.Wait()
	}
	return b.Err()
}
