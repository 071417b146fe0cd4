// Package gozero has the ways to call the retry of go-zero.
package gozero

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/zeromicro/go-zero/core/breaker"
	"github.com/zeromicro/go-zero/core/fx"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func defaults() error {
	return fx.DoWithRetry(ping) // want "X3: 3 attempts without a pause .go-zero fx defaults, nothing set here." // site "attempts=3 backoff=none sleep=0s predicate=catch-all default=true"
}

func pay(ctx context.Context) error {
	return fx.DoWithRetryCtx(ctx, func(ctx context.Context, _ int) error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
		resp, err := http.Post("https://pay.example/payments", "application/json", strings.NewReader("{}"))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, fx.WithInterval(time.Second))
}

func many() error {
	return fx.DoWithRetry(ping, fx.WithRetry(8), fx.WithInterval(time.Second), fx.WithTimeout(3500*time.Millisecond)) // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3.5s"
}

func once() error {
	return fx.DoWithRetry(ping, fx.WithRetry(1)) // nosite
}

// The limit is known where it comes from.
func configured(times int, interval time.Duration) error {
	return fx.DoWithRetry(ping, fx.WithRetry(times), fx.WithInterval(interval)) // site "attempts=unknown"
}

// A breaker runs its operation once.
func underBreaker(name string) error {
	return breaker.Do(name, ping) // nosite
}
