// Package sber is the adapter of the acquiring bank.
package sber

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyhttp"
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
	base string
	bank *policyhttp.Client
}

// New returns the adapter of the bank at base. A nil transport is the default
// one. The policy has the usual numbers: three attempts with pauses of 500ms and
// 1s, 5s for each, one breaker around every attempt.
func New(base string, transport http.RoundTripper) (*Adapter, error) {
	p, err := policy.New(policy.Settings{
		System: "sber",
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Sber acquiring API 2.4, section 5.1"},
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{base: base, bank: policyhttp.New(p, &http.Client{Transport: transport})}, nil
}

// Find reads an order: a read may be repeated.
func (a *Adapter) Find(ctx context.Context, id string) (Order, error) {
	var order Order
	err := a.do(ctx, http.MethodGet, "/orders/"+id, policy.Key{}, nil, &order)
	return order, err
}

// Register starts a payment. Every attempt for an order carries the same key,
// also that of another process tomorrow: the bank recognises a repeat.
func (a *Adapter) Register(ctx context.Context, p Payment) (Ref, error) {
	var ref Ref
	err := a.do(ctx, http.MethodPost, "/payments/register", policy.DeriveKey("register", p.OrderID), p, &ref)
	return ref, err
}

// Confirm completes a payment, with a key of the payment's own.
func (a *Adapter) Confirm(ctx context.Context, ref Ref) error {
	return a.do(ctx, http.MethodPost, "/payments/"+ref.ID+"/confirm", policy.DeriveKey("confirm", ref.ID), nil, nil)
}

func (a *Adapter) do(ctx context.Context, method, path string, key policy.Key, body, result any) error {
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
	if !key.IsZero() {
		req.Header.Set("Idempotency-Key", key.String())
	}
	resp, err := a.bank.Do(req)
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
