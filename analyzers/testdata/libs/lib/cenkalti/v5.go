package cenkalti

import (
	"context"
	"time"

	backoff5 "github.com/cenkalti/backoff/v5"
)

func value() (int, error) { return 1, ping() }

func version5(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithMaxTries(3)) // site "attempts=3 backoff=exponential+jitter sleep=1.87s predicate=catch-all"
}

func version5BackOff(ctx context.Context) (int, error) {
	b := backoff5.NewExponentialBackOff()
	b.InitialInterval = time.Second
	b.Multiplier = 3
	b.RandomizationFactor = 0.25
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(b), backoff5.WithMaxTries(3), backoff5.WithMaxElapsedTime(0)) // site "attempts=3 sleep=5s"
}

func version5Elapsed(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithMaxElapsedTime(3*time.Second)) // site "attempts=4 backoff=exponential+jitter sleep=3s"
}

func version5Constant(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(backoff5.NewConstantBackOff(time.Second)), backoff5.WithMaxTries(4)) // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s"
}

// Without Multiplier and MaxInterval the interval never grows.
func version5BareLiteral(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(&backoff5.ExponentialBackOff{InitialInterval: time.Second}), backoff5.WithMaxTries(3)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func version5WithoutMultiplier(ctx context.Context) (int, error) {
	b := &backoff5.ExponentialBackOff{InitialInterval: time.Second, MaxInterval: 10 * time.Second}
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(b), backoff5.WithMaxTries(3)) // want "X3: 3 attempts a constant 1s apart" // site "backoff=constant"
}

func version5Literal(ctx context.Context) (int, error) {
	b := &backoff5.ExponentialBackOff{InitialInterval: time.Second, MaxInterval: 10 * time.Second, Multiplier: 2, RandomizationFactor: 0.5}
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(b), backoff5.WithMaxTries(3)) // site "attempts=3 backoff=exponential+jitter sleep=4.5s"
}

func version5Zero(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithBackOff(&backoff5.ZeroBackOff{}), backoff5.WithMaxTries(3)) // want "X3: 3 attempts without a pause: all are spent within the failure that caused the first" // site "attempts=3 backoff=none sleep=0s"
}

func version5Notify(ctx context.Context) (int, error) {
	return backoff5.Retry(ctx, value, backoff5.WithMaxTries(2), backoff5.WithNotify(func(error, time.Duration) {})) // site "attempts=2 sleep=750ms"
}
