// Package later changes a default of retry-go at some time.
package later

import (
	"net/http"

	"github.com/avast/retry-go"
)

// Attempts sets how often everything is tried.
func Attempts(n uint) { retry.DefaultAttempts = n }

func ping() error {
	resp, err := http.Get("https://inventory.example/health")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func perhapsByDefault() error {
	return retry.Do(ping) // site "attempts=unknown"
}
