// Package sber is the adapter of the acquiring bank.
package sber

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/google/uuid"

	"github.com/resilint/resilint/examples/payments-fixed/internal/breaker"
	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
)

// Payment is what a customer asked for.
type Payment struct {
	OrderID    string `json:"order_id"`
	CustomerID string `json:"customer_id"`
	Phone      string `json:"phone"`
	Amount     int64  `json:"amount"`
}

// Ref is the bank's reference of a payment.
type Ref struct {
	ID string `json:"id"`
}

// Order is the bank's view of an order.
type Order struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// An Adapter talks to the bank. It is safe for concurrent use.
type Adapter struct {
	base   string
	client *http.Client
}

// New returns the adapter of the bank at base. A nil transport is the default
// one.
func New(base string, transport http.RoundTripper) *Adapter {
	return &Adapter{base: base, client: &http.Client{
		Timeout:   3 * time.Second, // of one attempt
		Transport: breaker.Transport("sber", transport),
	}}
}

// Find reads an order, in three attempts with pauses of 500ms and 1s, each up
// to 250ms longer.
func (a *Adapter) Find(ctx context.Context, id string) (Order, error) {
	return retry.DoWithData(func() (Order, error) {
		var order Order
		err := a.do(ctx, http.MethodGet, "/orders/"+id, "", nil, &order)
		return order, err
	},
		retry.Attempts(3),
		retry.Delay(500*time.Millisecond),
		retry.MaxJitter(250*time.Millisecond),
		retry.RetryIf(outage.Brief),
		retry.Context(ctx),
		retry.LastErrorOnly(true),
	)
}

// Register starts a payment, in three attempts with pauses around 500ms and 1s.
// Every attempt for an order carries the same key, also that of another process
// tomorrow: the bank recognises a repeat.
func (a *Adapter) Register(ctx context.Context, p Payment) (Ref, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = 500 * time.Millisecond
	pauses.Multiplier = 2
	key := idempotencyKey(p.OrderID, "register")
	return backoff.RetryWithData(func() (Ref, error) {
		var ref Ref
		err := a.do(ctx, http.MethodPost, "/payments/register", key, p, &ref)
		if err != nil && !outage.Brief(err) {
			err = backoff.Permanent(err)
		}
		return ref, err
	}, backoff.WithContext(backoff.WithMaxRetries(pauses, 2), ctx))
}

// Confirm completes a payment, in one attempt. Its caller may ask again: the
// key is the same.
func (a *Adapter) Confirm(ctx context.Context, ref Ref) error {
	return a.do(ctx, http.MethodPost, "/payments/"+ref.ID+"/confirm", idempotencyKey(ref.ID, "confirm"), nil, nil)
}

// keys is the name space of this service's idempotency keys.
var keys = uuid.MustParse("6f1d5c9e-0c1b-4f0e-9a52-6a3a6b0a7c11")

// idempotencyKey is the key of an operation on a subject: the same each time.
func idempotencyKey(subject, operation string) string {
	return uuid.NewSHA1(keys, []byte(operation+" "+subject)).String()
}

func (a *Adapter) do(ctx context.Context, method, path, key string, body, result any) error {
	var buf bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&buf).Encode(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, &buf)
	if err != nil {
		return err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := a.client.Do(req)
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
