package cenkalti

import (
	"context"
	"time"

	backoff1 "github.com/cenk/backoff"
	backoff2 "github.com/cenkalti/backoff"
	backoff3 "github.com/cenkalti/backoff/v3"
)

func version2(ctx context.Context) error {
	return backoff2.Retry(ping, backoff2.WithContext(backoff2.WithMaxRetries(backoff2.NewExponentialBackOff(), 2), ctx)) // site "attempts=3 sleep=1.87s"
}

func oldOwner() error {
	return backoff1.Retry(ping, backoff1.WithMaxRetries(backoff1.NewExponentialBackOff(), 1)) // site "attempts=2 sleep=750ms"
}

func version3(ctx context.Context) error {
	b := backoff3.NewExponentialBackOff()
	b.MaxElapsedTime = 3 * time.Second
	return backoff3.Retry(ping, backoff3.WithContext(b, ctx)) // site "backoff=exponential+jitter"
}
