// Package clients has requests of clients that the module proxy does not serve,
// and breakers around them.
package clients

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cep21/circuit/v4"
	"github.com/imroc/req/v3"
	"github.com/kamilsk/retry/v5"
	"github.com/kamilsk/retry/v5/strategy"
	"github.com/levigross/grequests"
	"github.com/mercari/go-circuitbreaker"
	"github.com/ybbus/httpretry"
)

type charge struct{ Amount int }

func reqConstant() *req.Client {
	return req.C().SetTimeout(time.Second).SetCommonRetryCount(3) // want "X3: 4 attempts a constant 100ms apart" // site "attempts=4 backoff=constant sleep=300ms predicate=transport mechanism=builtin"
}

func reqUnlimited() *req.Client {
	return req.C().SetCommonRetryCount(-1).SetCommonRetryBackoffInterval(time.Second, 5*time.Second) // want "RE-3: retried without a limit" // site "attempts=unbounded backoff=exponential+jitter"
}

func reqOff() *req.Client {
	return req.C().SetTimeout(time.Second).SetBaseURL("https://pay.example") // nosite
}

type gateway struct{ http *req.Client }

func newGateway() *gateway {
	return &gateway{http: req.C().SetCommonRetryCount(2).SetCommonRetryBackoffInterval(100*time.Millisecond, time.Second)} // site "attempts=3 backoff=exponential+jitter sleep=600ms"
}

func (g *gateway) pay(ctx context.Context, c charge) error {
	return g.http.Post("https://pay.example/payments").SetBody(c).Do(ctx).Err // want "X1: POST may be applied up to 3 times: no idempotency key" // site "attempts=3 mechanism=builtin"
}

func (g *gateway) payWithKey(ctx context.Context, key string, c charge) error {
	_, err := g.http.R().SetContext(ctx).SetHeader("Idempotency-Key", key).SetBody(c).Post("https://pay.example/payments") // site "attempts=3 mechanism=builtin effect=keyed"
	return err
}

func (g *gateway) status() error {
	_, err := g.http.R().Get("https://pay.example/status") // site "attempts=3 effect=read"
	return err
}

func httpretryDefaults() *http.Client {
	return httpretry.NewDefaultClient() // want "RE-3: 6 attempts over 31.5s .httpretry defaults, nothing set here.; at most 5" "RE-4: waits up to 32s in memory" // site "attempts=6 backoff=exponential+jitter sleep=32s default=true"
}

func httpretryTwice(body string) error {
	c := httpretry.NewCustomClient(&http.Client{}, httpretry.WithMaxRetryCount(1))                   // site "attempts=2 sleep=1.2s"
	resp, err := c.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // want "X1: POST /payments may be applied twice" // site "attempts=2 mechanism=builtin"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func httpretryOff() *http.Client {
	return httpretry.NewDefaultClient(httpretry.WithMaxRetryCount(0)) // nosite
}

func grequestsPost(ctx context.Context, c charge) error {
	return retry.Do(ctx, func(context.Context) error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key" "RE-2: exponential without jitter" // site "attempts=3"
		_, err := grequests.Post("https://pay.example/payments", &grequests.RequestOptions{JSON: c})
		return err
	}, strategy.Limit(3), strategy.Wait(100*time.Millisecond, 300*time.Millisecond))
}

func grequestsKeyed(ctx context.Context, key string, c charge) error {
	return retry.Do(ctx, func(context.Context) error { // want "RE-2: exponential without jitter" // site "attempts=3 effect=keyed"
		_, err := grequests.Post("https://pay.example/payments", &grequests.RequestOptions{
			JSON: c, Headers: map[string]string{"Idempotency-Key": key},
		})
		return err
	}, strategy.Limit(3), strategy.Wait(100*time.Millisecond, 300*time.Millisecond))
}

// A breaker runs its operation once.
func underBreakers(ctx context.Context, cb *circuitbreaker.CircuitBreaker, c *circuit.Circuit) error {
	send := func(context.Context) error {
		_, err := grequests.Post("https://pay.example/payments", nil)
		return err
	}
	if err := c.Execute(ctx, send, nil); err == nil { // nosite
		return nil
	}
	_, err := cb.Do(ctx, func() (interface{}, error) { return nil, send(ctx) }) // nosite
	return err
}

// A retry around a breaker sends again what the breaker lets through.
func aroundBreaker(ctx context.Context, c *circuit.Circuit) error {
	return retry.Do(ctx, func(ctx context.Context) error { // want "X1: POST /payments may be applied up to 3 times" "RE-2: exponential without jitter" // site "attempts=3"
		return c.Run(ctx, func(context.Context) error {
			_, err := grequests.Post("https://pay.example/payments", nil)
			return err
		})
	}, strategy.Limit(3), strategy.Wait(100*time.Millisecond, 300*time.Millisecond))
}
