// Package retryidempotent has what rule RE-1 reports, and what it does not.
package retryidempotent

import (
	"net/http"

	"github.com/avast/retry-go/v4"
)

func send(method, url string) error {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func remove(id string) error {
	return retry.Do(func() error { // want "^RE-1: DELETE /cards/\\* may be applied up to 3 times: no idempotency key \\(remove -> send -> http.Client.Do\\)$" // site "attempts=3"
		return send(http.MethodDelete, "https://bank.example/cards/"+id)
	}, retry.Attempts(3))
}
