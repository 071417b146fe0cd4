package retrywindow

import (
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
)

// The longest schedule that the rule on attempts allows waits 7.5s.
func longestSchedule() error {
	b := backoff.NewExponentialBackOff(backoff.WithMultiplier(2), backoff.WithRandomizationFactor(0))
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 4)) // site "attempts=5 sleep=7.5s" // want "^RE-2: exponential without jitter .500ms, 1s, 2s, 4s.: clients that failed together come back together$"
}

// ... and with attempts of 5s lasts 32.5s.
func longestScheduleWithTimeouts() error {
	policy := retrypolicy.NewBuilder[any]().WithMaxAttempts(5).WithBackoff(500*time.Millisecond, 5*time.Second).Build()
	return failsafe.With(policy, timeout.New[any](5*time.Second)).Run(ping) // site "attempts=5 sleep=7.5s total=32.5s" // want "RE-2: "
}

func oneLongPauseButNotTooLong() error {
	return retry.Do(ping, retry.Attempts(2), retry.Delay(5*time.Second)) // site "attempts=2 sleep=5.1s"
}

func cappedWaits() error {
	return retry.Do(ping, retry.Attempts(5), retry.Delay(time.Second), retry.MaxDelay(1500*time.Millisecond)) // site "attempts=5 sleep=5.6s"
}

func limitedByTime() error {
	b := backoff.NewExponentialBackOff(backoff.WithInitialInterval(time.Second), backoff.WithMaxElapsedTime(7*time.Second))
	return backoff.Retry(ping, b) // site "attempts=4 sleep=7s"
}

func shortTimeouts() error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(500*time.Millisecond, 5*time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(policy, timeout.New[any](2*time.Second)).Run(ping) // site "attempts=3 sleep=1.65s total=7.65s"
}

func delayOfTheCaller(d time.Duration) error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(d)) // site "attempts=3 sleep=unknown"
}

func capOfTheCaller(d time.Duration) error {
	return retry.Do(ping, retry.Attempts(3), retry.MaxDelay(d)) // site "attempts=3 sleep=unknown"
}
