package retrybody

import (
	"bytes"
	"context"
	"io"
	"net/http"

	avast "github.com/avast/retry-go/v4"
	"github.com/hashicorp/go-retryablehttp"
)

func madeAnew(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
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

func askedAnew(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if attempt > 0 {
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func setAnew(ctx context.Context, c *http.Client, query []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return err
	}
	return avast.Do(func() error { // site "attempts=3"
		req.Body = io.NopCloser(bytes.NewReader(query))
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}

func rewound(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	body := bytes.NewReader(query)
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		body.Seek(0, io.SeekStart)
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

func noBody(ctx context.Context, c *http.Client) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func emptyBody(ctx context.Context, c *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	return avast.Do(func() error { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}

// No caller in sight has a body.
func bare(ctx context.Context, c *http.Client, method string, body io.Reader) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func count(ctx context.Context, c *http.Client) (*http.Response, error) {
	return bare(ctx, c, http.MethodGet, nil) // site "mechanism=wrapper"
}

// What has a body is sent once.
type careful struct{ http *http.Client }

func (d *careful) Do(req *http.Request) (resp *http.Response, err error) {
	if req.Body != nil && req.Body != http.NoBody {
		return d.http.Do(req)
	}
	for attempt := 0; attempt < 3; attempt++ { // want "^X1" // site "attempts=3"
		if resp, err = d.http.Do(req); err == nil {
			return resp, nil
		}
		wait(req.Context(), attempt)
	}
	return nil, err
}

// Only reads are sent again.
type reader struct{ http http.RoundTripper }

func (r *reader) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = r.http.RoundTrip(req)
		if err == nil || req.Method != http.MethodGet {
			return resp, err
		}
		wait(req.Context(), attempt)
	}
	return nil, err
}

// A helper makes the body anew.
func byHelper(ctx context.Context, c *http.Client, query []byte) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if err := rewind(req); err != nil {
			return nil, err
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func rewind(req *http.Request) (err error) {
	if req.GetBody != nil {
		req.Body, err = req.GetBody()
	}
	return err
}

// This library keeps the bytes and rewinds.
func library(ctx context.Context, c *retryablehttp.Client, query []byte) error {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(query))
	if err != nil {
		return err
	}
	return avast.Do(func() error { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}
