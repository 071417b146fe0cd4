// Package requests has requests of carlmjohnson/requests, and retries around
// them.
package requests

import (
	"context"

	"github.com/avast/retry-go/v4"
	"github.com/carlmjohnson/requests"
)

type charge struct{ Amount int }

// The method is nowhere in the chain: a body makes it a POST.
func implied(ctx context.Context, in *charge) error {
	return retry.Do(func() error { // want "X1: POST /charges may be applied up to 3 times: no idempotency key" // site "attempts=3"
		return requests.URL("https://pay.example/charges").BodyJSON(in).Fetch(ctx)
	}, retry.Attempts(3), retry.Context(ctx))
}

func put(ctx context.Context, in *charge) error {
	return retry.Do(func() error { // want "X1: PUT /charges/1 may be applied up to 3 times" // site "attempts=3"
		return requests.URL("https://pay.example").Path("/charges/1").Put().BodyJSON(in).Fetch(ctx)
	}, retry.Attempts(3), retry.Context(ctx))
}

func withKey(ctx context.Context, key string, in *charge) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return requests.URL("https://pay.example/charges").Header("Idempotency-Key", key).BodyJSON(in).Fetch(ctx)
	}, retry.Attempts(3), retry.Context(ctx))
}

func get(ctx context.Context) (out charge, err error) {
	err = retry.Do(func() error { // site "attempts=3"
		return requests.URL("https://pay.example/charges/1").ToJSON(&out).Fetch(ctx)
	}, retry.Attempts(3), retry.Context(ctx))
	return out, err
}

func once(ctx context.Context, in *charge) error {
	return requests.URL("https://pay.example/charges").BodyJSON(in).Fetch(ctx) // nosite
}
