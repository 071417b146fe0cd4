// Package lib has policies of retry-go before it had jitter.
package lib

import (
	"net/http"
	"time"

	"github.com/avast/retry-go"
)

func ping() error {
	resp, err := http.Get("https://inventory.example/health")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func byDefault() error {
	return retry.Do(ping) // want "RE-3: 10 attempts over 51.1s .retry-go defaults" "RE-4: " "RE-2: exponential without jitter .100ms, 200ms, 400ms" // site "backoff=exponential sleep=51.1s"
}

func fixed() error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(time.Second), retry.DelayType(retry.FixedDelay)) // want "X3: 3 attempts a constant 1s apart" // site "sleep=2s"
}
