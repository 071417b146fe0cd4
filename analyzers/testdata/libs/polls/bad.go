package polls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/avast/retry-go/v4"
)

// A failing status is a failure, whoever makes the error of it.
func statusIsAFailure(c *http.Client) error {
	return retry.Do(func() error { // want "RE-3: 6 attempts" // site "attempts=6 effect=read"
		resp, err := c.Get("https://pay.example/rates")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 500 {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		return nil
	}, retry.Attempts(6))
}

// mackerel-agent, spec/cloud.go: what came is checked, and a failure repeated.
func answerIsChecked(c *http.Client) error {
	return retry.Do(func() error { // want "RE-3: 6 attempts" // site "attempts=6 effect=read"
		resp, err := c.Get("https://pay.example/instance-id")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		if string(body) == "" {
			return errors.New("invalid instance id")
		}
		return nil
	}, retry.Attempts(6))
}

// buildkite/agent, agent/tags.go: a list that is empty, and a failure repeated.
func emptyList(ctx context.Context, c *client) error {
	return retry.Do(func() error { // want "RE-3: 6 attempts" // site "attempts=6 effect=read"
		j, err := c.job(ctx, "GET", "/tags")
		if err == nil && len(j.Records) == 0 {
			err = errors.New("no tags")
		}
		return err
	}, retry.Attempts(6))
}

// Words and numbers for success are no states.
func wordOfSuccess(ctx context.Context, c *client) error {
	return retry.Do(func() error { // want "RE-3: 6 attempts" // site "attempts=6 effect=read"
		j, err := c.job(ctx, "GET", "/rates")
		if err != nil {
			return err
		}
		if j.Status != "success" {
			return errors.New(j.Fault.Message)
		}
		return nil
	}, retry.Attempts(6))
}

func codeOfAnError(ctx context.Context, c *client) error {
	return retry.Do(func() error { // want "RE-3: 6 attempts" // site "attempts=6 effect=read"
		j, err := c.job(ctx, "GET", "/rates")
		if err != nil {
			return err
		}
		if j.Code != 0 {
			return &j.Fault
		}
		return nil
	}, retry.Attempts(6))
}

// A write that is sent until its state comes is sent again when it got lost.
func writeInAPoll(ctx context.Context, c *client) error {
	return retry.Do(func() error { // want "X1: POST /jobs may be applied up to 6 times" // want "RE-3: 6 attempts" // site "attempts=6 effect=write"
		j, err := c.job(ctx, "POST", "/jobs")
		if err != nil {
			return err
		}
		if j.Status != "ready" {
			return errors.New("not ready")
		}
		return nil
	}, retry.Attempts(6))
}

// lego, providers/dns/f5xc: a helper that is called waitFor, and only repeats
// what failed.
func waitFor(operation func() error) error {
	return retry.Do(operation, retry.Attempts(6)) // want "RE-3: 6 attempts" // site "attempts=6"
}

func onlyCalledWait(ctx context.Context, c *client) error {
	return waitFor(func() error { // want "X1: POST /records may be applied up to 6 times" // site "attempts=6 effect=write"
		if _, err := c.job(ctx, "POST", "/records"); err != nil {
			return fmt.Errorf("create the record: %w", err)
		}
		return nil
	})
}
