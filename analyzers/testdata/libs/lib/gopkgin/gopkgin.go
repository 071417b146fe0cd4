// Package gopkgin has the loops around gopkg.in/retry.v1. The site is where the
// attempts of the loop are made.
package gopkgin

import (
	"context"
	"net/http"
	"time"

	"gopkg.in/retry.v1"
)

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func exponential(ctx context.Context) (err error) {
	strategy := retry.LimitCount(3, retry.Exponential{Initial: 200 * time.Millisecond, MaxDelay: time.Second, Jitter: true})
	for a := retry.StartWithCancel(strategy, nil, ctx.Done()); a.Next(); { // site "attempts=3 backoff=exponential+jitter sleep=600ms"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}

func noJitter() (err error) {
	for a := retry.Start(retry.LimitCount(4, retry.Exponential{Initial: 100 * time.Millisecond}), nil); a.Next(); { // want "RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "attempts=4 backoff=exponential sleep=700ms"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}

var everySecond = retry.Regular{Total: 10 * time.Second, Delay: time.Second}

func regular() (err error) {
	for a := everySecond.Start(nil); a.Next(); { // want "RE-3: 10 attempts over 9s; at most 5" "RE-4: waits up to 9s in memory" "X3: 10 attempts a constant 1s apart" // site "attempts=10 backoff=constant sleep=9s"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}

// Two attempts at least, however long the first takes: the number is not fixed.
func atLeast() (err error) {
	for a := retry.Start(retry.Regular{Total: time.Second, Delay: 250 * time.Millisecond, Min: 2}, nil); a.Next(); { // want "X3: attempts after constant pauses" // site "attempts=unknown backoff=constant"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}

func byTime() (err error) {
	for a := retry.Start(retry.LimitTime(5*time.Second, retry.Exponential{Initial: 500 * time.Millisecond, Jitter: true}), nil); a.Next(); { // site "attempts=5 backoff=exponential+jitter sleep=5s"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}

func endless() (err error) {
	for a := retry.Start(retry.Exponential{Initial: time.Second, MaxDelay: time.Minute, Jitter: true}, nil); a.Next(); { // want "RE-3: retried without a limit" // site "attempts=unbounded"
		if err = ping(); err == nil {
			return nil
		}
	}
	return err
}
