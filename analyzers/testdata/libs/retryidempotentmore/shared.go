package retryidempotentmore

import (
	"context"
	"fmt"
	"net/http"
)

// A cards talks to a system that keeps cards.
type cards struct {
	http *http.Client
	base string
}

func (c *cards) do(ctx context.Context, method, path, key string) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, http.NoBody)
	if err != nil {
		return err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return closed(c.http.Do(req))
}

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
