// Package retrybody has what rule RSL-BODY reports, and what it does not.
package retrybody

import (
	"bytes"
	"context"
	"io"
	"math/rand"
	"net/http"
	"strings"
	"time"

	avast "github.com/avast/retry-go/v4"
)

const url = "https://search.example/_search"

func wait(ctx context.Context, attempt int) {
	select {
	case <-time.After(200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond)))):
	case <-ctx.Done():
	}
}

// One request for all attempts.
func sameRequest(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: attempts after the first have no body left to send: all send the same request$" // site "attempts=3"
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

// Captured by the operation.
func captured(ctx context.Context, c *http.Client, query string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(query))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	return avast.Do(func() error { // want "^RSL-BODY: attempts after the first have no body left to send" // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}

// A clone has the same body.
func cloned(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: attempts after the first have no body left" // site "attempts=3"
		if resp, err = c.Do(req.Clone(ctx)); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

// Each attempt makes a request, all with one reader.
func sameReader(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	body := bytes.NewReader(query)
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: attempts after the first are sent without a body: all read the same reader$" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
		if err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

// A buffer is emptied as it is read.
func sameBuffer(ctx context.Context, c *http.Client, query string) error {
	var body bytes.Buffer
	body.WriteString(query)
	return avast.Do(func() error { // want "^RSL-BODY: attempts after the first are sent without a body" // site "attempts=3"
		resp, err := c.Post(url, "application/json", &body)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}

// A helper makes the request.
func inAHelper(ctx context.Context, c *http.Client, query string) (err error) {
	body := strings.NewReader(query)
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: attempts after the first are sent without a body" // site "attempts=3"
		if err = post(ctx, c, body); err == nil {
			return nil
		}
		wait(ctx, attempt)
	}
	return err
}

func post(ctx context.Context, c *http.Client, body io.Reader) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The caller's reader, and one caller in sight has one.
func request(ctx context.Context, c *http.Client, method string, body io.Reader) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: attempts after the first have no body left" // site "attempts=3"
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func search(ctx context.Context, c *http.Client, query []byte) (*http.Response, error) {
	return request(ctx, c, http.MethodPost, bytes.NewReader(query)) // site "mechanism=wrapper"
}

func all(ctx context.Context, c *http.Client) (*http.Response, error) {
	return request(ctx, c, http.MethodGet, nil) // site "mechanism=wrapper"
}

// Whatever request comes is sent again.
type doer struct{ http *http.Client }

func (d *doer) Do(req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-BODY: every request is sent again as it is: the body of one that has any was read by the first attempt$" "^X1" // site "attempts=3"
		if resp, err = d.http.Do(req); err == nil {
			return resp, nil
		}
		wait(req.Context(), attempt)
	}
	return nil, err
}
