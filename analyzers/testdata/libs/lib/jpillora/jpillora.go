// Package jpillora has loops that take their waits from jpillora/backoff: how
// often they turn is their own business, and no site.
package jpillora

import (
	"context"
	"net/http"
	"time"

	"github.com/jpillora/backoff"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func reconnect(ctx context.Context) error {
	b := &backoff.Backoff{Min: 100 * time.Millisecond, Max: 10 * time.Second, Jitter: true}
	for { // site "attempts=unbounded backoff=exponential+jitter mechanism=loop"
		if err := ping(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(b.Duration()):
		}
	}
}

func five() (err error) {
	b := backoff.Backoff{Jitter: true}
	for b.Attempt() < 5 { // site "attempts=unknown backoff=exponential+jitter mechanism=loop"
		if err = ping(); err == nil {
			return nil
		}
		time.Sleep(b.Duration())
	}
	return err
}
