// Package client sends with net/http, and knows of no retry library.
package client

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
)

type Client struct {
	http *http.Client
	base string
}

func New(base string) *Client { return &Client{http: &http.Client{}, base: base} }

// Do is what other packages of the module send by.
func (c *Client) Do(ctx context.Context, method, path string, body io.Reader, key string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *Client) Pay(ctx context.Context) error {
	return c.Do(ctx, http.MethodPost, "/payments", strings.NewReader("{}"), "")
}

func (c *Client) PayOnce(ctx context.Context, key string) error {
	return c.Do(ctx, http.MethodPost, "/payments", strings.NewReader("{}"), key)
}

func (c *Client) Balance(ctx context.Context) error {
	return c.Do(ctx, http.MethodGet, "/balance", nil, "")
}

// Dial leaves the process, and nobody knows for what.
func Dial() error {
	conn, err := net.Dial("tcp", "client.test:80")
	if err != nil {
		return err
	}
	return conn.Close()
}

// Describe does nothing outside the process.
func Describe(c *Client) string { return "client of " + c.base }
