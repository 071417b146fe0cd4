// Package customer is the adapter of the customer relations system.
package customer

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/resilint/resilint/examples/payments-fixed/internal/breaker"
	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
)

// Profile is what may be changed of a customer.
type Profile struct {
	LastPayment string `json:"last_payment"`
}

// An Adapter talks to the system. It is safe for concurrent use.
type Adapter struct {
	base   string
	reads  *http.Client // sends again
	writes *http.Client // does not
}

// New returns the adapter of the system at base. A nil transport is the default
// one.
func New(base string, transport http.RoundTripper) *Adapter {
	writes := &http.Client{
		Timeout:   3 * time.Second, // of one attempt
		Transport: breaker.Transport("customer", transport),
	}
	reads := retryablehttp.NewClient()
	reads.RetryMax = 2 // three attempts
	reads.RetryWaitMin = 500 * time.Millisecond
	reads.RetryWaitMax = 2 * time.Second
	reads.Backoff = pause
	reads.CheckRetry = again
	reads.ErrorHandler = retryablehttp.PassthroughErrorHandler
	reads.Logger = nil
	reads.HTTPClient = writes // below the retry: the breaker counts every attempt
	return &Adapter{base: base, reads: reads.StandardClient(), writes: writes}
}

// pause is half to all of 500ms, then of 1s. The library's own pauses have no
// jitter.
func pause(shortest, longest time.Duration, attempt int, _ *http.Response) time.Duration {
	full := min(shortest<<attempt, longest)
	return full/2 + rand.N(full/2+1)
}

// again reports whether another attempt is worth its while.
func again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return outage.Brief(err), nil
	}
	return outage.BriefStatus(resp.StatusCode), nil
}

// Profile reads a profile.
func (a *Adapter) Profile(ctx context.Context, id string) (Profile, error) {
	var p Profile
	err := a.do(ctx, a.reads, http.MethodGet, id, nil, &p)
	return p, err
}

// UpdateProfile changes a profile unless it is so already. The system mails the
// customer each time and knows no idempotency keys, so the change is sent once:
// when no answer comes, a later call reads what became of it.
func (a *Adapter) UpdateProfile(ctx context.Context, id string, p Profile) error {
	old, err := a.Profile(ctx, id)
	if err != nil || old == p {
		return err
	}
	return a.do(ctx, a.writes, http.MethodPatch, id, p, nil)
}

func (a *Adapter) do(ctx context.Context, client *http.Client, method, id string, body, result any) error {
	var buf bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&buf).Encode(body); err != nil {
			return err
		}
	}
	path := "/customers/" + id
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, &buf)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return &outage.StatusError{Method: method, Path: path, Code: resp.StatusCode}
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(result)
}
