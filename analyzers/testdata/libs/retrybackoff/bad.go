// Package retrybackoff has what rule X3 reports, and what it does not.
package retrybackoff

import (
	"context"
	"time"

	"github.com/Rican7/retry"
	"github.com/Rican7/retry/backoff"
	"github.com/Rican7/retry/strategy"
	avast "github.com/avast/retry-go/v4"
	cenkalti "github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	sethvargo "github.com/sethvargo/go-retry"
)

func constant() error {
	return avast.Do(ping, avast.Attempts(3), avast.DelayType(avast.FixedDelay), avast.Delay(2*time.Second)) // want "^X3: 3 attempts a constant 2s apart: a system that comes back meets everyone at once$" // site "backoff=constant"
}

func constantBackOff(ctx context.Context) error {
	return cenkalti.Retry(ping, cenkalti.WithContext(cenkalti.WithMaxRetries(cenkalti.NewConstantBackOff(time.Second), 2), ctx)) // want "^X3: 3 attempts a constant 1s apart: " // site "backoff=constant"
}

func constantWithJitterIsANote(ctx context.Context) error {
	b := sethvargo.WithMaxRetries(2, sethvargo.WithJitter(100*time.Millisecond, sethvargo.NewConstant(time.Second)))
	return sethvargo.Do(ctx, b, func(context.Context) error { return sethvargo.RetryableError(ping()) }) // want "^X3: 3 attempts up to 1.1s apart, with jitter but without growth$" // site "backoff=constant+jitter"
}

func factorOfOneIsConstant() error {
	b := cenkalti.NewExponentialBackOff(cenkalti.WithMultiplier(1), cenkalti.WithRandomizationFactor(0))
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(b, 3)) // want "^X3: 4 attempts a constant 500ms apart: " // site "backoff=constant"
}

func startAtTheCapIsConstant() error {
	b := cenkalti.NewExponentialBackOff(cenkalti.WithInitialInterval(time.Second), cenkalti.WithMaxInterval(time.Second), cenkalti.WithRandomizationFactor(0))
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(b, 3)) // want "^X3: 4 attempts a constant 1s apart: " // site "backoff=constant"
}

func equalWaitsInAList() error {
	return retrier.New([]time.Duration{time.Second, time.Second, time.Second}, nil).Run(ping) // want "^X3: 4 attempts a constant 1s apart: " // site "backoff=constant"
}

func linear() error {
	return retry.Retry(func(uint) error { return ping() }, strategy.Limit(4), strategy.Backoff(backoff.Linear(500*time.Millisecond))) // want "^X3: pauses grow linearly .500ms, 1s, 1.5s.: the load on a system that is down hardly falls$" // site "backoff=linear"
}

func noPause() error {
	return retry.Retry(func(uint) error { return ping() }, strategy.Limit(3)) // want "^X3: 3 attempts without a pause: all are spent within the failure that caused the first$" // site "backoff=none"
}

func noPauseByDefault() error {
	return failsafe.With(retrypolicy.NewWithDefaults[any]()).Run(ping) // want "^X3: 3 attempts without a pause .failsafe-go defaults, nothing set here.: all are spent" // site "backoff=none"
}

func noPauseByZero() error {
	return cenkalti.Retry(ping, cenkalti.WithMaxRetries(&cenkalti.ZeroBackOff{}, 3)) // want "^X3: 4 attempts without a pause: " // site "backoff=none"
}

func hotLoop() error {
	return cenkalti.Retry(ping, &cenkalti.ZeroBackOff{}) // want "^X3: retried at once and without end: a hot loop against a system that is down$" "^RE-3: retried without a limit" // site "attempts=unbounded backoff=none"
}

func hotLoopForAWhile() error {
	policy := retrypolicy.NewBuilder[any]().WithMaxRetries(-1).WithMaxDuration(time.Second).Build()
	return failsafe.With(policy).Run(ping) // want "^X3: retried at once and without end" "^RE-3: " // site "backoff=none"
}
