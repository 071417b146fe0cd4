package retrywritemore

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/avast/retry-go/v4"
	"github.com/go-resty/resty/v2"
	"github.com/google/uuid"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/api"
	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/ports"
)

const paymentsURL = "https://pay.example/payments"

// A command is what a user asked for; the key was stored when he did.
type command struct {
	OrderID        string
	IdempotencyKey string
}

// An adapter talks to a payment system.
type adapter struct {
	http *http.Client
	base string
}

func (a *adapter) do(ctx context.Context, method, path, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return closed(a.http.Do(req))
}

// closed turns an answer into an error.
func closed(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusInternalServerError {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

// A doer is what tests put in the place of a client.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// An editor changes a request before it is sent.
type editor func(ctx context.Context, req *http.Request) error

// A generated client as code generators write it.
type generated struct {
	client  doer
	server  string
	editors []editor
}

func newGenerated(client doer, server string, editors ...editor) *generated {
	return &generated{client: client, server: server, editors: editors}
}

func newGeneratedPost(server, path string) (*http.Request, error) {
	return http.NewRequest(http.MethodPost, server+path, http.NoBody)
}

func (g *generated) createOrder(ctx context.Context, extra ...editor) error {
	req, err := newGeneratedPost(g.server, "/orders")
	if err != nil {
		return err
	}
	for _, e := range extra {
		if err := e(ctx, req); err != nil {
			return err
		}
	}
	return closed(g.client.Do(req))
}

// A service keeps its clients in fields.
type service struct {
	rest *resty.Client
	api  *api.Client
	pay  ports.Payments
}

func newService() *service {
	return &service{rest: resty.New().SetRetryCount(2), api: &api.Client{HTTP: http.DefaultClient}} // site "attempts=3 mechanism=builtin"
}

var shared = resty.New().SetRetryCount(3) // site "attempts=4 mechanism=builtin"

// withRetry is the wrapper of the house.
func withRetry(op func() error) error {
	return retry.Do(op, retry.Attempts(3)) // site "attempts=3"
}

func newKey() string { return "pay-" + uuid.NewString() }
