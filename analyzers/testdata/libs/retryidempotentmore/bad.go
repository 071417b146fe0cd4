// Package retryidempotentmore has more of what rule RE-1 reports, and what it does not.
package retryidempotentmore

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

func (c *cards) remove(ctx context.Context, id string) error {
	return retry.Do(func() error { // want "^RE-1: DELETE /cards/\\* may be applied up to 3 times: no idempotency key \\(remove -> \\(\\*cards\\)\\.do -> http\\.Client\\.Do\\)$" // site "effect=write"
		return c.do(ctx, http.MethodDelete, "/cards/"+id, "")
	}, retry.Attempts(3))
}

func requestMadeInPlace(c *http.Client, id int) error {
	return backoff.Retry(func() error { // want "RE-1: DELETE /cards/\\*/limits may be applied twice"
		req, err := http.NewRequest("DELETE", fmt.Sprintf("https://cards.example/cards/%d/limits", id), http.NoBody)
		if err != nil {
			return err
		}
		return closed(c.Do(req))
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 1))
}

func requestMadeOutside(c *http.Client) error {
	req, err := http.NewRequest(http.MethodDelete, "https://cards.example/sessions", http.NoBody)
	if err != nil {
		return err
	}
	r := roko.NewRetrier(roko.WithMaxAttempts(3), roko.WithStrategy(roko.Exponential(2*time.Second, 0)), roko.WithJitter()) // want "RE-1: DELETE /sessions may be applied up to 3 times"
	return r.Do(func(*roko.Retrier) error { return closed(c.Do(req)) })
}

func (c *cards) retrying(ctx context.Context, method, path string) error {
	return retry.Do(func() error { // site "attempts=3"
		return c.do(ctx, method, path, "")
	}, retry.Attempts(3))
}

func methodOfTheCaller(ctx context.Context, c *cards) error {
	return c.retrying(ctx, http.MethodDelete, "/cards/all") // want "RE-1: DELETE /cards/all may be applied up to 3 times"
}

func restyDelete() error {
	_, err := resty.New().SetRetryCount(1).R().Delete("https://cards.example/cards/1") // want "RE-1: DELETE /cards/1 may be applied twice"
	return err
}

func retryableDelete() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	req, err := retryablehttp.NewRequest(http.MethodDelete, "https://cards.example/cards/2", nil)
	if err != nil {
		return err
	}
	return closed(c.Do(req)) // want "RE-1: DELETE /cards/2 may be applied up to 3 times"
}
