// Package gorequest has requests of parnurzeal/gorequest.
package gorequest

import (
	"errors"
	"net/http"
	"time"

	"github.com/parnurzeal/gorequest"
)

func pay(body string) error {
	agent := gorequest.New().Post("https://pay.example/payments").Retry(3, 2*time.Second, http.StatusBadGateway, http.StatusServiceUnavailable) // want "X3: 4 attempts a constant 2s apart" // site "attempts=4 backoff=constant sleep=6s mechanism=builtin"
	_, _, errs := agent.Send(body).End()                                                                                                        // want "X1: POST /payments may be applied up to 4 times: no idempotency key" // site "attempts=4 mechanism=builtin"
	return errors.Join(errs...)
}

func payWithKey(body, key string) error {
	_, _, errs := gorequest.New().Post("https://pay.example/payments").Set("Idempotency-Key", key).Retry(2, 100*time.Millisecond, http.StatusBadGateway).Send(body).EndBytes() // want "X3: 3 attempts a constant 100ms apart" // site "attempts=3 backoff=constant mechanism=builtin" // site "attempts=3"
	return errors.Join(errs...)
}

func status() error {
	_, _, errs := gorequest.New().Get("https://pay.example/status").Timeout(time.Second).End() // nosite
	return errors.Join(errs...)
}
