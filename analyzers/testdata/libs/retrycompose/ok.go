package retrycompose

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	sethvargo "github.com/sethvargo/go-retry"
)

func byDefault() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)) // site "backoff=exponential+jitter"
}

func byWrapper(ctx context.Context) error {
	b := sethvargo.WithJitterPercent(30, sethvargo.NewExponential(500*time.Millisecond))
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(2, b), func(context.Context) error { return sethvargo.RetryableError(ping()) }) // site "backoff=exponential+jitter"
}

func byWrapperAfterTheLimit(ctx context.Context) error {
	b := sethvargo.WithMaxRetries(2, sethvargo.NewExponential(500*time.Millisecond))
	return sethvargo.Do(ctx, sethvargo.WithFullJitter(b), func(context.Context) error { return sethvargo.RetryableError(ping()) }) // site "backoff=exponential+jitter"
}

func byStatementOfItsOwn() error {
	r := retrier.New(retrier.ExponentialBackoff(2, 100*time.Millisecond), nil) // site "backoff=exponential+jitter"
	r.SetJitter(0.25)
	return r.Run(ping)
}

func combined() error {
	return retry.Do(ping, retry.Attempts(3), retry.DelayType(retry.CombineDelay(retry.BackOffDelay, retry.RandomDelay))) // site "backoff=exponential+jitter"
}

func onOnePathOnly(spread bool) error {
	b := backoff.NewExponentialBackOff()
	if !spread {
		b.RandomizationFactor = 0
	}
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 2)) // site "attempts=3 backoff=unknown"
}

func factorOfTheCaller(f float64) error {
	b := backoff.NewExponentialBackOff(backoff.WithRandomizationFactor(f))
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 2)) // site "attempts=3"
}

var (
	breaker = circuitbreaker.NewWithDefaults[any]()
	slots   = bulkhead.New[any](10)
)

func composedAsTheGuideAsks() error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(500*time.Millisecond, 5*time.Second).WithJitterFactor(0.25).Build()
	return failsafe.With(policy, breaker, slots, timeout.New[any](2*time.Second)).Run(ping) // site "attempts=3 backoff=exponential+jitter sleep=1.87s total=7.87s breaker=inside"
}
