// Package fasthttp has requests of valyala/fasthttp, whose clients send some
// methods again by themselves.
package fasthttp

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/valyala/fasthttp"
)

type gateway struct{ http *fasthttp.Client }

// Nothing is said of retries here: what is sent through it is judged.
func newGateway() *gateway {
	return &gateway{http: &fasthttp.Client{ReadTimeout: time.Second}}
}

func (g *gateway) put(id string, body []byte) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod(fasthttp.MethodPut)
	req.SetRequestURI("https://pay.example/customers/" + id)
	req.SetBody(body)
	return g.http.Do(req, resp) // want "X1: PUT /customers/. may be applied up to 5 times: no idempotency key" // site "attempts=5 backoff=none mechanism=builtin"
}

// POST is sent once, and DELETE.
func (g *gateway) post(body []byte) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod("POST")
	req.SetRequestURI("https://pay.example/payments")
	req.SetBody(body)
	return g.http.DoTimeout(req, resp, time.Second) // nosite
}

func (g *gateway) get() error {
	_, _, err := g.http.Get(nil, "https://pay.example/status") // site "attempts=5 effect=read"
	return err
}

// A retry around it sends a POST again.
func (g *gateway) postAgain(ctx context.Context, body []byte) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" // site "attempts=3"
		req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(req)
		defer fasthttp.ReleaseResponse(resp)
		req.Header.SetMethod(fasthttp.MethodPost)
		req.Header.SetContentType("application/json")
		req.SetRequestURI("https://pay.example/payments")
		req.SetBodyRaw(body)
		return g.http.Do(req, resp)
	}, retry.Attempts(3), retry.Context(ctx))
}

func (g *gateway) postWithKey(ctx context.Context, key string, body []byte) error {
	return retry.Do(func() error { // site "attempts=3"
		req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(req)
		defer fasthttp.ReleaseResponse(resp)
		req.Header.SetMethod(fasthttp.MethodPost)
		req.Header.Set("Idempotency-Key", key)
		req.SetRequestURI("https://pay.example/payments")
		req.SetBodyRaw(body)
		return fasthttp.Do(req, resp)
	}, retry.Attempts(3), retry.Context(ctx))
}

func read(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		_, _, err := fasthttp.GetTimeout(nil, "https://pay.example/status", time.Second)
		return err
	}, retry.Attempts(3), retry.Context(ctx))
}

func many() *fasthttp.Client {
	return &fasthttp.Client{MaxIdemponentCallAttempts: 8} // want "RE-3: 8 attempts; at most 5" "X3: 8 attempts without a pause" // site "attempts=8 backoff=none predicate=transport"
}

func off() *fasthttp.HostClient {
	return &fasthttp.HostClient{Addr: "pay.example", MaxIdemponentCallAttempts: 1} // nosite
}
