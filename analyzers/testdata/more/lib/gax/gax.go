// Package gax has the ways to call googleapis/gax-go, which nothing ends but a
// context or a timeout.
package gax

import (
	"context"
	"net/http"
	"time"

	gax "github.com/googleapis/gax-go/v2"
	"google.golang.org/grpc/codes"
)

func ping(context.Context, gax.CallSettings) error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Without a retryer there is one attempt.
func once(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithTimeout(time.Second)) // nosite
}

func onCodes(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithRetry(func() gax.Retryer { // site "attempts=unknown backoff=exponential+jitter"
		return gax.OnCodes([]codes.Code{codes.Unavailable}, gax.Backoff{Initial: 100 * time.Millisecond, Max: time.Second, Multiplier: 1.3})
	}))
}

func longTimeout(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithTimeout(2*time.Minute), gax.WithRetry(func() gax.Retryer { // want "RE-4: waits up to 2m0s in memory" // site "attempts=unknown backoff=exponential+jitter sleep=2m0s"
		return gax.OnHTTPCodes(gax.Backoff{}, http.StatusServiceUnavailable)
	}))
}

func shortTimeout(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithTimeout(5*time.Second), gax.WithRetry(func() gax.Retryer { // site "attempts=unknown backoff=exponential+jitter sleep=5s"
		return gax.OnHTTPCodes(gax.Backoff{Max: 2 * time.Second}, http.StatusServiceUnavailable)
	}))
}

func constantBackoff(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithRetry(func() gax.Retryer { // want "X3: attempts after constant pauses, with jitter but without growth" // site "attempts=unknown backoff=constant+jitter"
		return gax.OnErrorFunc(gax.Backoff{Initial: time.Second, Max: time.Second}, func(error) bool { return true })
	}))
}

type limited struct{ left int }

func (l *limited) Retry(error) (time.Duration, bool) {
	l.left--
	return time.Second, l.left > 0
}

// A retryer of one's own limits what it likes.
func ownRetryer(ctx context.Context) error {
	return gax.Invoke(ctx, ping, gax.WithRetry(func() gax.Retryer { return &limited{left: 3} })) // site "attempts=unknown backoff=unknown"
}
