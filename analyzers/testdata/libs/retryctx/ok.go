package retryctx

import (
	"context"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
	sethvargo "github.com/sethvargo/go-retry"
)

func selects(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		select {
		case <-time.After(pause(attempt)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// The helper listens.
func helperListens(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		if !sleepOrDone(ctx, pause(attempt)) {
			return ctx.Err()
		}
	}
	return err
}

func sleepOrDone(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Asked each turn, and half a second is short.
func askedAndShort(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3 && ctx.Err() == nil; attempt++ { // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		time.Sleep(pause(attempt % 2))
	}
	return err
}

// There is none.
func noneInScope(o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err = o.send(context.Background(), id); err == nil {
			return nil
		}
		time.Sleep(pause(attempt))
	}
	return err
}

// What must be done even if the caller gives up: the attempts are detached, too.
func rollBack(ctx context.Context, o *orders, id string) (err error) {
	detached, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err = o.send(detached, id); err == nil {
			return nil
		}
		time.Sleep(pause(attempt))
	}
	return err
}

// Nobody has a use for it.
func unnamed(_ context.Context, c *http.Client) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err := c.Get("https://orders.example")
		if err == nil {
			resp.Body.Close()
			return nil
		}
		time.Sleep(pause(attempt))
	}
	return err
}

// Another channel ends the wait.
func stopChannel(ctx context.Context, o *orders, id string, stop <-chan struct{}) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		select {
		case <-time.After(pause(attempt)):
		case <-stop:
			return err
		}
	}
	return err
}

// No one minds a few milliseconds.
func brief(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 2; attempt++ { // want "^X3" // site "attempts=2"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		if attempt == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
	return err
}

// Nothing is waited.
func atOnce(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 2; attempt++ { // site "attempts=2 backoff=none"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
	}
	return err
}

func option(ctx context.Context, o *orders, id string) error {
	return avast.Do(func() error { return o.send(ctx, id) }, avast.Attempts(3), avast.Context(ctx)) // site "attempts=3"
}

func wrapped(ctx context.Context, o *orders, id string) error {
	b := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2), ctx)
	return backoff.Retry(func() error { return o.send(ctx, id) }, b) // site "attempts=3"
}

func argument(ctx context.Context, o *orders, id string) error {
	b := sethvargo.WithJitter(50*time.Millisecond, sethvargo.WithMaxRetries(2, sethvargo.NewExponential(200*time.Millisecond)))
	return sethvargo.Do(ctx, b, func(ctx context.Context) error { return sethvargo.RetryableError(o.send(ctx, id)) }) // site "attempts=3"
}

func runCtx(ctx context.Context, o *orders, id string) error {
	r := retrier.New(retrier.ExponentialBackoff(2, 500*time.Millisecond), nil) // want "^RE-2" // site "attempts=3"
	return r.RunCtx(ctx, func(ctx context.Context) error { return o.send(ctx, id) })
}

// Detached as a whole, with a limit of its own.
func detached(ctx context.Context, o *orders, id string) error {
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, err := backoff5.Retry(own, func() (bool, error) { return true, o.send(own, id) }, backoff5.WithMaxTries(3)) // site "attempts=3"
	return err
}

// On purpose: neither the retry nor its attempts end with the caller.
func fireAndForget(ctx context.Context, o *orders, id string) error {
	_, err := backoff5.Retry(context.Background(), func() (bool, error) { // site "attempts=3"
		return true, o.send(context.Background(), id)
	}, backoff5.WithMaxTries(3))
	return err
}
