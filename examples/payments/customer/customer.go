// Package customer is the adapter of the customer relations system.
package customer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Profile is what may be changed of a customer.
type Profile struct {
	LastPayment string `json:"last_payment"`
}

// An Adapter talks to the system. It is safe for concurrent use.
type Adapter struct {
	base   string
	client *http.Client
}

// New returns the adapter of the system at base. Its client retries whatever
// it is given.
func New(base string) *Adapter {
	client := retryablehttp.NewClient()
	client.RetryMax = 8
	client.Logger = nil
	client.HTTPClient.Timeout = 10 * time.Second
	return &Adapter{base: base, client: client.StandardClient()}
}

// UpdateProfile changes a profile. The system mails the customer each time.
func (a *Adapter) UpdateProfile(ctx context.Context, id string, p Profile) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, a.base+"/customers/"+id, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return fmt.Errorf("customer %s: %s", id, resp.Status)
	}
	return nil
}
