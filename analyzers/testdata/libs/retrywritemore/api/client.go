// Package api is a client of a payment system, as projects write it: one
// helper that makes, decorates and sends a request.
package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/go-resty/resty/v2"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/decor"
)

// A Client sends requests to one system.
type Client struct {
	HTTP *http.Client
	Base string
}

// Do sends one request; an empty key is not sent.
func (c *Client) Do(ctx context.Context, method, path, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return c.send(req)
}

func (c *Client) send(req *http.Request) error {
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// DoHeaders sends one request with the headers of a map.
func (c *Client) DoHeaders(ctx context.Context, method, path string, headers map[string]string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, http.NoBody)
	if err != nil {
		return err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	return c.send(req)
}

// DoDecorated makes the request here, has it decorated in another package, and
// sends it.
func (c *Client) DoDecorated(ctx context.Context, method, path string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, http.NoBody)
	if err != nil {
		return err
	}
	decor.Common(req)
	return c.send(req)
}

// DoKeyed is DoDecorated with a key that another package adds.
func (c *Client) DoKeyed(ctx context.Context, method, path, key string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, http.NoBody)
	if err != nil {
		return err
	}
	decor.Common(req)
	decor.Key(req, key)
	return c.send(req)
}

// CreateRefund and its like are methods of a generated style: one for each
// call of the system.
func (c *Client) CreateRefund(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodPost, "/refunds/"+id, "", nil)
}

// Refund only reads.
func (c *Client) Refund(ctx context.Context, id string) error {
	return c.Do(ctx, http.MethodGet, "/refunds/"+id, "", nil)
}

// CreateKeyedRefund sends the key that it is given.
func (c *Client) CreateKeyedRefund(ctx context.Context, id, key string) error {
	return c.Do(ctx, http.MethodPost, "/refunds/"+id, key, nil)
}

// Retrying sends a request again: what it sends is up to its callers.
func (c *Client) Retrying(ctx context.Context, method, path, key string) error {
	return retry.Do(func() error { // site "attempts=3"
		return c.Do(ctx, method, path, key, nil)
	}, retry.Attempts(3), retry.Context(ctx))
}

// NewResty is a client that sends again three times, POST included.
func NewResty(base string) *resty.Client {
	return resty.New().SetBaseURL(base).SetRetryCount(2).SetTimeout(5 * time.Second) // site "attempts=3"
}

// WithRetry runs op up to three times.
func WithRetry(ctx context.Context, op func(context.Context) error) error {
	return retry.Do(func() error { return op(ctx) }, retry.Attempts(3), retry.Context(ctx)) // site "attempts=3"
}
