// Package bank implements the port with the client, two packages away from the
// retry.
package bank

import (
	"context"
	"net/http"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/api"
)

// A Bank captures payments.
type Bank struct{ Client *api.Client }

// Capture sends a POST without a key.
func (b *Bank) Capture(ctx context.Context, id string) error {
	return b.Client.Do(ctx, http.MethodPost, "/captures/"+id, "", nil)
}

// Status only reads.
func (b *Bank) Status(ctx context.Context, id string) error {
	return b.Client.Do(ctx, http.MethodGet, "/captures/"+id, "", nil)
}

// CaptureOnce sends a POST with the key that it is given.
func (b *Bank) CaptureOnce(ctx context.Context, id, key string) error {
	return b.Client.Do(ctx, http.MethodPost, "/captures/"+id, key, nil)
}
