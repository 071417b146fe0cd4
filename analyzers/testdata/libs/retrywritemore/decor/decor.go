// Package decor changes requests that others make and send.
package decor

import (
	"net/http"
	"time"
)

// Common sets what every request carries: no key.
func Common(req *http.Request) {
	req.Header.Set("Accept", "application/json")
	req.Header.Set("X-Request-Id", time.Now().Format(time.RFC3339Nano))
}

// Key sets the idempotency key.
func Key(req *http.Request, key string) {
	set(req.Header, key)
}

func set(h http.Header, key string) {
	h.Set("Idempotency-Key", key)
}
