// Package global changes the defaults of retry-go for the whole process.
package global

import (
	"net/http"
	"time"

	"github.com/avast/retry-go"
)

func init() {
	retry.DefaultAttempts = 3
	retry.DefaultDelay = time.Second
}

func ping() error {
	resp, err := http.Get("https://inventory.example/health")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func byDefault() error {
	return retry.Do(ping) // site "attempts=3 sleep=3.2s backoff=exponential+jitter default=false"
}

func overridden() error {
	return retry.Do(ping, retry.Attempts(2)) // site "attempts=2 sleep=1.1s"
}
