// Package rubyist has requests that rubyist/circuitbreaker sends, and a retry
// around them.
package rubyist

import (
	"strings"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/rubyist/circuitbreaker"
)

type client struct{ http *circuit.HTTPClient }

func newClient() *client {
	return &client{http: circuit.NewHTTPClient(5*time.Second, 10, nil)} // nosite
}

func (c *client) pay(body string) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" // site "attempts=3"
		resp, err := c.http.Post("https://pay.example/payments", "application/json", strings.NewReader(body))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, retry.Attempts(3))
}

func (c *client) status() error {
	return retry.Do(func() error { // site "attempts=3"
		resp, err := c.http.Get("https://pay.example/status")
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, retry.Attempts(3))
}

func (c *client) once(b *circuit.Breaker, body string) error {
	return b.Call(func() error { // nosite
		resp, err := c.http.Post("https://pay.example/payments", "application/json", strings.NewReader(body))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, time.Second)
}
