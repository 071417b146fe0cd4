// Package deco decorates requests.
package deco

import "net/http"

// Accept says what is wanted.
func Accept(req *http.Request) { req.Header.Set("Accept", "application/json") }

// Key sets the idempotency key.
func Key(req *http.Request, key string) { req.Header.Set("Idempotency-Key", key) }
