// Package aegis has requests that ask a breaker of go-kratos/aegis first, and a
// retry around them.
package aegis

import (
	"net/http"
	"strings"

	"github.com/avast/retry-go/v4"
	"github.com/go-kratos/aegis/circuitbreaker"
	"github.com/go-kratos/aegis/circuitbreaker/sre"
)

type client struct{ breaker circuitbreaker.CircuitBreaker }

func newClient() *client {
	return &client{breaker: sre.NewBreaker()} // nosite
}

func (c *client) send(do func() error) error {
	if err := c.breaker.Allow(); err != nil { // nosite
		return err
	}
	err := do()
	if err != nil {
		c.breaker.MarkFailed()
		return err
	}
	c.breaker.MarkSuccess()
	return nil
}

func (c *client) pay(body string) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" // site "attempts=3"
		return c.send(func() error {
			resp, err := http.Post("https://pay.example/payments", "application/json", strings.NewReader(body))
			if err != nil {
				return err
			}
			return resp.Body.Close()
		})
	}, retry.Attempts(3))
}

func (c *client) status() error {
	return retry.Do(func() error { // site "attempts=3"
		return c.send(func() error {
			resp, err := http.Get("https://pay.example/status")
			if err != nil {
				return err
			}
			return resp.Body.Close()
		})
	}, retry.Attempts(3))
}
