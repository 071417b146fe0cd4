// Package retries has calls of retry libraries that the module proxy does not
// serve.
package retries

import (
	"context"
	"errors"
	"math/rand"
	"net/http"
	"strings"
	"time"

	flowchartsman "github.com/flowchartsman/retry"
	giantswarm "github.com/giantswarm/retry-go"
	kamilsk4 "github.com/kamilsk/retry/v4"
	strategy4 "github.com/kamilsk/retry/v4/strategy"
	kamilsk "github.com/kamilsk/retry/v5"
	"github.com/kamilsk/retry/v5/backoff"
	"github.com/kamilsk/retry/v5/jitter"
	"github.com/kamilsk/retry/v5/strategy"
	"github.com/slok/goresilience"
	"github.com/slok/goresilience/circuitbreaker"
	"github.com/slok/goresilience/retry"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func pingWith(context.Context) error { return ping() }

func pay(context.Context) error {
	resp, err := http.Post("https://pay.example/payments", "application/json", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func flowchartsmanDefaults() error {
	return flowchartsman.NewRetrier(0, 0, 0).Run(ping) // site "attempts=5 backoff=exponential+jitter sleep=4.6s predicate=catch-all"
}

func flowchartsmanMany(ctx context.Context) error {
	return flowchartsman.NewRetrier(10, 100*time.Millisecond, 2*time.Second).RunContext(ctx, pingWith) // want "RE-3: 10 attempts over 11.7s; at most 5" "RE-4: waits up to 15.7s in memory" // site "attempts=10 backoff=exponential+jitter sleep=15.7s"
}

// The write is sent once: its failure ends the retry.
func flowchartsmanStop(ctx context.Context) error {
	return flowchartsman.NewRetrier(3, 100*time.Millisecond, time.Second).RunContext(ctx, func(ctx context.Context) error { // site "attempts=3"
		if err := ping(); err != nil {
			return err
		}
		if err := pay(ctx); err != nil {
			return flowchartsman.Stop(err)
		}
		return nil
	})
}

func giantswarmDefaults() error {
	return giantswarm.Do(ping) // want "X3: 3 attempts without a pause .giantswarm/retry-go defaults, nothing set here." // site "attempts=3 backoff=none sleep=0s default=true"
}

func giantswarmOnce() error {
	return giantswarm.Do(ping, giantswarm.MaxTries(1), giantswarm.Sleep(time.Second)) // nosite
}

var errGone = errors.New("gone")

func giantswarmChecker() error {
	return giantswarm.Do(ping, giantswarm.Sleep(100*time.Millisecond), giantswarm.RetryChecker(func(err error) bool { return !errors.Is(err, errGone) })) // want "X3: 3 attempts a constant 100ms apart" // site "attempts=3 backoff=constant"
}

func kamilskForever(ctx context.Context) error {
	return kamilsk.Do(ctx, pingWith) // want "RE-3: retried without a limit" "X3: retried at once and without end" // site "attempts=unbounded backoff=none"
}

func kamilskNoJitter(ctx context.Context) error {
	how := kamilsk.How{strategy.Limit(4), strategy.Backoff(backoff.BinaryExponential(100 * time.Millisecond))}
	return kamilsk.Do(ctx, pay, how...) // want "X1: POST /payments may be applied up to 4 times" "RE-2: exponential without jitter .200ms, 400ms, 800ms." // site "attempts=4 backoff=exponential sleep=1.4s"
}

func kamilskJitter(ctx context.Context, r *rand.Rand) error {
	return kamilsk.Do(ctx, pingWith, strategy.Limit(3), strategy.BackoffWithJitter(backoff.BinaryExponential(100*time.Millisecond), jitter.Full(r))) // site "attempts=3 backoff=exponential+jitter sleep=600ms"
}

func kamilsk4constant(ctx context.Context) error {
	return kamilsk4.Try(ctx, func(uint) error { return ping() }, strategy4.Limit(3), strategy4.Wait(time.Second)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func kamilsk4never(ctx context.Context) error {
	return kamilsk4.TryContext(ctx, func(ctx context.Context, _ uint) error { return pay(ctx) }, strategy4.Limit(0)) // nosite
}

func goresilienceDefaults(ctx context.Context) error {
	return retry.New(retry.Config{}).Run(ctx, pingWith) // site "attempts=4 backoff=exponential+jitter sleep=280ms predicate=catch-all"
}

func goresilienceConstant(ctx context.Context) error {
	return retry.New(retry.Config{Times: 2, DisableBackoff: true, WaitBase: time.Second}).Run(ctx, pay) // want "X1: POST /payments may be applied up to 3 times" "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func goresilienceInside(ctx context.Context) error {
	r := goresilience.RunnerChain(retry.NewMiddleware(retry.Config{Times: 2}), circuitbreaker.NewMiddleware(circuitbreaker.Config{})) // site "attempts=3 breaker=inside"
	return r.Run(ctx, pingWith)
}

func goresilienceOutside(ctx context.Context) error {
	r := goresilience.RunnerChain(circuitbreaker.NewMiddleware(circuitbreaker.Config{}), retry.NewMiddleware(retry.Config{Times: 2})) // site "attempts=3 breaker=outside"
	return r.Run(ctx, pingWith)
}

func goresilienceBreakerAlone(ctx context.Context) error {
	return circuitbreaker.New(circuitbreaker.Config{}).Run(ctx, pay) // nosite
}
