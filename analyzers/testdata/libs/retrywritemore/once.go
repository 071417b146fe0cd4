package retrywritemore

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
	sretry "github.com/sethvargo/go-retry"
)

// A key kept outside of the operation, and filled by the first attempt, is the
// same for all of them.
func keyFilledOnce(c *http.Client) error {
	var key string
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		req, err := http.NewRequest("POST", "https://pay.example/payments", nil)
		if err != nil {
			return err
		}
		if key == "" {
			key = uuid.NewString()
		}
		req.Header.Set("Idempotency-Key", key)
		_, err = c.Do(req)
		return err
	}, retry.Attempts(3))
}

// The same variable, written by each attempt.
func keyFilledAgain(c *http.Client) error {
	var key string
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /payments gets another idempotency key" // site "attempts=3 effect=write"
		req, err := http.NewRequest("POST", "https://pay.example/payments", nil)
		if err != nil {
			return err
		}
		key = uuid.NewString()
		req.Header.Set("Idempotency-Key", key)
		_, err = c.Do(req)
		return err
	}, retry.Attempts(3))
}

// A write that fails ends the retry: only the read before it is repeated.
func permanentAfterTheWrite(c *http.Client) error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		if _, err := c.Get("https://pay.example/ready"); err != nil {
			return err
		}
		_, err := c.Post("https://pay.example/payments", "", nil)
		if err != nil {
			return retry.Unrecoverable(err)
		}
		return nil
	}, retry.Attempts(3))
}

func permanentWhateverCame(c *http.Client) error {
	return retry.Do(func() error { // nosite
		_, err := c.Post("https://pay.example/payments", "", nil)
		return retry.Unrecoverable(err)
	}, retry.Attempts(3))
}

// One way out of two is marked: the other repeats the write.
func permanentForSomeAnswers(c *http.Client) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
		resp, err := c.Post("https://pay.example/payments", "", nil)
		if err != nil {
			return err
		}
		if resp.StatusCode == http.StatusConflict {
			return retry.Unrecoverable(http.ErrBodyNotAllowed)
		}
		return nil
	}, retry.Attempts(3))
}

// A marked error in front of the write says nothing of the write.
func permanentBeforeTheWrite(c *http.Client) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
		req, err := http.NewRequest("POST", "https://pay.example/payments", nil)
		if err != nil {
			return retry.Unrecoverable(err)
		}
		_, err = c.Do(req)
		return err
	}, retry.Attempts(3))
}

// Only marked errors are retried, and the write's is none.
func notMarkedAsRetryable(ctx context.Context, c *http.Client) error {
	wait := sretry.WithJitterPercent(50, sretry.NewExponential(time.Second))
	return sretry.Do(ctx, sretry.WithMaxRetries(2, wait), func(ctx context.Context) error { // site "attempts=3 effect=unknown"
		if _, err := c.Get("https://pay.example/ready"); err != nil {
			return sretry.RetryableError(err)
		}
		_, err := c.Post("https://pay.example/payments", "", nil)
		return err
	})
}

func markedAsRetryable(ctx context.Context, c *http.Client) error {
	wait := sretry.WithJitterPercent(50, sretry.NewExponential(time.Second))
	return sretry.Do(ctx, sretry.WithMaxRetries(2, wait), func(ctx context.Context) error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
		_, err := c.Post("https://pay.example/payments", "", nil)
		if err != nil {
			return sretry.RetryableError(err)
		}
		return nil
	})
}

// What the operation prepares is done once, after the retry.
func preparedForLater(c *http.Client) error {
	var finish func() error
	err := retry.Do(func() error { // site "attempts=3 effect=read"
		resp, err := c.Get("https://pay.example/ready")
		if err != nil {
			return err
		}
		finish = func() error {
			_, err := c.Post("https://pay.example/payments/"+resp.Status, "", nil)
			return err
		}
		return nil
	}, retry.Attempts(3))
	if err != nil {
		return err
	}
	return finish()
}

// The same closure, called by the attempt that makes it.
func preparedForNow(c *http.Client) error {
	var finish func() error
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
		finish = func() error {
			_, err := c.Post("https://pay.example/payments", "", nil)
			return err
		}
		return finish()
	}, retry.Attempts(3))
}

// A helper in a variable, as mackerel-agent has it for the steps of its start.
func localHelper(c *http.Client) error {
	again := func(step func() error) error {
		return retry.Do(step, retry.Attempts(3)) // site "attempts=3 effect=unknown"
	}
	if err := again(func() error { // site "attempts=3 effect=read mechanism=wrapper"
		_, err := c.Get("https://pay.example/ready")
		return err
	}); err != nil {
		return err
	}
	return again(func() error { // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write mechanism=wrapper"
		_, err := c.Post("https://pay.example/payments", "", nil)
		return err
	})
}

// One that is handed on may be called by anyone.
func localHelperHandedOn(c *http.Client, steps func(func(func() error) error) error) error {
	again := func(step func() error) error {
		return retry.Do(step, retry.Attempts(3)) // site "attempts=3 effect=unknown"
	}
	return steps(again)
}

// A goroutine of the function's own is no helper of it: what it retries is judged
// once, where the group is given its work (alist's errgroup).
type group struct{ opts []retry.Option }

func newGroup(opts ...retry.Option) *group { return &group{opts} }

func (g *group) start(f func() error) {
	go func() {
		_ = retry.Do(func() error { return f() }, g.opts...) // site "effect=unknown"
	}()
}

func workInAGroup(c *http.Client) {
	g := newGroup(retry.Attempts(3)) // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write mechanism=wrapper"
	g.start(func() error {
		_, err := c.Post("https://pay.example/payments", "", nil)
		return err
	})
}
