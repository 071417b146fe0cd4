// Package use retries what client modules send, which are read for it.
package use

import (
	"context"
	"fmt"

	"github.com/avast/retry-go/v4"

	"client.test/client"
	"client.test/client/orders"
	"swagger.test/swagger"
)

func pay(ctx context.Context, c *client.Client) error {
	return retry.Do(func() error { return c.Pay(ctx) }, retry.Attempts(3)) // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
}

func payOnce(ctx context.Context, c *client.Client, id string) error {
	return retry.Do(func() error { return c.PayOnce(ctx, id) }, retry.Attempts(3)) // site "attempts=3 effect=keyed"
}

func balance(ctx context.Context, c *client.Client) error {
	return retry.Do(func() error { return c.Balance(ctx) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

// What does nothing there is told from what does something out of sight.
func described(c *client.Client) error {
	return retry.Do(func() error { return fmt.Errorf("%s", client.Describe(c)) }, retry.Attempts(3)) // site "attempts=3 effect=none"
}

func dialled() error {
	return retry.Do(client.Dial, retry.Attempts(3)) // site "attempts=3 effect=unknown"
}

func place(ctx context.Context, api *orders.API) error {
	return retry.Do(func() error { return api.Place(ctx) }, retry.Attempts(3)) // want "X1: POST /orders may be applied up to 3 times" // site "attempts=3 effect=write"
}

func list(ctx context.Context, api *orders.API) error {
	return retry.Do(func() error { return api.List(ctx) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

func create(c swagger.ClientService, params *swagger.CreateParams) error {
	return retry.Do(func() error { // want `X1: POST /projects/\{id\} may be applied up to 3 times` // site "attempts=3 effect=write"
		_, err := c.Create(params)
		return err
	}, retry.Attempts(3))
}

func createKeyed(c swagger.ClientService, params *swagger.CreateKeyedParams) error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		_, err := c.CreateKeyed(params)
		return err
	}, retry.Attempts(3))
}

// That no option is given is not followed into the client, which would call them.
func get(c swagger.ClientService, params *swagger.CreateParams) error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		_, err := c.Get(params)
		return err
	}, retry.Attempts(3))
}

// An operation that a helper makes around another does what that does.
func decorated(ctx context.Context, c *client.Client) error {
	op := func() error { return c.Pay(ctx) }
	return retry.Do(explained(op, "pay"), retry.Attempts(3)) // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
}

func decoratedRead(ctx context.Context, c *client.Client) error {
	return retry.Do(explained(func() error { return c.Balance(ctx) }, "balance"), retry.Attempts(3)) // site "attempts=3 effect=read"
}

func decoratedUnseen(op func() error) error {
	return retry.Do(explained(op, "unseen"), retry.Attempts(3)) // site "attempts=3 effect=unknown"
}

func explained(op func() error, what string) func() error {
	return func() error {
		if err := op(); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	}
}
