// Package retryleak has what rule RSL-LEAK reports, and what it does not.
package retryleak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/eapache/go-resiliency/retrier"
)

func wait(ctx context.Context, attempt int) {
	select {
	case <-time.After(200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond)))):
	case <-ctx.Done():
	}
}

func dropped(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LEAK: the response of a failed attempt is never closed: each retry may lose a connection$" // site "attempts=3"
		resp, err = c.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return resp, err
}

// Closed on one way only.
func forgottenOnce(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LEAK: the response" // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			last = err
			wait(ctx, attempt)
			continue
		}
		switch {
		case resp.StatusCode >= 500:
			last = fmt.Errorf("status %d", resp.StatusCode)
			wait(ctx, attempt)
		case resp.StatusCode >= 400:
			resp.Body.Close()
			return nil, fmt.Errorf("status %d", resp.StatusCode)
		default:
			return resp, nil
		}
	}
	return nil, last
}

// freightliner, pkg/network/blob_mount.go: the defer runs after all attempts.
func deferred(ctx context.Context, c *http.Client, req *http.Request) error {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LEAK: the response of a failed attempt stays open during all others: its Close is deferred to the end of the function$" // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			last = err
			wait(ctx, attempt)
			continue
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		last = fmt.Errorf("status %d", resp.StatusCode)
		wait(ctx, attempt)
	}
	return last
}

// A helper that only looks at the status closes nothing.
func onlyLookedAt(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LEAK: the response" // site "attempts=3"
		resp, err = c.Do(req)
		if !again(resp, err) {
			return resp, err
		}
		wait(ctx, attempt)
	}
	return resp, err
}

func again(resp *http.Response, err error) bool { return err != nil || resp.StatusCode >= 500 }

// Decoded, and not closed.
func decoded(ctx context.Context, c *http.Client, req *http.Request) (out struct{ Ready bool }, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-LEAK: the response" // site "attempts=3"
		var resp *http.Response
		resp, err = c.Do(req)
		if err == nil {
			if err = json.NewDecoder(resp.Body).Decode(&out); err == nil {
				resp.Body.Close()
				return out, nil
			}
		}
		wait(ctx, attempt)
	}
	return out, err
}

// goblog, common/circuitbreaker/hystrix.go.
func ofALibrary(ctx context.Context, c *http.Client, req *http.Request) error {
	r := retrier.New(retrier.ExponentialBackoff(2, 500*time.Millisecond), nil) // want "^RSL-LEAK: the response of a failed attempt is never closed" "^RE-2" // site "attempts=3"
	return r.RunCtx(ctx, func(context.Context) error {
		resp, err := c.Do(req)
		if err == nil && resp.StatusCode < 299 {
			return resp.Body.Close()
		} else if err == nil {
			err = fmt.Errorf("status was %v", resp.StatusCode)
		}
		return err
	})
}

// The next attempt takes the variable.
func intoAVariable(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	var resp *http.Response
	err := avast.Do(func() (err error) { // want "^RSL-LEAK: the response" // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
	return resp, err
}
