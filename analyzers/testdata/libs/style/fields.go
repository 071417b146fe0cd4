package style

import (
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

type adapter struct {
	attempts uint
	wait     time.Duration
	newBack  func() backoff.BackOff
	policy   policy
}

type policy struct {
	tries uint
	pause time.Duration
}

func newAdapter() *adapter {
	return &adapter{
		attempts: 3,
		wait:     100 * time.Millisecond,
		policy:   policy{tries: 9, pause: 10 * time.Millisecond},
		newBack:  newBackOff,
	}
}

func newBackOff() backoff.BackOff {
	return backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)
}

func (a *adapter) fieldsSetInConstructor() error {
	return retry.Do(ping, retry.Attempts(a.attempts), retry.Delay(a.wait)) // site "attempts=3 sleep=500ms"
}

func (a *adapter) nestedFieldsSetInConstructor() error {
	return retry.Do(ping, retry.Attempts(a.policy.tries), retry.Delay(a.policy.pause), retry.DelayType(retry.FixedDelay)) // want "RE-3: 9 attempts over 80ms" "X3: 9 attempts a constant 10ms apart" // site "attempts=9 backoff=constant sleep=80ms"
}

func helperReturnsPolicy() error {
	return backoff.Retry(ping, newBackOff()) // site "attempts=3 backoff=exponential+jitter sleep=1.87s"
}

func (a *adapter) functionFieldReturnsPolicy() error {
	return backoff.Retry(ping, a.newBack()) // site "attempts=unknown"
}

// Set by a method after the constructor: either value.
type worker struct{ attempts uint }

func newWorker() *worker { return &worker{attempts: 3} }

func (w *worker) eager() { w.attempts = 5 }

func (w *worker) run() error {
	return retry.Do(ping, retry.Attempts(w.attempts)) // site "attempts=3-5"
}

// Functional options of our own.
type client struct{ attempts uint }

type option func(*client)

func withAttempts(n uint) option { return func(c *client) { c.attempts = n } }

func newClient(opts ...option) *client {
	c := &client{attempts: 3}
	for _, o := range opts {
		o(c)
	}
	return c
}

func (c *client) pay() error {
	return retry.Do(ping, retry.Attempts(c.attempts)) // site "backoff=exponential+jitter"
}

func pays() error {
	return newClient(withAttempts(4)).pay() // site "attempts=4 mechanism=wrapper"
}
