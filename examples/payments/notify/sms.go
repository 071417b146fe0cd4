// Package notify sends text messages.
package notify

import (
	"context"
	"fmt"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/resilint/resilint/examples/payments/internal/again"
)

// SMS talks to the text message gateway. It is safe for concurrent use.
type SMS struct {
	client *resty.Client
}

// New returns the client of the gateway at base.
func New(base string) *SMS {
	return &SMS{client: resty.New().SetBaseURL(base).SetTimeout(3 * time.Second)}
}

// Send sends a message, at the same pace for everyone who waits for a gateway
// that is down.
func (s *SMS) Send(ctx context.Context, phone, text string) error {
	return again.Every(2*time.Second, 4, func() error {
		resp, err := s.client.R().SetContext(ctx).
			SetBody(map[string]string{"phone": phone, "text": text}).
			Post("/messages")
		if err != nil {
			return err
		}
		if resp.IsError() {
			return fmt.Errorf("sms gateway: %s", resp.Status())
		}
		return nil
	})
}
