// Package retryafter has what rule RSL-AFTER reports, and what it does not.
package retryafter

import (
	"context"
	"fmt"
	"math/rand"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/hashicorp/go-retryablehttp"
)

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func pause(attempt int) time.Duration {
	return 200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond)))
}

// Export_Trakt_4_Letterboxd, pkg/api/optimized_client.go.
func throttled(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-AFTER: 429 is sent again and Retry-After is never read: an attempt before its time is spent in vain$" // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			last = err
			wait(ctx, pause(attempt))
			continue
		}
		if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
			resp.Body.Close()
			last = fmt.Errorf("status %d", resp.StatusCode)
			wait(ctx, pause(attempt))
			continue
		}
		return resp, nil
	}
	return nil, last
}

// Only the one status.
func unavailable(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-AFTER: 503 is sent again" // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable {
			return resp, err
		}
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, pause(attempt))
		}
	}
	return resp, err
}

// A helper tells them.
func byHelper(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; ; attempt++ { // want "^RSL-AFTER: 429 is sent again" // site "attempts=3"
		resp, err = c.Do(req)
		if attempt == 2 || !worthIt(resp, err) {
			return resp, err
		}
		if resp != nil {
			resp.Body.Close()
		}
		wait(ctx, pause(attempt))
	}
}

func worthIt(resp *http.Response, err error) bool {
	if err != nil {
		return true
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	}
	return false
}

func ofALibrary(ctx context.Context, c *http.Client, url string) error {
	return avast.Do(func() error { // want "^RSL-AFTER: 429 is sent again" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return avast.Unrecoverable(err)
		}
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusTooManyRequests {
			return fmt.Errorf("throttled")
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
}

// This backoff of the library does not read it.
func linear() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "^RSL-AFTER: 429 is sent again" "^X3" // site "attempts=3"
	c.RetryMax = 2
	c.RetryWaitMax = time.Second
	c.Backoff = retryablehttp.LinearJitterBackoff
	return c
}
