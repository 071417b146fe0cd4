// Package retrylost has what rule RSL-LOST reports, and what it does not.
package retrylost

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

var (
	errGaveUp      = errors.New("gave up")
	errUnavailable = errors.New("stock is unavailable")
)

type stock struct{ http *http.Client }

func (s *stock) count(ctx context.Context, id string) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://stock.example/"+id, nil)
	if err != nil {
		return 0, err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.ContentLength, nil
}

func wait(ctx context.Context, attempt int) {
	select {
	case <-time.After(200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond)))):
	case <-ctx.Done():
	}
}

func madeHere(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LOST: when the attempts are over nobody learns why they failed: another error is returned in place of theirs$" // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		wait(ctx, attempt)
	}
	return 0, errors.New("stock service failed")
}

func aSentinel(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := range 3 { // want "^RSL-LOST: " // site "attempts=3"
		if n, err := s.count(ctx, id); err == nil {
			return n, nil
		}
		wait(ctx, attempt)
	}
	return 0, errGaveUp
}

func formatted(ctx context.Context, s *stock, id string) (int64, error) {
	const attempts = 3
	for attempt := 0; attempt < attempts; attempt++ { // want "^RSL-LOST: " // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		wait(ctx, attempt)
	}
	return 0, fmt.Errorf("no count of %s after %d attempts", id, attempts)
}

// What is not worth another attempt is returned; what is, is lost.
func classified(ctx context.Context, s *stock, id string) (n int64, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LOST: " // site "attempts=3"
		n, err = s.count(ctx, id)
		if err != nil {
			if !temporary(err) {
				return 0, err
			}
			wait(ctx, attempt)
			continue
		}
		break
	}
	if n == 0 {
		return 0, errors.New("unable to count")
	}
	return n, nil
}

func temporary(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// The last attempt is told by its number, inside.
func lastByNumber(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := 1; ; attempt++ { // want "^RSL-LOST: " // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		if attempt == 3 {
			return 0, errGaveUp
		}
		wait(ctx, attempt)
	}
}

// What the library returns is dropped.
func ofALibrary(ctx context.Context, s *stock, id string) (n int64, err error) {
	err = avast.Do(func() (err error) { // want "^RSL-LOST: " // site "attempts=3"
		n, err = s.count(ctx, id)
		return err
	}, avast.Attempts(3), avast.Context(ctx))
	if err != nil {
		return 0, errUnavailable
	}
	return n, nil
}

func ofAnotherLibrary(ctx context.Context, s *stock, id string) error {
	b := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2), ctx)
	if err := backoff.Retry(func() error { _, err := s.count(ctx, id); return err }, b); err != nil { // want "^RSL-LOST: " // site "attempts=3"
		return fmt.Errorf("stock of %s is not known", id)
	}
	return nil
}
