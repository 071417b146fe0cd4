// Package notify sends text messages.
package notify

import (
	"context"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/resilint/resilint/examples/payments-fixed/internal/breaker"
	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
)

// A Message is a text for a phone. The gateway delivers one ID once.
type Message struct {
	ID, Phone, Text string
}

// SMS talks to the text message gateway. It is safe for concurrent use.
type SMS struct {
	client *resty.Client
}

// New returns the client of the gateway at base. A nil transport is the default
// one. Three attempts, with pauses of half to all of 500ms and 1s.
func New(base string, transport http.RoundTripper) *SMS {
	client := resty.New().
		SetBaseURL(base).
		SetTransport(breaker.Transport("sms", transport)).
		SetTimeout(3 * time.Second). // of one attempt
		SetRetryCount(2).
		SetRetryWaitTime(500 * time.Millisecond).
		SetRetryMaxWaitTime(2 * time.Second).
		AddRetryCondition(again)
	return &SMS{client: client}
}

// again reports whether another attempt is worth its while.
func again(resp *resty.Response, err error) bool {
	if err != nil {
		return outage.Brief(err)
	}
	return outage.BriefStatus(resp.StatusCode())
}

// Send sends a message. All attempts carry its ID as the key.
func (s *SMS) Send(ctx context.Context, m Message) error {
	const path = "/messages"
	resp, err := s.client.R().SetContext(ctx).
		SetHeader("Idempotency-Key", m.ID).
		SetBody(map[string]string{"phone": m.Phone, "text": m.Text}).
		Post(path)
	if err != nil {
		return err
	}
	if resp.IsError() {
		return &outage.StatusError{Method: http.MethodPost, Path: path, Code: resp.StatusCode()}
	}
	return nil
}
