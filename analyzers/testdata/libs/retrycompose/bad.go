// Package retrycompose has what rule RE-2 reports, and what it does not.
package retrycompose

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/hashicorp/go-retryablehttp"
	sethvargo "github.com/sethvargo/go-retry"
)

func neverAdded(ctx context.Context) error {
	b := sethvargo.NewExponential(500 * time.Millisecond)
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(2, b), func(context.Context) error { return sethvargo.RetryableError(ping()) }) // want "^RE-2: exponential without jitter .500ms, 1s.: clients that failed together come back together$" // site "backoff=exponential"
}

func switchedOff() error {
	b := backoff.NewExponentialBackOff()
	b.RandomizationFactor = 0
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 2)) // want "^RE-2: exponential without jitter .500ms, 750ms." // site "backoff=exponential"
}

func leftOutOfTheDelay() error {
	return retry.Do(ping, retry.Attempts(4), retry.DelayType(retry.BackOffDelay)) // want "^RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "backoff=exponential"
}

func ofZeroPercent(ctx context.Context) error {
	b := sethvargo.WithJitterPercent(0, sethvargo.NewExponential(500*time.Millisecond))
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(2, b), func(context.Context) error { return sethvargo.RetryableError(ping()) }) // want "^RE-2: exponential without jitter" // site "backoff=exponential"
}

func literalWithoutIt() error {
	return retrier.New(retrier.ExponentialBackoff(3, 100*time.Millisecond), nil).Run(ping) // want "^RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "backoff=exponential"
}

func clientsDefault() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "^RE-2: exponential without jitter .1s, 2s." // site "backoff=exponential"
	c.RetryMax = 2
	return c
}
