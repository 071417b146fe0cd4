// Package retrywrite has what rule X1 reports, and what it does not.
package retrywrite

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"github.com/google/uuid"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywrite/bank"
)

type adapter struct {
	bank  *bank.Client
	http  *http.Client
	resty *resty.Client
}

func newAdapter(base string) *adapter {
	return &adapter{
		bank:  &bank.Client{Base: base, HTTP: http.DefaultClient},
		http:  http.DefaultClient,
		resty: resty.New().SetRetryCount(2), // site "attempts=3 mechanism=builtin"
	}
}

type command struct{ ID, Key string }

// A helper three functions and two packages deep, without a key.
func (a *adapter) updateProfile(ctx context.Context, id string) error {
	return retry.Do(func() error { // want "^X1: PATCH /customers/\\* may be applied up to 3 times: no idempotency key \\(updateProfile -> bank.Client.Do -> .*http.Client.Do\\)$" // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPatch, "/customers/"+id, "", nil)
	}, retry.Attempts(3), retry.Context(ctx))
}

// The key is made in the adapter, for each attempt another.
func (a *adapter) keyPerAttempt(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: each of 3 attempts of POST /payments gets another idempotency key: uuid.NewString runs inside the retry$" // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/payments", uuid.NewString(), nil)
	}, retry.Attempts(3))
}

// The key is made by the function that retries.
func (a *adapter) keyPerCall(ctx context.Context) error {
	key := uuid.NewString()
	return retry.Do(func() error { // want "X1: the idempotency key of POST /payments is made by the call that retries" // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/payments", key, nil)
	}, retry.Attempts(3))
}

// The same key for all payments.
func (a *adapter) constantKey(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: POST /payments always carries the same idempotency key" // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/payments", "payments", nil)
	}, retry.Attempts(3))
}

// A header that is no key: correlation does not deduplicate.
func (a *adapter) requestID(ctx context.Context, id string) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3"
		return a.bank.With(ctx, http.MethodPost, "/payments", map[string]string{"X-Request-Id": id})
	}, retry.Attempts(3))
}

// No headers at all are given to a helper that takes some.
func (a *adapter) nilHeaders(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: POST /refunds may be applied up to 3 times" // site "attempts=3"
		return a.bank.With(ctx, http.MethodPost, "/refunds", nil)
	}, retry.Attempts(3))
}

// No editors are given to a helper that takes some.
func (a *adapter) noEditors(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: POST /refunds may be applied up to 3 times" // site "attempts=3"
		return a.bank.Edited(ctx, http.MethodPost, "/refunds")
	}, retry.Attempts(3))
}

// PUT replaces, which is less grave.
func (a *adapter) put(ctx context.Context) error {
	return backoff.Retry(func() error { // want "X1: PUT /limits may be applied up to 3 times" // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPut, "/limits", "", nil)
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

// The package function of net/http cannot carry a key.
func packageFunction() error {
	return retry.Do(func() error { // want "X1: POST /hooks may be applied up to 3 times: no idempotency key \\(packageFunction -> http.Post\\)" // site "attempts=3"
		resp, err := http.Post("https://bank.example/hooks", "text/plain", strings.NewReader("x"))
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, retry.Attempts(3))
}

// A method in a variable that has one value.
func (a *adapter) methodInVariable(ctx context.Context) error {
	method := http.MethodPost
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3"
		return a.bank.Do(ctx, method, "/payments", "", nil)
	}, retry.Attempts(3))
}

// withRetry retries what it is given: its callers are judged.
func withRetry(attempts uint, f func() error) error {
	return retry.Do(f, retry.Attempts(attempts), retry.Delay(200*time.Millisecond)) // site "attempts=4 mechanism=library"
}

func (a *adapter) throughWrapper(ctx context.Context) error {
	return withRetry(4, func() error { // want "X1: POST /payments may be applied up to 4 times" // site "attempts=4 mechanism=wrapper"
		return a.bank.Do(ctx, http.MethodPost, "/payments", "", nil)
	})
}

// The client itself retries, whatever it sends.
func (a *adapter) builtin() error {
	_, err := a.resty.R().SetBody("x").Post("https://sms.example/messages") // want "X1: POST /messages may be applied up to 3 times: no idempotency key \\(builtin -> resty.Request.Post\\)" // site "attempts=3 mechanism=builtin"
	return err
}

// A plain client whose transport retries.
func standardClient() error {
	c := retryablehttp.NewClient() // site "attempts=3 mechanism=builtin" // want "RE-2: "
	c.RetryMax = 2
	req, err := http.NewRequest(http.MethodPost, "https://bank.example/payments", nil)
	if err != nil {
		return err
	}
	resp, err := c.StandardClient().Do(req) // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 mechanism=builtin"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
