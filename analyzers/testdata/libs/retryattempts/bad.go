// Package retryattempts has what rule RE-3 reports, and what it does not.
package retryattempts

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	sethvargo "github.com/sethvargo/go-retry"
)

func librarysDefaults() error {
	return retry.Do(ping) // want "^RE-3: 10 attempts over 51.5s \\(retry-go defaults, nothing set here\\); at most 5, 3 is typical$" "^RE-4: waits up to 52s in memory \\(retry-go defaults, 10 attempts\\): a restart loses it$"
}

func defaultsButForTheContext(ctx context.Context) error {
	return retry.Do(ping, retry.Context(ctx), retry.LastErrorOnly(true)) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here." "RE-4: waits up to 52s"
}

func sixAttempts() error {
	return retry.Do(ping, retry.Attempts(6)) // want "^RE-3: 6 attempts over 3.35s; at most 5, 3 is typical$"
}

func defaultAttemptsWithAnotherDelay() error {
	return retry.Do(ping, retry.Delay(time.Millisecond)) // want "^RE-3: 10 attempts over [0-9.ms]+; at most 5, 3 is typical$"
}

func fiveRetriesAreSixAttempts() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 5)) // want "^RE-3: 6 attempts over 6.59s; at most 5, 3 is typical$" "RE-4: waits up to 9.89s in memory"
}

func unlimited() error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.Retry(ping, b) // want "^RE-3: retried without a limit on attempts or time: a system that stays down is called for as long as this process lives$"
}

func unlimitedByDefault(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.WithJitterPercent(20, sethvargo.NewExponential(time.Second)), func(context.Context) error { return sethvargo.RetryableError(ping()) }) // want "^RE-3: retried without a limit on attempts or time: "
}

func largestNumber() error {
	return retry.Do(ping, retry.Attempts(1<<32-1)) // want "^RE-3: retried without a limit on attempts or time: "
}

// Ten seconds of waits from 100ms are more than five attempts.
func elapsedTimeImpliesMany(ctx context.Context) error {
	b := backoff5.NewExponentialBackOff()
	b.InitialInterval = 100 * time.Millisecond
	_, err := backoff5.Retry(ctx, func() (int, error) { return 0, ping() }, // want "^RE-3: 10 attempts over 10s; at most 5, 3 is typical$" "^RE-4: waits up to 10s in memory"
		backoff5.WithBackOff(b), backoff5.WithMaxElapsedTime(10*time.Second))
	return err
}
