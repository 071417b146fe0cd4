// Package rehttp has the transports of PuerkitoBio/rehttp.
package rehttp

import (
	"net/http"
	"strings"
	"time"

	"github.com/PuerkitoBio/rehttp"
)

func jittered() *http.Client {
	tr := rehttp.NewTransport(http.DefaultTransport, // site "attempts=4 backoff=exponential+jitter sleep=1.4s mechanism=builtin"
		rehttp.RetryAll(rehttp.RetryMaxRetries(3), rehttp.RetryAny(rehttp.RetryTemporaryErr(), rehttp.RetryStatuses(502, 503))),
		rehttp.ExpJitterDelay(200*time.Millisecond, time.Second))
	return &http.Client{Transport: tr, Timeout: 10 * time.Second}
}

func constant() *rehttp.Transport {
	return rehttp.NewTransport(nil, rehttp.RetryMaxRetries(2), rehttp.ConstDelay(time.Second)) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

// One of the conditions is enough: nothing limits it.
func anyOf() *rehttp.Transport {
	return rehttp.NewTransport(nil, // want "RE-3: retried without a limit" // site "attempts=unbounded backoff=exponential+jitter"
		rehttp.RetryAny(rehttp.RetryMaxRetries(3), rehttp.RetryStatusInterval(500, 600)),
		rehttp.ExpJitterDelay(100*time.Millisecond, time.Second))
}

func ownDecision(decide rehttp.RetryFn) *rehttp.Transport {
	return rehttp.NewTransport(nil, decide, rehttp.ExpJitterDelay(100*time.Millisecond, time.Second)) // nosite
}

var payments = &http.Client{Transport: rehttp.NewTransport(nil, // site "attempts=3 mechanism=builtin"
	rehttp.RetryAll(rehttp.RetryMaxRetries(2), rehttp.RetryTimeoutErr()),
	rehttp.ExpJitterDelay(100*time.Millisecond, time.Second))}

func pay(body string) error {
	resp, err := payments.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // want "X1: POST /payments may be applied up to 3 times: no idempotency key" // site "attempts=3 mechanism=builtin"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func payWithKey(body, key string) error {
	req, err := http.NewRequest(http.MethodPost, "https://pay.example/payments", strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := payments.Do(req) // site "attempts=3 effect=keyed"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var readsOnly = &http.Client{Transport: rehttp.NewTransport(nil, // site "attempts=3"
	rehttp.RetryAll(rehttp.RetryMaxRetries(2), rehttp.RetryHTTPMethods("get", "head"), rehttp.RetryTimeoutErr()),
	rehttp.ExpJitterDelay(100*time.Millisecond, time.Second))}

// Only reads are sent again.
func payOnce(body string) error {
	resp, err := readsOnly.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // nosite
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func status() error {
	resp, err := readsOnly.Get("https://pay.example/status") // site "attempts=3 effect=read"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A request with a body is sent once.
func withoutBodies(body string) error {
	tr := rehttp.NewTransport(nil, rehttp.RetryMaxRetries(2), rehttp.ExpJitterDelay(100*time.Millisecond, time.Second)) // site "attempts=3"
	tr.PreventRetryWithBody = true
	c := &http.Client{Transport: tr}
	resp, err := c.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // nosite
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
