package polls

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v5"
	sretry "github.com/sethvargo/go-retry"
)

var every = backoff.WithBackOff(backoff.NewConstantBackOff(5 * time.Second))

// lego, providers/dns/hetzner: a failure ends it.
func failureEndsIt(ctx context.Context, c *client) error {
	_, err := backoff.Retry(ctx, func() (*job, error) { // nosite
		j, err := c.job(ctx, "GET", "/actions/1")
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		switch j.Status {
		case "running":
			return nil, fmt.Errorf("action is %s", j.Status)
		case "error":
			return nil, backoff.Permanent(errors.New("action failed"))
		}
		return j, nil
	}, every, backoff.WithMaxElapsedTime(5*time.Minute))
	return err
}

// lego, providers/dns/anexia: until the record can be found.
func untilItIsThere(ctx context.Context, c *client) (string, error) {
	return backoff.Retry(ctx, func() (string, error) { // nosite
		j, err := c.job(ctx, "GET", "/zones/1")
		if err != nil {
			return "", backoff.Permanent(err)
		}
		id := find(j, "_acme")
		if id == "" {
			return "", errors.New("no such record")
		}
		return id, nil
	}, every, backoff.WithMaxElapsedTime(5*time.Minute))
}

func find(j *job, name string) string {
	for _, r := range j.Records {
		if strings.HasPrefix(r, name) {
			return r
		}
	}
	return ""
}

// lego, providers/dns/route53, nifcloud, googlecloud: failures are tolerated.
func failureIsTolerated(ctx context.Context, c *client) error {
	_, err := backoff.Retry(ctx, func() (*job, error) { // nosite
		j, err := c.job(ctx, "GET", "/changes/1")
		if err != nil {
			return nil, fmt.Errorf("query the change: %w", err)
		}
		if j.Status != "INSYNC" {
			return nil, fmt.Errorf("status %s", j.Status)
		}
		return j, nil
	}, every, backoff.WithMaxElapsedTime(2*time.Minute))
	return err
}

// lego, providers/dns/googlecloud: the answer is a variable outside.
func answerOutside(ctx context.Context, c *client) error {
	var j *job
	var err error
	return retry.Do(func() error { // nosite
		j, err = c.job(ctx, "GET", "/changes/1")
		if err != nil {
			return fmt.Errorf("query the change: %w", err)
		}
		if j.Status != "done" {
			return fmt.Errorf("status: %s", j.Status)
		}
		return nil
	}, retry.Attempts(60), retry.DelayType(retry.FixedDelay), retry.Delay(time.Second))
}

// lego, providers/dns/cloudns: a flag.
func flag(ctx context.Context, c *client) error {
	return retry.Do(func() error { // nosite
		j, err := c.job(ctx, "GET", "/sync")
		if err != nil {
			return err
		}
		if !j.Complete {
			return errors.New("not complete")
		}
		return nil
	}, retry.Attempts(60))
}

// lego, providers/dns/huaweicloud: through a function of strings.
func partOfAState(ctx context.Context, c *client) error {
	return retry.Do(func() error { // nosite
		j, err := c.job(ctx, "GET", "/records/1")
		if err != nil {
			return err
		}
		if !strings.HasPrefix(j.Status, "PENDING_") {
			return nil
		}
		return fmt.Errorf("status: %s", j.Status)
	}, retry.Attempts(60))
}

// lego, challenge/resolver: the state is judged by a function, and asked for by
// POST. A request that got lost is not sent again.
func judgedElsewhere(ctx context.Context, c *client) error {
	_, err := backoff.Retry(ctx, func() (bool, error) { // nosite
		j, err := c.job(ctx, "POST", "/authorizations/1")
		if err != nil {
			return false, backoff.Permanent(err)
		}
		valid, err := check(j)
		if err != nil {
			return false, backoff.Permanent(err)
		}
		if valid {
			return true, nil
		}
		return false, errors.New("no answer to the challenge yet")
	})
	return err
}

func check(j *job) (bool, error) {
	switch j.Status {
	case "valid":
		return true, nil
	case "pending":
		return false, nil
	}
	return false, errors.New(j.Status)
}

// lego, providers/dns/allinkl: only what was refused for now is sent again, as a
// function below says.
func refusedForNow(ctx context.Context, c *client) error {
	_, err := backoff.Retry(ctx, func() (bool, error) { // nosite
		return true, c.change(ctx)
	}, backoff.WithBackOff(&backoff.ZeroBackOff{}), backoff.WithMaxElapsedTime(3*time.Minute))
	return err
}

// Where only marked errors are retried, the state's is the one.
func markedState(ctx context.Context, c *client) error {
	return sretry.Do(ctx, sretry.WithMaxRetries(20, sretry.NewConstant(time.Second)), func(ctx context.Context) error { // nosite
		j, err := c.job(ctx, "GET", "/jobs/1")
		if err != nil {
			return err
		}
		if j.Status == "running" {
			return sretry.RetryableError(errors.New("still running"))
		}
		return nil
	})
}
