// Package post sends letters, to a system that takes keys and looks at none.
package post

import (
	"context"
	"net/http"
)

func Send(ctx context.Context, method, path, key string) error {
	return send(ctx, method, "https://"+host()+path, key)
}

// Elsewhere sends to an address that the caller knows.
func Elsewhere(ctx context.Context, method, url, key string) error {
	return send(ctx, method, url, key)
}

func send(ctx context.Context, method, url, key string) error {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func host() string { return resolved }

var resolved = lookup()

func lookup() string { return <-answers }

var answers = make(chan string, 1)
