package avast

import (
	"context"
	"time"

	retry5 "github.com/avast/retry-go/v5"
)

func version5(ctx context.Context) error {
	return retry5.New(retry5.Attempts(3), retry5.Delay(500*time.Millisecond), retry5.Context(ctx)).Do(ping) // site "attempts=3 backoff=exponential+jitter sleep=1.7s"
}

func version5Defaults() error {
	return retry5.New().Do(ping) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here." "RE-4: waits up to 52s in memory .retry-go defaults, 10 attempts.: a restart loses it" // site "attempts=10 default=true"
}

func version5WithData() (int, error) {
	return retry5.NewWithData[int](retry5.Attempts(3)).Do(func() (int, error) { return 1, ping() }) // site "attempts=3 sleep=500ms"
}

// The site is where the retrier is made.
func retrierInLocal() error {
	retrier := retry5.New(retry5.Attempts(6), retry5.Delay(10*time.Millisecond), retry5.MaxJitter(10*time.Millisecond)) // want "RE-3: 6 attempts over 335ms; at most 5, 3 is typical" // site "attempts=6"
	return retrier.Do(ping)
}

var shared = retry5.New(retry5.Attempts(3))

func retrierInPackageVariable() error {
	return shared.Do(ping) // site "attempts=3"
}

type client struct{ retrier *retry5.Retrier }

func newClient() *client {
	return &client{retrier: retry5.New(retry5.Attempts(3))}
}

func (c *client) pay() error {
	return c.retrier.Do(ping) // site "attempts=3"
}

func withoutJitter() error {
	return retry5.New(retry5.Attempts(3), retry5.MaxJitter(0)).Do(ping) // want "RE-2: exponential without jitter" // site "backoff=exponential sleep=300ms"
}
