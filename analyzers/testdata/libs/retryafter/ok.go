package retryafter

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	avast "github.com/avast/retry-go/v4"
	"github.com/hashicorp/go-retryablehttp"
)

func reads(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			return resp, err
		}
		d := pause(attempt)
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s < 5 {
			d = time.Duration(s) * time.Second
		}
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, d)
		}
	}
	return resp, err
}

func readsInAHelper(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			return resp, err
		}
		d := backOff(resp, attempt)
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, d)
		}
	}
	return resp, err
}

const header = "retry-after"

func backOff(resp *http.Response, attempt int) time.Duration {
	if s, err := strconv.Atoi(resp.Header.Get(header)); err == nil && s < 5 {
		return time.Duration(s) * time.Second
	}
	return pause(attempt)
}

// Code out of sight is shown the response.
func shown(ctx context.Context, c *http.Client, req *http.Request, backoff func(int, *http.Response) time.Duration) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			return resp, err
		}
		d := backoff(attempt, resp)
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, d)
		}
	}
	return resp, err
}

// 429 is returned.
func notThrottled(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode != http.StatusInternalServerError {
			return resp, err
		}
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, pause(attempt))
		}
	}
	return resp, err
}

// Every 5xx: nobody thought of one that asks to come later.
func everyServerError(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || resp.StatusCode < 500 {
			return resp, err
		}
		if attempt < 2 {
			resp.Body.Close()
			wait(ctx, pause(attempt))
		}
	}
	return resp, err
}

// Every failure is sent again, none is told from another.
func everything(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err == nil && resp.StatusCode < 300 {
			return resp, nil
		}
		if resp != nil && attempt < 2 {
			resp.Body.Close()
		}
		wait(ctx, pause(attempt))
	}
	return resp, err
}

func permanent(ctx context.Context, c *http.Client, url string) error {
	return avast.Do(func() error { // site "attempts=3"
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
			return avast.Unrecoverable(fmt.Errorf("throttled"))
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
}

// The library reads it.
func library() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "^RE-2" // site "attempts=3"
	c.RetryMax = 2
	c.RetryWaitMax = 2 * time.Second
	return c
}

// What waits is the user's own.
func ownBackoff(next retryablehttp.Backoff) *retryablehttp.Client {
	c := retryablehttp.NewClient() // site "attempts=3"
	c.RetryMax = 2
	c.Backoff = next
	return c
}
