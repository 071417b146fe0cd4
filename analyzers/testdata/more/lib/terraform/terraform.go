// Package terraform has the ways in which providers wait for their API.
package terraform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
)

type client struct{ http *http.Client }

var errBusy = errors.New("busy")

func (c *client) create(ctx context.Context, name string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.example/volumes", strings.NewReader(name))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusConflict {
		return errBusy
	}
	return nil
}

func (c *client) state(id string) (string, error) {
	resp, err := c.http.Get("https://api.example/volumes/" + id)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// Everything that fails is sent again for five minutes.
func (c *client) createForMinutes(ctx context.Context, name string) error {
	return retry.RetryContext(ctx, 5*time.Minute, func() *retry.RetryError { // want "X1: POST /volumes may be applied up to" "RE-3: 34 attempts over 5m0s; at most 5" "RE-4: waits up to 5m0s in memory" "RE-2: exponential without jitter" // site "attempts=34 backoff=exponential sleep=5m0s"
		if err := c.create(ctx, name); err != nil {
			return retry.RetryableError(err)
		}
		return nil
	})
}

// The read is retried, the write is not: its failure ends the retry.
func (c *client) createInGroup(ctx context.Context, group, name string) error {
	return retry.RetryContext(ctx, 3*time.Second, func() *retry.RetryError { // want "RE-2: exponential without jitter .500ms, 1s." // site "attempts=3 backoff=exponential"
		if _, err := c.state(group); err != nil {
			return retry.RetryableError(err)
		}
		if err := c.create(ctx, name); err != nil {
			return retry.NonRetryableError(err)
		}
		return nil
	})
}

// Waiting for a state is no retry.
func (c *client) waitForVolume(ctx context.Context, id string) error {
	return retry.RetryContext(ctx, 10*time.Minute, func() *retry.RetryError { // nosite
		state, err := c.state(id)
		if err != nil {
			return retry.NonRetryableError(err)
		}
		if state != "available" {
			return retry.RetryableError(fmt.Errorf("volume %s is %s", id, state))
		}
		return nil
	})
}

func (c *client) waitForState(ctx context.Context, id string) error {
	conf := &retry.StateChangeConf{
		Pending: []string{"creating"},
		Target:  []string{"available"},
		Refresh: func() (any, string, error) {
			state, err := c.state(id)
			return id, state, err
		},
		Timeout:    10 * time.Minute,
		MinTimeout: 3 * time.Second,
	}
	_, err := conf.WaitForStateContext(ctx) // nosite
	return err
}

// The caller's timeout is judged where it is given.
func (c *client) createFor(ctx context.Context, name string, timeout time.Duration) error {
	return retry.RetryContext(ctx, timeout, func() *retry.RetryError { // want "X1: POST /volumes may be applied" "RE-2: exponential without jitter" // site "attempts=unknown backoff=exponential"
		if err := c.create(ctx, name); err != nil {
			return retry.RetryableError(err)
		}
		return nil
	})
}
