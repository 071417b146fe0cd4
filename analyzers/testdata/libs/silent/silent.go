// Package silent has what looks like a retry, or like a policy, and is none.
package silent

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/go-resty/resty/v2"
	"github.com/sethgrid/pester"
	sethvargo "github.com/sethvargo/go-retry"
	"github.com/sony/gobreaker/v2"
)

func oneAttempt() error {
	return retry.Do(ping, retry.Attempts(1), retry.Delay(time.Minute)) // nosite
}

func oneAttemptByCount(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(0, sethvargo.NewExponential(time.Second)), func(context.Context) error { return ping() }) // nosite
}

func oneAttemptByList() error {
	return retrier.New([]time.Duration{}, nil).Run(ping) // nosite
}

func oneAttemptOnEveryPath(strict bool) error {
	var b backoff.BackOff = &backoff.StopBackOff{}
	if strict {
		b = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 0)
	}
	return backoff.Retry(ping, b) // nosite
}

func oneAttemptOfClient() *pester.Client {
	c := pester.New() // nosite
	c.MaxRetries = 1
	return c
}

func clientWithoutRetries() *resty.Client {
	return resty.New().SetTimeout(time.Second).SetRetryWaitTime(time.Second) // nosite
}

var breaker = gobreaker.NewCircuitBreaker[int](gobreaker.Settings{Name: "pay"})

func breakerAlone() (int, error) {
	return breaker.Execute(func() (int, error) { return 1, ping() }) // nosite
}

func breakerAndTimeout() error {
	return failsafe.With[any](circuitbreaker.NewWithDefaults[any](), timeout.New[any](time.Second)).Run(ping) // nosite
}

func compareAndSwap(total *atomic.Int64, n int64) {
	for { // nosite
		old := total.Load()
		if total.CompareAndSwap(old, old+n) {
			return
		}
	}
}

func pollForState(ctx context.Context, id string, state func(string) (string, error)) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for { // nosite
		s, err := state(id)
		if err != nil {
			return err
		}
		if s == "paid" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func rangeOverItems(items []string, send func(string) error) error {
	var errs []error
	for _, item := range items { // nosite
		errs = append(errs, send(item))
	}
	return errors.Join(errs...)
}

func worker(jobs <-chan func() error) {
	for job := range jobs { // nosite
		_ = job()
	}
}

// The policy is passed on and runs nothing here.
func policyIsMade() []retry.Option {
	return []retry.Option{retry.Attempts(20), retry.Delay(time.Minute)} // nosite
}

func backoffIsMade() backoff.BackOff {
	return backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 20) // nosite
}

func retrierIsMade() *retrier.Retrier {
	return retrier.New(retrier.ConstantBackoff(20, time.Minute), nil) // nosite
}
