// Package failsafe has the ways to write a policy of failsafe-go, whose builders
// are chains and whose executor composes policies, the first outermost.
package failsafe

import (
	"context"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
)

func defaults() error {
	return failsafe.With(retrypolicy.NewWithDefaults[any]()).Run(ping) // want "X3: 3 attempts without a pause .failsafe-go defaults, nothing set here.: all are spent within the failure that caused the first" // site "attempts=3 backoff=none sleep=0s predicate=catch-all mechanism=library default=true"
}

func chain() error {
	policy := retrypolicy.NewBuilder[any]().
		WithBackoff(500*time.Millisecond, 5*time.Second).
		WithJitterFactor(0.25).
		WithMaxRetries(2).
		Build()
	return failsafe.With(policy).Run(ping) // site "attempts=3 backoff=exponential+jitter sleep=1.87s"
}

func chainInStatements() error {
	b := retrypolicy.NewBuilder[any]()
	b.WithBackoffFactor(100*time.Millisecond, time.Second, 3)
	b.WithJitter(50 * time.Millisecond)
	b.WithMaxAttempts(4)
	return failsafe.With(b.Build()).Run(ping) // site "attempts=4 backoff=exponential+jitter sleep=1.45s"
}

func backoffWithoutJitter() error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).Build()
	return failsafe.With(policy).Run(ping) // want "RE-2: exponential without jitter .100ms, 200ms." // site "attempts=3 backoff=exponential sleep=300ms default=true"
}

func delayAlone() error {
	policy := retrypolicy.NewBuilder[any]().WithDelay(time.Second).Build()
	return failsafe.With(policy).Run(ping) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func randomDelay() error {
	policy := retrypolicy.NewBuilder[any]().WithRandomDelay(100*time.Millisecond, 400*time.Millisecond).Build()
	return failsafe.With(policy).Run(ping) // want "X3: 3 attempts up to 400ms apart, with jitter but without growth" // site "backoff=constant+jitter sleep=800ms"
}

func unlimited() error {
	policy := retrypolicy.NewBuilder[any]().WithMaxRetries(-1).WithBackoff(time.Second, time.Minute).WithJitterFactor(0.1).Build()
	return failsafe.With(policy).Run(ping) // want "RE-3: retried without a limit" // site "attempts=unbounded backoff=exponential+jitter"
}

func maxDuration() error {
	policy := retrypolicy.NewBuilder[any]().WithMaxRetries(-1).WithMaxDuration(5*time.Second).WithBackoff(time.Second, time.Minute).WithJitterFactor(0.1).Build()
	return failsafe.With(policy).Run(ping) // site "attempts=4 sleep=5s"
}

func breakerInside() error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry, breaker).Run(ping) // site "attempts=3 breaker=inside"
}

func breakerOutside() error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With[any](breaker, retry).Run(ping) // site "attempts=3 breaker=outside"
}

func breakerInsideByCompose() error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry).Compose(breaker).Run(ping) // site "attempts=3 breaker=inside"
}

var breaker = circuitbreaker.NewWithDefaults[any]()

func timeoutOfEachAttempt(ctx context.Context) error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry, timeout.New[any](5*time.Second)).WithContext(ctx).Run(ping) // site "attempts=3 sleep=330ms total=15.3s"
}

// The timeout is of all attempts together.
func timeoutOutside() error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(timeout.New[any](5*time.Second), retry).Run(ping) // site "attempts=3 sleep=330ms total=unknown"
}

func getWithResult() (int, error) {
	retry := retrypolicy.NewBuilder[int]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry).Get(func() (int, error) { return 1, ping() }) // site "attempts=3"
}

func handled() error {
	retry := retrypolicy.NewBuilder[any]().HandleErrors(http.ErrHandlerTimeout).WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry).Run(ping) // site "attempts=3 predicate=unknown"
}

func aborted() error {
	retry := retrypolicy.NewBuilder[any]().AbortOnErrors(context.Canceled).WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(retry).Run(ping) // site "attempts=3 predicate=unknown"
}

func zeroRetries() error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(0).Build()).Run(ping) // nosite
}

func breakerAlone() error {
	return failsafe.With(breaker).Run(ping) // nosite
}

func bulkheadAndTimeout() error {
	return failsafe.With[any](bulkhead.New[any](10), timeout.New[any](time.Second)).Run(ping) // nosite
}

func hedge() error {
	return failsafe.With(hedgepolicy.NewWithDelay[any](time.Second)).Run(ping) // nosite
}

type adapter struct{ executor failsafe.Executor[any] }

func newAdapter() *adapter {
	retry := retrypolicy.NewBuilder[any]().WithMaxAttempts(7).WithDelay(10 * time.Millisecond).Build()
	return &adapter{executor: failsafe.With(retry)}
}

func (a *adapter) pay() error {
	return a.executor.Run(ping) // want "RE-3: 7 attempts over 60ms; at most 5, 3 is typical" "X3: 7 attempts a constant 10ms apart" // site "attempts=7 backoff=constant sleep=60ms"
}

func roundTripper() *http.Client {
	policy := failsafehttp.NewRetryPolicyBuilder().Build()
	return &http.Client{Transport: failsafehttp.NewRoundTripper(nil, policy)} // want "X3: 3 attempts without a pause" // site "attempts=3 backoff=none predicate=status:429,500,502-599 mechanism=builtin"
}

func roundTripperWithBackoff() *http.Client {
	policy := failsafehttp.NewRetryPolicyBuilder().WithBackoff(500*time.Millisecond, 2*time.Second).WithJitterFactor(0.2).WithMaxRetries(2).Build()
	return &http.Client{Transport: failsafehttp.NewRoundTripper(nil, policy)} // site "attempts=3 backoff=exponential+jitter sleep=1.8s"
}
