package retrybackoff

import (
	"context"
	"time"

	avast "github.com/avast/retry-go/v4"
	cenkalti "github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	sethvargo "github.com/sethvargo/go-retry"
)

// One immediate second attempt replaces a connection that the server had closed.
func immediateSecondAttempt() error {
	return retrier.New(retrier.ConstantBackoff(1, 0), nil).Run(ping) // site "attempts=2 backoff=none"
}

func immediateSecondAttemptByZero() error {
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(&cenkalti.ZeroBackOff{}, 1)) // site "attempts=2 backoff=none"
}

func exponentialByDefault() error {
	return avast.Do(ping, avast.Attempts(3), avast.Delay(500*time.Millisecond)) // site "backoff=exponential+jitter"
}

// Fibonacci grows as exponential waits do.
func fibonacci(ctx context.Context) error {
	b := sethvargo.WithMaxRetries(3, sethvargo.WithJitterPercent(20, sethvargo.NewFibonacci(500*time.Millisecond)))
	return sethvargo.Do(ctx, b, func(context.Context) error { return sethvargo.RetryableError(ping()) }) // site "backoff=exponential+jitter"
}

func growingList() error {
	r := retrier.New([]time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second}, nil) // site "attempts=4 backoff=exponential+jitter"
	r.SetJitter(0.3)
	return r.Run(ping)
}

// The cap is reached, but the first waits grow.
func capped() error {
	return avast.Do(ping, avast.Attempts(5), avast.MaxDelay(250*time.Millisecond)) // site "backoff=exponential+jitter"
}

func multiplierOfTheCaller(m float64) error {
	b := cenkalti.NewExponentialBackOff(cenkalti.WithMultiplier(m))
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(b, 3)) // site "attempts=4"
}

func waitsOfTheCaller(waits []time.Duration) error {
	return retrier.New(waits, nil).Run(ping) // site "attempts=unknown backoff=unknown"
}

func constantOrExponential(steady bool) error {
	var b cenkalti.BackOff = cenkalti.NewExponentialBackOff()
	if steady {
		b = cenkalti.NewConstantBackOff(time.Second)
	}
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(b, 2)) // site "attempts=3 backoff=unknown"
}
