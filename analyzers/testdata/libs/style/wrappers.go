package style

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

func withRetry(op func() error) error {
	return retry.Do(op, retry.Attempts(3)) // site "attempts=3 mechanism=library"
}

func callsWrapper() error {
	return withRetry(ping) // site "attempts=3 mechanism=wrapper"
}

func callsWrapperWithClosure() error {
	return withRetry(func() error { return ping() }) // site "attempts=3 mechanism=wrapper"
}

// What the wrapper fixes is judged in the wrapper.
func withTooMany(op func() error) error {
	return retry.Do(op, retry.Attempts(8), retry.Delay(time.Millisecond)) // want "RE-3: 8 attempts over" // site "attempts=8"
}

func callsWrapperWithTooMany() error {
	return withTooMany(ping) // site "attempts=8 mechanism=wrapper"
}

// What the caller passes is judged at the call.
func withAttemptsOfCaller(n uint, op func() error) error {
	return retry.Do(op, retry.Attempts(n), retry.Delay(time.Millisecond)) // site "backoff=exponential+jitter"
}

func passesFew() error {
	return withAttemptsOfCaller(3, ping) // site "attempts=3 mechanism=wrapper"
}

func passesTooMany() error {
	return withAttemptsOfCaller(7, ping) // want "RE-3: 7 attempts over" // site "attempts=7 mechanism=wrapper"
}

func wrapperOfWrapper(op func() error) error {
	return withAttemptsOfCaller(6, op) // want "RE-3: 6 attempts over" // site "attempts=6 mechanism=wrapper"
}

func callsWrapperOfWrapper() error {
	return wrapperOfWrapper(ping) // site "attempts=6 mechanism=wrapper"
}

// The wrapper calls its parameter inside a closure.
func withLogging(ctx context.Context, op func(context.Context) error) error {
	return retry.Do(func() error { // site "attempts=3 mechanism=library"
		return op(ctx)
	}, retry.Attempts(3), retry.Context(ctx))
}

func callsLogging(ctx context.Context) error {
	return withLogging(ctx, func(context.Context) error { return ping() }) // site "attempts=3 mechanism=wrapper"
}

func generic[T any](op func() (T, error)) (T, error) {
	var out T
	err := retry.Do(func() (err error) { // site "attempts=4 mechanism=library"
		out, err = op()
		return err
	}, retry.Attempts(4))
	return out, err
}

func callsGeneric() (int, error) {
	return generic(func() (int, error) { return 1, ping() }) // site "attempts=4 mechanism=wrapper"
}

func callsGenericInstantiated() (string, error) {
	return generic[string](func() (string, error) { return "", ping() }) // site "attempts=4 mechanism=wrapper"
}

// A method that retries with the policy of its object.
type group struct {
	attempts uint
}

func (g *group) run(op func() error) error {
	return retry.Do(op, retry.Attempts(g.attempts)) // site "mechanism=library"
}

func callsMethod() error {
	g := &group{attempts: 4}
	return g.run(ping) // site "attempts=4 mechanism=wrapper"
}

func withPolicy(op func() error, b backoff.BackOff) error {
	return backoff.Retry(op, b) // site "mechanism=library"
}

func passesPolicy() error {
	return withPolicy(ping, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 2)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant mechanism=wrapper"
}

// Runs code of its own with a policy that it is given.
func pollWith(b backoff.BackOff) error {
	return backoff.Retry(ping, b) // site "mechanism=library"
}

func givesPolicy() error {
	return pollWith(backoff.NewConstantBackOff(time.Second)) // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 1s apart" // site "attempts=unbounded mechanism=wrapper"
}
