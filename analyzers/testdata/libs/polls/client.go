// Package polls has retries of libraries that ask again for a state: lego waits
// so for the changes that it makes to zones. What is repeated there is no failure.
package polls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/cenkalti/backoff/v5"
)

type client struct {
	http *http.Client
	base string
}

type job struct {
	ID       string
	Status   string
	Complete bool
	Code     int
	Records  []string
	Fault    fault
}

type fault struct{ Message string }

func (f *fault) Error() string { return f.Message }

func (c *client) job(ctx context.Context, method, path string) (*job, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", resp.StatusCode)
	}
	j := new(job)
	return j, json.NewDecoder(resp.Body).Decode(j)
}

// change is refused while too many come at once; all else ends the retry.
func (c *client) change(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, "POST", c.base+"/changes", bytes.NewReader(nil))
	if err != nil {
		return backoff.Permanent(err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return backoff.Permanent(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return backoff.Permanent(errors.New(resp.Status))
	}
	j, err := decode(resp)
	if err != nil {
		return backoff.Permanent(err)
	}
	if j.Fault.Message == "flood" {
		return &j.Fault
	}
	return nil
}

func decode(resp *http.Response) (*job, error) {
	j := new(job)
	return j, json.NewDecoder(resp.Body).Decode(j)
}
