// Package measured has policies that are run by its test: what the comments say
// is what happens to an operation that always fails.
package measured

import (
	"context"
	"errors"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	gax "github.com/googleapis/gax-go/v2"
	"github.com/grafana/dskit/backoff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
	"github.com/zeromicro/go-zero/core/fx"
)

var errDown = errors.New("down")

func terraform20s(op func()) error {
	return retry.RetryContext(context.Background(), 20*time.Second, func() *retry.RetryError { // site "attempts=6 sleep=20s" // want "RE-3: 6 attempts" "RE-4: waits up to 20s" "RE-2: exponential without jitter .500ms, 1s, 2s, 4s, ...."
		op()
		return retry.RetryableError(errDown)
	})
}

func terraform100ms(op func()) error {
	return retry.RetryContext(context.Background(), 100*time.Millisecond, func() *retry.RetryError { // site "attempts=1 sleep=100ms" // want "RE-2: "
		op()
		return retry.RetryableError(errDown)
	})
}

func gaxTimeout(op func()) error {
	return gax.Invoke(context.Background(), func(context.Context, gax.CallSettings) error { // site "attempts=unknown sleep=5s"
		op()
		return errDown
	}, gax.WithTimeout(5*time.Second), gax.WithRetry(func() gax.Retryer {
		return gax.OnErrorFunc(gax.Backoff{Initial: 100 * time.Millisecond}, func(error) bool { return true })
	}))
}

func dskitOf0(op func()) error {
	b := backoff.New(context.Background(), backoff.Config{MinBackoff: time.Millisecond, MaxBackoff: 2 * time.Millisecond}) // site "attempts=unbounded" // want "RE-3: "
	for b.Ongoing() {
		op()
		b.Wait()
	}
	return b.Err()
}

func dskitOf3(op func()) error {
	b := backoff.New(context.Background(), backoff.Config{MinBackoff: time.Second, MaxBackoff: time.Second, MaxRetries: 3}) // site "attempts=3"
	for b.Ongoing() {
		op()
		b.Wait()
	}
	return b.Err()
}

func dskitNoMax(op func()) error {
	b := backoff.New(context.Background(), backoff.Config{MinBackoff: time.Second, MaxRetries: 4}) // site "attempts=4 sleep=3s" // want "X3: "
	for b.Ongoing() {
		op()
		b.Wait()
	}
	return b.Err()
}

func goZeroOf0(op func()) error {
	return fx.DoWithRetry(func() error { op(); return errDown }, fx.WithRetry(0)) // nosite
}

func goZeroDefaults(op func()) error {
	return fx.DoWithRetry(func() error { op(); return errDown }) // site "attempts=3 sleep=0s" // want "X3: "
}

func goZeroTimeout(op func()) error {
	return fx.DoWithRetry(func() error { op(); return errDown }, fx.WithRetry(9), fx.WithInterval(time.Second), fx.WithTimeout(2500*time.Millisecond)) // site "attempts=3 sleep=2.5s" // want "X3: "
}

func watermillOf3(op func()) error {
	return handle(middleware.Retry{MaxRetries: 3, InitialInterval: time.Second}, op) // site "attempts=4 sleep=3s" // want "X3: "
}

func watermillOf0(op func()) error {
	return handle(middleware.Retry{MaxRetries: 0, InitialInterval: time.Second}, op) // nosite
}

func watermillUnlimited(op func()) error {
	return handle(middleware.Retry{MaxRetries: -1, InitialInterval: time.Millisecond, MaxInterval: time.Millisecond, Multiplier: 1}, op) // site "attempts=unbounded" // want "RE-3: " "X3: "
}

func watermillWaits(op func()) error {
	return handle(middleware.Retry{MaxRetries: 4, InitialInterval: 100 * time.Millisecond, MaxInterval: time.Second, Multiplier: 3}, op) // site "attempts=5 sleep=2.3s" // want "RE-2: exponential without jitter .100ms, 300ms, 900ms, 1s."
}

func handle(r middleware.Retry, op func()) error {
	_, err := r.Middleware(func(*message.Message) ([]*message.Message, error) { op(); return nil, errDown })(message.NewMessage("1", nil))
	return err
}
