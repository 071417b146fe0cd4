// Package juju has the ways to fill the arguments of juju/retry.
package juju

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/juju/retry"
)

var errGone = errors.New("gone")

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func constant() error {
	return retry.Call(retry.CallArgs{ // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s predicate=catch-all"
		Func:     ping,
		Attempts: 4,
		Delay:    time.Second,
		Clock:    wallClock{},
	})
}

func doubled(ctx context.Context) error {
	return retry.Call(retry.CallArgs{ // want "X1: POST /payments may be applied up to 5 times" "RE-4: waits up to 11s in memory .5 attempts: 1s, 2s, 4s, 4s." "RE-2: exponential without jitter" // site "attempts=5 backoff=exponential sleep=11s"
		Func: func() error {
			resp, err := http.Post("https://pay.example/payments", "application/json", strings.NewReader("{}"))
			if err != nil {
				return err
			}
			return resp.Body.Close()
		},
		Attempts:    5,
		Delay:       time.Second,
		MaxDelay:    4 * time.Second,
		BackoffFunc: retry.DoubleDelay,
		Clock:       wallClock{},
		Stop:        ctx.Done(),
	})
}

func jittered(ctx context.Context) error {
	args := retry.CallArgs{
		Func:         ping,
		IsFatalError: func(err error) bool { return errors.Is(err, errGone) },
		Attempts:     3,
		Delay:        100 * time.Millisecond,
		BackoffFunc:  retry.ExpBackoff(100*time.Millisecond, 2*time.Second, 2, true),
		Clock:        wallClock{},
		Stop:         ctx.Done(),
	}
	return retry.Call(args) // site "attempts=3 backoff=exponential+jitter sleep=720ms"
}

func byTime() error {
	return retry.Call(retry.CallArgs{ // want "RE-3: 61 attempts over 1m0s; at most 5" "RE-4: waits up to 1m0s in memory" "X3: 61 attempts a constant 1s apart" // site "attempts=61 sleep=1m0s"
		Func:        ping,
		Delay:       time.Second,
		MaxDuration: time.Minute,
		Clock:       wallClock{},
	})
}

func forever() error {
	return retry.Call(retry.CallArgs{ // want "RE-3: retried without a limit" "X3: " // site "attempts=unbounded"
		Func:     ping,
		Attempts: -1,
		Delay:    time.Second,
		Clock:    wallClock{},
	})
}

func ownBackoff(f func(time.Duration, int) time.Duration) error {
	return retry.Call(retry.CallArgs{Func: ping, Attempts: 3, Delay: time.Second, BackoffFunc: f, Clock: wallClock{}}) // site "attempts=3 backoff=unknown"
}
