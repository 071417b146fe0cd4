// Package songmu has the ways to call Songmu/retry, whose pause is constant.
package songmu

import (
	"context"
	"time"

	"github.com/Songmu/retry"
)

func constant() error {
	return retry.Retry(3, time.Second, ping) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s predicate=catch-all"
}

func withContext(ctx context.Context) error {
	return retry.WithContext(ctx, 2, 0, ping) // site "attempts=2 backoff=none"
}

func once() error {
	return retry.Retry(1, time.Second, ping) // nosite
}

func never() error {
	return retry.Retry(0, time.Second, ping) // nosite
}
