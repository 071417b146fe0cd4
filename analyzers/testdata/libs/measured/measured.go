// Package measured has, for each library, what limits of 0, 1 and 3 come to:
// measured with an operation that always fails. The test of this package runs
// the same calls.
package measured

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	rican7 "github.com/Rican7/retry"
	"github.com/Rican7/retry/strategy"
	songmu "github.com/Songmu/retry"
	avast3 "github.com/avast/retry-go/v3"
	avast4 "github.com/avast/retry-go/v4"
	avast5 "github.com/avast/retry-go/v5"
	"github.com/buildkite/roko"
	cenkalti2 "github.com/cenkalti/backoff"
	cenkalti3 "github.com/cenkalti/backoff/v3"
	cenkalti4 "github.com/cenkalti/backoff/v4"
	cenkalti5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/go-resty/resty/v2"
	"github.com/gojek/heimdall/v7/httpclient"
	"github.com/hashicorp/go-retryablehttp"
	lestrrat "github.com/lestrrat-go/backoff/v2"
	"github.com/sethgrid/pester"
	sethvargo "github.com/sethvargo/go-retry"
)

const pause = time.Millisecond

// An operation fails and says whether it wants to be called no more.
type operation func() error

func cenkalti2of0(op operation) error {
	return cenkalti2.Retry(cenkalti2.Operation(op), cenkalti2.WithMaxRetries(cenkalti2.NewConstantBackOff(pause), 0)) // site "attempts=unbounded" // want "RE-3: retried without a limit" "X3: "
}

func cenkalti2of1(op operation) error {
	return cenkalti2.Retry(cenkalti2.Operation(op), cenkalti2.WithMaxRetries(cenkalti2.NewConstantBackOff(pause), 1)) // site "attempts=2" // want "X3: "
}

func cenkalti2of3(op operation) error {
	return cenkalti2.Retry(cenkalti2.Operation(op), cenkalti2.WithMaxRetries(cenkalti2.NewConstantBackOff(pause), 3)) // site "attempts=4" // want "X3: "
}

func cenkalti3of0(op operation) error {
	return cenkalti3.Retry(cenkalti3.Operation(op), cenkalti3.WithMaxRetries(cenkalti3.NewConstantBackOff(pause), 0)) // site "attempts=unbounded" // want "RE-3: retried without a limit" "X3: "
}

func cenkalti3of1(op operation) error {
	return cenkalti3.Retry(cenkalti3.Operation(op), cenkalti3.WithMaxRetries(cenkalti3.NewConstantBackOff(pause), 1)) // site "attempts=2" // want "X3: "
}

func cenkalti3of3(op operation) error {
	return cenkalti3.Retry(cenkalti3.Operation(op), cenkalti3.WithMaxRetries(cenkalti3.NewConstantBackOff(pause), 3)) // site "attempts=4" // want "X3: "
}

func cenkalti4of0(op operation) error {
	return cenkalti4.Retry(cenkalti4.Operation(op), cenkalti4.WithMaxRetries(cenkalti4.NewConstantBackOff(pause), 0)) // nosite
}

func cenkalti4of1(op operation) error {
	return cenkalti4.Retry(cenkalti4.Operation(op), cenkalti4.WithMaxRetries(cenkalti4.NewConstantBackOff(pause), 1)) // site "attempts=2" // want "X3: "
}

func cenkalti4of3(op operation) error {
	return cenkalti4.Retry(cenkalti4.Operation(op), cenkalti4.WithMaxRetries(cenkalti4.NewConstantBackOff(pause), 3)) // site "attempts=4" // want "X3: "
}

func cenkalti5value(op operation) cenkalti5.Operation[int] {
	return func() (int, error) { return 0, op() }
}

func cenkalti5of0(ctx context.Context, op operation) error {
	_, err := cenkalti5.Retry(ctx, cenkalti5value(op), cenkalti5.WithMaxTries(0), cenkalti5.WithMaxElapsedTime(0), // site "attempts=unbounded" // want "RE-3: retried without a limit" "X3: "
		cenkalti5.WithBackOff(cenkalti5.NewConstantBackOff(pause)))
	return err
}

func cenkalti5of1(ctx context.Context, op operation) error {
	_, err := cenkalti5.Retry(ctx, cenkalti5value(op), cenkalti5.WithMaxTries(1), // nosite
		cenkalti5.WithBackOff(cenkalti5.NewConstantBackOff(pause)))
	return err
}

func cenkalti5of3(ctx context.Context, op operation) error {
	_, err := cenkalti5.Retry(ctx, cenkalti5value(op), cenkalti5.WithMaxTries(3), // site "attempts=3" // want "X3: "
		cenkalti5.WithBackOff(cenkalti5.NewConstantBackOff(pause)))
	return err
}

func avast3of0(op operation) error {
	return avast3.Do(avast3.RetryableFunc(op), avast3.Attempts(0), avast3.Delay(pause)) // nosite
}

func avast3of1(op operation) error {
	return avast3.Do(avast3.RetryableFunc(op), avast3.Attempts(1), avast3.Delay(pause)) // nosite
}

func avast3of3(op operation) error {
	return avast3.Do(avast3.RetryableFunc(op), avast3.Attempts(3), avast3.Delay(pause)) // site "attempts=3"
}

func avast4of0(op operation) error {
	return avast4.Do(avast4.RetryableFunc(op), avast4.Attempts(0), avast4.Delay(pause)) // site "attempts=unbounded" // want "RE-3: retried without a limit"
}

func avast4of1(op operation) error {
	return avast4.Do(avast4.RetryableFunc(op), avast4.Attempts(1), avast4.Delay(pause)) // nosite
}

func avast4of3(op operation) error {
	return avast4.Do(avast4.RetryableFunc(op), avast4.Attempts(3), avast4.Delay(pause)) // site "attempts=3"
}

func avast5of0(op operation) error {
	return avast5.New(avast5.Attempts(0), avast5.Delay(pause)).Do(avast5.RetryableFunc(op)) // site "attempts=unbounded" // want "RE-3: retried without a limit"
}

func avast5of1(op operation) error {
	return avast5.New(avast5.Attempts(1), avast5.Delay(pause)).Do(avast5.RetryableFunc(op)) // nosite
}

func avast5of3(op operation) error {
	return avast5.New(avast5.Attempts(3), avast5.Delay(pause)).Do(avast5.RetryableFunc(op)) // site "attempts=3"
}

func sethvargoof(op operation) sethvargo.RetryFunc {
	return func(context.Context) error { return sethvargo.RetryableError(op()) }
}

func sethvargoof0(ctx context.Context, op operation) error {
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(0, sethvargo.NewConstant(pause)), sethvargoof(op)) // nosite
}

func sethvargoof1(ctx context.Context, op operation) error {
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(1, sethvargo.NewConstant(pause)), sethvargoof(op)) // site "attempts=2" // want "X3: "
}

func sethvargoof3(ctx context.Context, op operation) error {
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(3, sethvargo.NewConstant(pause)), sethvargoof(op)) // site "attempts=4" // want "X3: "
}

func eapacheof0(op operation) error {
	return retrier.New(retrier.ConstantBackoff(0, pause), nil).Run(op) // nosite
}

func eapacheof1(op operation) error {
	return retrier.New(retrier.ConstantBackoff(1, pause), nil).Run(op) // site "attempts=2" // want "X3: "
}

func eapacheof3(op operation) error {
	return retrier.New(retrier.ConstantBackoff(3, pause), nil).Run(op) // site "attempts=4" // want "X3: "
}

func failsafeAttemptsof0(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxAttempts(0).WithDelay(pause).Build()).Run(op) // site "attempts=unbounded" // want "RE-3: retried without a limit" "X3: "
}

func failsafeAttemptsof1(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxAttempts(1).WithDelay(pause).Build()).Run(op) // nosite
}

func failsafeAttemptsof3(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxAttempts(3).WithDelay(pause).Build()).Run(op) // site "attempts=3" // want "X3: "
}

func failsafeRetriesof0(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(0).WithDelay(pause).Build()).Run(op) // nosite
}

func failsafeRetriesof1(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(1).WithDelay(pause).Build()).Run(op) // site "attempts=2" // want "X3: "
}

func failsafeRetriesof3(op operation) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(3).WithDelay(pause).Build()).Run(op) // site "attempts=4" // want "X3: "
}

func rican7of(op operation) rican7.Action { return func(uint) error { return op() } }

func rican7of0(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(0), strategy.Wait(pause)) // nosite
}

func rican7of1(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(1), strategy.Wait(pause)) // nosite
}

func rican7of3(op operation) error {
	return rican7.Retry(rican7of(op), strategy.Limit(3), strategy.Wait(pause)) // site "attempts=3" // want "X3: "
}

func lestrratof0(ctx context.Context, op operation) error {
	c := lestrrat.Constant(lestrrat.WithMaxRetries(0), lestrrat.WithInterval(pause)).Start(ctx) // site "attempts=unbounded" // want "RE-3: retried without a limit" "X3: "
	for lestrrat.Continue(c) {
		if op() == nil {
			return nil
		}
	}
	return ctx.Err()
}

func lestrratof1(ctx context.Context, op operation) error {
	c := lestrrat.Constant(lestrrat.WithMaxRetries(1), lestrrat.WithInterval(pause)).Start(ctx) // site "attempts=2" // want "X3: "
	for lestrrat.Continue(c) {
		if op() == nil {
			return nil
		}
	}
	return ctx.Err()
}

func lestrratof3(ctx context.Context, op operation) error {
	c := lestrrat.Constant(lestrrat.WithMaxRetries(3), lestrrat.WithInterval(pause)).Start(ctx) // site "attempts=4" // want "X3: "
	for lestrrat.Continue(c) {
		if op() == nil {
			return nil
		}
	}
	return ctx.Err()
}

func songmuof0(op operation) error {
	return songmu.Retry(0, pause, op) // nosite
}

func songmuof1(op operation) error {
	return songmu.Retry(1, pause, op) // nosite
}

func songmuof3(op operation) error {
	return songmu.Retry(3, pause, op) // site "attempts=3" // want "X3: "
}

func rokoof(op operation) func(*roko.Retrier) error { return func(*roko.Retrier) error { return op() } }

func rokoof1(op operation) error {
	return roko.NewRetrier(roko.WithMaxAttempts(1), roko.WithStrategy(roko.Constant(pause))).Do(rokoof(op)) // nosite
}

func rokoof3(op operation) error {
	return roko.NewRetrier(roko.WithMaxAttempts(3), roko.WithStrategy(roko.Constant(pause))).Do(rokoof(op)) // site "attempts=3" // want "X3: "
}

func retryablehttpof0() *retryablehttp.Client {
	c := retryablehttp.NewClient() // nosite
	c.RetryMax = 0
	return c
}

func retryablehttpof1() *retryablehttp.Client {
	c := retryablehttp.NewClient() // site "attempts=2" // want "RE-2: "
	c.RetryMax = 1
	return c
}

func retryablehttpof3() *retryablehttp.Client {
	c := retryablehttp.NewClient() // site "attempts=4 sleep=7s" // want "RE-2: "
	c.RetryMax = 3
	return c
}

func restyof0() *resty.Client { return resty.New().SetRetryCount(0) } // nosite

func restyof1() *resty.Client { return resty.New().SetRetryCount(1) } // site "attempts=2"

func restyof3() *resty.Client { return resty.New().SetRetryCount(3) } // site "attempts=4"

func pesterof0() *pester.Client {
	c := pester.New() // nosite
	c.MaxRetries = 0
	return c
}

func pesterof1() *pester.Client {
	c := pester.New() // nosite
	c.MaxRetries = 1
	return c
}

func pesterof3() *pester.Client {
	c := pester.New() // site "attempts=3" // want "X3: "
	c.MaxRetries = 3
	return c
}

func heimdallof0() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithRetryCount(0), httpclient.WithHTTPTimeout(time.Second)) // nosite
}

func heimdallof1() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithRetryCount(1), httpclient.WithHTTPTimeout(time.Second)) // site "attempts=2"
}

func heimdallof3() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithRetryCount(3), httpclient.WithHTTPTimeout(time.Second)) // site "attempts=4" // want "X3: "
}

func azcoreof0() policy.RetryOptions {
	return policy.RetryOptions{MaxRetries: 0, RetryDelay: pause} // site "attempts=4"
}

func azcoreof1() policy.RetryOptions {
	return policy.RetryOptions{MaxRetries: 1, RetryDelay: pause} // site "attempts=2"
}

func azcoreof3() policy.RetryOptions {
	return policy.RetryOptions{MaxRetries: 3, RetryDelay: pause} // site "attempts=4"
}
