package loops

import (
	"context"
	"net/http"
	"time"
)

// withRetry is as people write it.
func withRetry(attempts int, wait time.Duration, op func() error) (err error) {
	for i := 0; i < attempts; i++ { // want "RE-2: exponential without jitter" // site "attempts=3-8 backoff=exponential mechanism=loop"
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(wait)
		wait *= 2
	}
	return err
}

func register(c *http.Client) error {
	return withRetry(3, time.Second, func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" // site "attempts=3 backoff=exponential sleep=3s mechanism=wrapper effect=write"
		_, err := c.Post("https://bank.example/payments", "application/json", nil)
		return err
	})
}

func tooOften(c *http.Client) error {
	return withRetry(8, time.Second, func() error { // want "RE-3: 8 attempts" "RE-4: waits up to 2m7s" // site "attempts=8"
		_, err := c.Get(status)
		return err
	})
}

func once(c *http.Client) error {
	return withRetry(1, time.Second, func() error { // nosite
		_, err := c.Post("https://bank.example/payments", "application/json", nil)
		return err
	})
}

// Retrier keeps the operation until it runs it.
type retrier struct {
	limit int
	op    func(context.Context) error
}

func (r retrier) run(ctx context.Context) (err error) {
	for i := 0; i < r.limit; i++ { // want "RE-3: 7 attempts" "X3: 7 attempts a constant 100ms apart" // site "attempts=7 mechanism=loop"
		if err = r.op(ctx); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func kept(ctx context.Context, c *http.Client) error {
	return retrier{limit: 7, op: func(ctx context.Context) error {
		_, err := c.Get(status)
		return err
	}}.run(ctx)
}

// do has a result.
func do[T any](n int, op func() (T, error)) (out T, err error) {
	for range n { // site "mechanism=loop"
		if out, err = op(); err == nil {
			return out, nil
		}
	}
	return out, err
}

func generic(c *http.Client) (*http.Response, error) {
	return do(4, func() (*http.Response, error) { // want "X1: POST /payments may be applied up to 4 times" // site "attempts=4 backoff=none mechanism=wrapper"
		return c.Post("https://bank.example/payments", "application/json", nil)
	})
}

// through hands on what it is given.
func through(op func() error) error { return withRetry(3, time.Millisecond, op) } // site "attempts=3"

func twoHelpersDeep(c *http.Client) error {
	return through(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 mechanism=wrapper"
		_, err := c.Post("https://bank.example/payments", "application/json", nil)
		return err
	})
}

// A local closure retries, too.
func localHelper(c *http.Client) error {
	try := func(op func() error) (err error) {
		for i := 0; i < 3; i++ { // want "X3: 3 attempts without a pause" // site "attempts=3 mechanism=loop"
			if err = op(); err == nil {
				break
			}
		}
		return err
	}
	return try(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 mechanism=wrapper"
		_, err := c.Post("https://bank.example/payments", "application/json", nil)
		return err
	})
}
