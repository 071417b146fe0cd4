// Package bank is a client as services write them: requests are made in one
// function, decorated in another package, and sent in a third function.
package bank

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywrite/deco"
)

// A Client talks to a bank.
type Client struct {
	Base string
	HTTP *http.Client
}

// Do sends a request; an empty key sends none.
func (c *Client) Do(ctx context.Context, method, path, key string, body any) error {
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	deco.Accept(req)
	if key != "" {
		deco.Key(req, key)
	}
	return c.send(req)
}

// With sends a request with headers of the caller's.
func (c *Client) With(ctx context.Context, method, path string, headers map[string]string) error {
	req, err := c.request(ctx, method, path, nil)
	if err != nil {
		return err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	return c.send(req)
}

// Edited sends a request after the caller's editors have seen it.
func (c *Client) Edited(ctx context.Context, method, path string, editors ...func(*http.Request)) error {
	req, err := c.request(ctx, method, path, nil)
	if err != nil {
		return err
	}
	for _, edit := range editors {
		edit(req)
	}
	return c.send(req)
}

// Signed sends a request that code out of sight has changed.
func (c *Client) Signed(ctx context.Context, method, path string, sign func(*http.Request)) error {
	return c.Edited(ctx, method, path, sign)
}

func (c *Client) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var buf bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&buf).Encode(body); err != nil {
			return nil, err
		}
	}
	return http.NewRequestWithContext(ctx, method, c.Base+path, &buf)
}

func (c *Client) send(req *http.Request) error {
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("bank: %s", resp.Status)
	}
	return nil
}
