// Package sber is the adapter of the acquiring bank.
package sber

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/google/uuid"
	"github.com/sony/gobreaker/v2"
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
	base    string
	client  *http.Client
	breaker *gobreaker.CircuitBreaker[Ref]
}

// New returns the adapter of the bank at base.
func New(base string, client *http.Client) *Adapter {
	return &Adapter{
		base:    base,
		client:  client,
		breaker: gobreaker.NewCircuitBreaker[Ref](gobreaker.Settings{Name: "sber"}),
	}
}

// Find reads an order. A read may be repeated: three attempts, growing pauses.
func (a *Adapter) Find(ctx context.Context, id string) (Order, error) {
	return retry.DoWithData(func() (Order, error) {
		var order Order
		err := a.do(ctx, http.MethodGet, "/orders/"+id, "", nil, &order)
		return order, err
	}, retry.Attempts(3), retry.Delay(500*time.Millisecond), retry.MaxJitter(250*time.Millisecond), retry.Context(ctx))
}

// Register starts a payment. The key is meant to let the bank recognise a
// repeat, but each attempt makes another; and the breaker sees one failure
// where the bank saw ten.
func (a *Adapter) Register(ctx context.Context, p Payment) (Ref, error) {
	return a.breaker.Execute(func() (Ref, error) {
		return retry.DoWithData(func() (Ref, error) {
			var ref Ref
			err := a.do(ctx, http.MethodPost, "/payments/register", uuid.NewString(), p, &ref)
			return ref, err
		})
	})
}

// Confirm completes a payment, for up to a quarter of an hour: a deployment in
// between loses it.
func (a *Adapter) Confirm(ctx context.Context, ref Ref) error {
	return backoff.Retry(func() error {
		return a.do(ctx, http.MethodPost, "/payments/"+ref.ID+"/confirm", "", nil, nil)
	}, backoff.NewExponentialBackOff())
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
		return fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(result)
}
