// Package retryctx has what rule RSL-CTX reports, and what it does not.
package retryctx

import (
	"context"
	"errors"
	"math/rand"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
)

type orders struct{ http *http.Client }

var errBusy = errors.New("busy")

func (o *orders) send(ctx context.Context, id string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://orders.example/"+id, nil)
	if err != nil {
		return err
	}
	resp, err := o.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return errBusy
	}
	return nil
}

// pause doubles, with jitter: 200ms to 300ms, 400ms to 500ms, ...
func pause(attempt int) time.Duration {
	return 200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond)))
}

func sleeps(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: time.Sleep ignores ctx, up to 500ms each time: who gives up waits to the end$" // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		if attempt < 2 {
			time.Sleep(pause(attempt))
		}
	}
	return err
}

func sleepsLong(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: time.Sleep ignores ctx, up to 2.1s each time" // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond))))
		if attempt == 1 {
			continue
		}
	}
	return err
}

// The wait is in a helper.
func byHelper(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: rest ignores ctx" // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		rest(attempt)
	}
	return err
}

func rest(attempt int) {
	d := pause(attempt)
	time.Sleep(d)
}

// A timer that nothing else is waited for with.
func byTimer(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: a timer ignores ctx" // site "attempts=3"
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		<-time.After(pause(attempt))
	}
	return err
}

// The request has the context.
func (o *orders) do(req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: time.Sleep ignores req.Context..," // site "attempts=3"
		if resp, err = o.http.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(pause(attempt))
	}
	return nil, err
}

// It is asked each turn, but a wait of two seconds is long.
func askedButLong(ctx context.Context, o *orders, id string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-CTX: time.Sleep ignores ctx, up to 4.1s each time" // site "attempts=3"
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err = o.send(ctx, id); err == nil {
			return nil
		}
		time.Sleep(2*time.Second<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond))))
	}
	return err
}

func withoutOption(ctx context.Context, o *orders, id string) error {
	return avast.Do(func() error { return o.send(ctx, id) }, avast.Attempts(3)) // want "^RSL-CTX: retry-go.Do waits between attempts whatever ctx says, up to 300ms each time" // site "attempts=3"
}

func withoutContext(ctx context.Context, o *orders, id string) error {
	b := backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)
	return backoff.Retry(func() error { return o.send(ctx, id) }, b) // want "^RSL-CTX: backoff.Retry waits between attempts whatever ctx says" // site "attempts=3"
}

// The other method would take it.
func otherMethod(ctx context.Context, o *orders, id string) error {
	r := retrier.New(retrier.ExponentialBackoff(2, 500*time.Millisecond), nil) // want "^RSL-CTX: retrier.Retrier.Run waits between attempts whatever ctx says" "RE-2" // site "attempts=3"
	return r.Run(func() error { return o.send(ctx, id) })
}

func stillToDo(ctx context.Context, o *orders, id string) error {
	_, err := backoff5.Retry(context.TODO(), func() (bool, error) { // want "^RSL-CTX: backoff.Retry waits between attempts whatever ctx says" // site "attempts=3"
		return true, o.send(ctx, id)
	}, backoff5.WithMaxTries(3))
	return err
}

// The operation has the caller's context, the retry has none.
func backgroundForTheRetryAlone(ctx context.Context, o *orders, id string) error {
	_, err := backoff5.Retry(context.Background(), func() (bool, error) { // want "^RSL-CTX: backoff.Retry waits" // site "attempts=3"
		return true, o.send(ctx, id)
	}, backoff5.WithMaxTries(3))
	return err
}
