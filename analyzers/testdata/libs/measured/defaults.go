package measured

import (
	"context"
	"net/http"

	rican7 "github.com/Rican7/retry"
	avast3 "github.com/avast/retry-go/v3"
	avast4 "github.com/avast/retry-go/v4"
	avast5 "github.com/avast/retry-go/v5"
	cenkalti2 "github.com/cenkalti/backoff"
	cenkalti3 "github.com/cenkalti/backoff/v3"
	cenkalti4 "github.com/cenkalti/backoff/v4"
	cenkalti5 "github.com/cenkalti/backoff/v5"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/hashicorp/go-retryablehttp"
	lestrrat "github.com/lestrrat-go/backoff/v2"
	"github.com/sethgrid/pester"
)

// Up to v3 the elapsed time is compared before the wait: one attempt more, and
// the last wait overshoots the limit by up to its length.
func cenkalti2defaults(op operation) error {
	return cenkalti2.Retry(cenkalti2.Operation(op), cenkalti2.NewExponentialBackOff()) // want "RE-3: 26 attempts over 15m" "RE-4: waits up to 16m30s in memory .cenkalti defaults, 26 attempts.: a restart loses it" // site "attempts=26 backoff=exponential+jitter sleep=16m30s default=true"
}

func cenkalti3defaults(op operation) error {
	return cenkalti3.Retry(cenkalti3.Operation(op), cenkalti3.NewExponentialBackOff()) // want "RE-3: 26 attempts over 15m" "RE-4: waits up to 16m30s in memory .cenkalti defaults, 26 attempts.: a restart loses it" // site "attempts=26 backoff=exponential+jitter sleep=16m30s default=true"
}

// With mean jitter the 25th wait would end after the limit of 15 minutes; a run
// with luck makes 26 attempts.
func cenkalti4defaults(op operation) error {
	return cenkalti4.Retry(cenkalti4.Operation(op), cenkalti4.NewExponentialBackOff()) // want "RE-3: 25 attempts over 15m0s .cenkalti defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 15m0s in memory .cenkalti defaults, 25 attempts.: a restart loses it" // site "attempts=25 backoff=exponential+jitter sleep=15m0s default=true"
}

func cenkalti5defaults(ctx context.Context, op operation) error {
	_, err := cenkalti5.Retry(ctx, cenkalti5value(op)) // want "RE-3: 25 attempts over 15m0s .cenkalti defaults, nothing set here." "RE-4: waits up to 15m0s in memory .cenkalti defaults, 25 attempts.: a restart loses it" // site "attempts=25 backoff=exponential+jitter sleep=15m0s default=true"
	return err
}

func avast3defaults(op operation) error {
	return avast3.Do(avast3.RetryableFunc(op)) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 52s in memory" // site "attempts=10 sleep=52s default=true"
}

func avast4defaults(op operation) error {
	return avast4.Do(avast4.RetryableFunc(op)) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 52s in memory" // site "attempts=10 sleep=52s default=true"
}

func avast5defaults(op operation) error {
	return avast5.New().Do(avast5.RetryableFunc(op)) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 52s in memory" // site "attempts=10 sleep=52s default=true"
}

func failsafeDefaults(op operation) error {
	return failsafe.With(retrypolicy.NewWithDefaults[any]()).Run(op) // want "X3: 3 attempts without a pause .failsafe-go defaults, nothing set here." // site "attempts=3 sleep=0s default=true"
}

func rican7defaults(op operation) error {
	return rican7.Retry(rican7of(op)) // want "RE-3: retried without a limit" "X3: retried at once and without end" // site "attempts=unbounded backoff=none"
}

func lestrratDefaults(ctx context.Context, op operation) error {
	c := lestrrat.Exponential().Start(ctx) // want "RE-3: 11 attempts" "RE-4: " "RE-2: " // site "attempts=11 sleep=56.6s default=true"
	for lestrrat.Continue(c) {
		if op() == nil {
			return nil
		}
	}
	return ctx.Err()
}

func retryablehttpDefaults() *retryablehttp.Client {
	return retryablehttp.NewClient() // want "RE-4: waits up to 15s in memory" "RE-2: " // site "attempts=5 sleep=15s default=true"
}

func pesterDefaults() (*http.Response, error) {
	return pester.Get("https://pay.example/status") // want "X3: " // site "attempts=3 sleep=2s default=true"
}
