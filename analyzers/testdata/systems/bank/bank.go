// Package bank is a client as services write them: its base address comes from
// outside, so that only its type says where requests go.
package bank

import (
	"context"
	"net/http"
)

type Client struct {
	HTTP *http.Client
	Base string
}

func (c *Client) Send(ctx context.Context, method, path, header, key string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set(header, key)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *Client) Plain(ctx context.Context, method, path string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, nil)
	if err != nil {
		return err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
