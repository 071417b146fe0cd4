// Package breaker keeps requests away from a system that is down.
package breaker

import (
	"context"
	"errors"
	"net/http"

	"github.com/sony/gobreaker/v2"

	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
)

// Transport sends requests to one system through next, unless its breaker is
// open. It stands below whatever retries, so the breaker counts every attempt,
// and an open one ends the retry. A nil next is http.DefaultTransport. It is
// safe for concurrent use.
func Transport(system string, next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &transport{next: next, breaker: gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{
		Name: system,
		// Who gave up says nothing of the system.
		IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
	})}
}

type transport struct {
	next    http.RoundTripper
	breaker *gobreaker.TwoStepCircuitBreaker[any]
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	done, err := t.breaker.Allow()
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	resp, err := t.next.RoundTrip(req)
	switch {
	case err != nil:
		done(err)
	case outage.BriefStatus(resp.StatusCode):
		done(&outage.StatusError{Method: req.Method, Path: req.URL.Path, Code: resp.StatusCode})
	default:
		done(nil)
	}
	return resp, err
}
