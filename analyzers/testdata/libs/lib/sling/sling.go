// Package sling has requests of dghubble/sling, and retries around them.
package sling

import (
	"context"
	"net/http"

	"github.com/avast/retry-go/v4"
	"github.com/dghubble/sling"
	"github.com/hashicorp/go-retryablehttp"
)

type charge struct{ Amount int }

type client struct{ base *sling.Sling }

func newClient(h *http.Client) *client {
	return &client{base: sling.New().Client(h).Base("https://pay.example/v1/")}
}

func charges(ctx context.Context, in *charge) error {
	return retry.Do(func() error { // want "X1: POST /charges may be applied up to 3 times: no idempotency key" // site "attempts=3"
		_, err := sling.New().Base("https://pay.example/v1/").Post("charges").BodyJSON(in).ReceiveSuccess(nil)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

func chargesWithKey(ctx context.Context, key string, in *charge) error {
	return retry.Do(func() error { // site "attempts=3"
		_, err := sling.New().Post("https://pay.example/v1/charges").Set("Idempotency-Key", key).BodyJSON(in).Receive(nil, nil)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

func (c *client) balance(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		_, err := c.base.New().Get("balance").ReceiveSuccess(nil)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

// Through the parent that newClient makes.
func (c *client) refund(ctx context.Context, in *charge) error {
	return retry.Do(func() error { // want "X1: POST /refunds may be applied up to 3 times" // site "attempts=3"
		_, err := c.base.New().Post("refunds").BodyJSON(in).ReceiveSuccess(nil)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

// What a parent from elsewhere carries is not known here.
func refundThrough(ctx context.Context, parent *sling.Sling, in *charge) error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		_, err := parent.New().Post("refunds").BodyJSON(in).ReceiveSuccess(nil)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

func request(ctx context.Context, in *charge) error {
	return retry.Do(func() error { // want "X1: PUT /charges/1 may be applied up to 3 times" // site "attempts=3"
		req, err := sling.New().Put("https://pay.example/charges/1").BodyJSON(in).Request()
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, retry.Attempts(3), retry.Context(ctx))
}

// A client that retries by itself sends what the sling makes.
func throughRetryingClient(in *charge) error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	_, err := sling.New().Client(c.StandardClient()).Post("https://pay.example/charges").BodyJSON(in).ReceiveSuccess(nil) // want "X1: POST /charges may be applied up to 3 times" // site "attempts=3 mechanism=builtin"
	return err
}
