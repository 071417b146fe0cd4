package retryleak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	avast "github.com/avast/retry-go/v4"
	"github.com/hashicorp/go-retryablehttp"
)

func closed(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		if resp != nil {
			resp.Body.Close()
		}
		wait(ctx, attempt)
	}
	return nil, err
}

func closedByHelper(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		drain(resp)
		wait(ctx, attempt)
	}
	return nil, err
}

func drain(resp *http.Response) {
	if resp == nil {
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

// The body is given away.
func bodyGivenToHelper(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			last = err
		} else if resp.StatusCode < 500 {
			return resp, nil
		} else {
			last = failure(resp.Body)
		}
		wait(ctx, attempt)
	}
	return nil, last
}

func failure(body io.ReadCloser) error {
	defer body.Close()
	text, _ := io.ReadAll(body)
	return errors.New(string(text))
}

// Without a response there is nothing to close.
func onlyErrors(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
		wait(ctx, attempt)
	}
	return nil, err
}

// The next turn closes that of the last.
func closedNextTurn(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if resp != nil {
			resp.Body.Close()
			wait(ctx, attempt)
		}
		resp, err = c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
	}
	return resp, nil
}

// lithic-go, internal/requestconfig/requestconfig.go: the last one is returned.
func butTheLast(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt <= 2; attempt++ { // site "attempts=3"
		resp, err = c.Do(req)
		if attempt >= 2 || !again(resp, err) {
			break
		}
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		wait(ctx, attempt)
	}
	return resp, err
}

// Read to its end, the connection is free.
func readToTheEnd(ctx context.Context, c *http.Client, req *http.Request) ([]byte, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			last = err
			wait(ctx, attempt)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err == nil && resp.StatusCode < 500 {
			return body, nil
		}
		last = fmt.Errorf("%d: %s", resp.StatusCode, body)
		wait(ctx, attempt)
	}
	return nil, last
}

// Deferred in the operation, which returns after each attempt.
func deferredInTheOperation(ctx context.Context, c *http.Client, req *http.Request) error {
	return avast.Do(func() error { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
}

// An attempt is a function.
func oneFunction(ctx context.Context, c *http.Client, req *http.Request) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		err = func() error {
			resp, err := c.Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			if resp.StatusCode >= 500 {
				return errors.New(resp.Status)
			}
			return nil
		}()
		if err == nil {
			return nil
		}
		wait(ctx, attempt)
	}
	return err
}

// The error carries it, and whoever reads that closes it.
func carried(ctx context.Context, c *http.Client, req *http.Request) error {
	return avast.Do(func() error { // site "attempts=3"
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return &statusError{resp}
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx), avast.OnRetry(func(_ uint, err error) {
		var status *statusError
		if errors.As(err, &status) {
			status.resp.Body.Close()
		}
	}))
}

type statusError struct{ resp *http.Response }

func (e *statusError) Error() string { return e.resp.Status }

// The next attempt closes what the last one left.
func closedByTheNext(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	var resp *http.Response
	err := avast.Do(func() (err error) { // site "attempts=3"
		if resp != nil {
			resp.Body.Close()
		}
		resp, err = c.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
	return resp, err
}

// Headers alone: there is no body.
func head(ctx context.Context, c *http.Client, url string) error {
	return avast.Do(func() error { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
		if err != nil {
			return err
		}
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	}, avast.Attempts(3), avast.Context(ctx))
}

// The library closes those that it retries.
func library(ctx context.Context, c *retryablehttp.Client, url string) error {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
