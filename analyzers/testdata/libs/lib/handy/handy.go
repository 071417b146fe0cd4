// Package handy has the transports of streadway/handy.
package handy

import (
	"net/http"
	"strings"
	"time"

	"github.com/streadway/handy/breaker"
	"github.com/streadway/handy/retry"
)

// Nothing is said of retries here: what is sent through it is judged.
func defaults(body string) error {
	c := &http.Client{Transport: retry.Transport{Next: http.DefaultTransport}}
	resp, err := c.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // want "X1: POST /payments may be applied up to 10 times" // site "attempts=10 backoff=none mechanism=builtin default=true"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func three() *http.Client {
	return &http.Client{Transport: retry.Transport{ // want "X3: 3 attempts a constant 500ms apart" // site "attempts=3 backoff=constant sleep=1s"
		Next:  breaker.Transport(breaker.NewBreaker(0.1), breaker.DefaultResponseValidator, http.DefaultTransport),
		Delay: retry.Constant(500 * time.Millisecond),
		Retry: retry.All(retry.Max(3), retry.Timeout(5*time.Second), retry.Net()),
	}}
}

func exponential() retry.Transport {
	return retry.Transport{ // want "RE-2: exponential without jitter" // site "attempts=3 backoff=exponential sleep=1.01s"
		Next:  http.DefaultTransport,
		Delay: retry.Exponential(100 * time.Millisecond),
		Retry: retry.All(retry.Max(3), retry.EOF()),
	}
}

func once() http.RoundTripper {
	return retry.Transport{Next: http.DefaultTransport, Retry: retry.Max(1)} // nosite
}

func ownDecision(r retry.Retryer) http.RoundTripper {
	return retry.Transport{Next: http.DefaultTransport, Retry: r} // site "attempts=unknown"
}

type payments struct{ http *http.Client }

func newPayments() *payments {
	return &payments{http: &http.Client{Transport: retry.Transport{ // site "attempts=2"
		Next:  http.DefaultTransport,
		Retry: retry.All(retry.Max(2), retry.Errors()),
	}}}
}

func (p *payments) pay(body string) error {
	resp, err := p.http.Post("https://pay.example/payments", "application/json", strings.NewReader(body)) // want "X1: POST /payments may be applied twice" // site "attempts=2 mechanism=builtin"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A breaker alone sends once.
func withBreaker() *http.Client {
	return &http.Client{Transport: breaker.Transport(breaker.NewBreaker(0.1), breaker.DefaultResponseValidator, http.DefaultTransport)} // nosite
}
