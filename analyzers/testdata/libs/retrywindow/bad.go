// Package retrywindow has what rule RE-4 reports, and what it does not.
package retrywindow

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/gojek/heimdall/v7/httpclient"
)

// The mean number of attempts is stated: the 25th wait of a run without luck
// would end after the 15 minutes.
func librarysDefaults() error {
	return backoff.Retry(ping, backoff.NewExponentialBackOff()) // want "^RE-4: waits up to 15m0s in memory \\(cenkalti defaults, 25 attempts\\): a restart loses it$" "^RE-3: 25 attempts over 15m0s \\(cenkalti defaults, nothing set here\\); at most 5, 3 is typical$"
}

func overSevenAndAHalfSeconds() error {
	return retry.Do(ping, retry.Attempts(4), retry.Delay(1100*time.Millisecond)) // want "^RE-4: waits up to 8s in memory \\(4 attempts: 1.2s, 2.3s, 4.5s\\): callers pile up behind it$"
}

func oneLongPause() error {
	return retry.Do(ping, retry.Attempts(2), retry.Delay(10*time.Second)) // want "^RE-4: waits up to 10.1s in memory \\(2 attempts: 10.1s\\): callers pile up behind it$"
}

func overThirtySeconds() error {
	return retry.Do(ping, retry.Attempts(5), retry.Delay(3*time.Second)) // want "^RE-4: waits up to 45.4s in memory \\(5 attempts\\): a restart loses it$"
}

func jitterBringsItOver() error {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = 500 * time.Millisecond
	b.Multiplier = 2
	return backoff.Retry(ping, backoff.WithMaxRetries(b, 4)) // want "^RE-4: waits up to 11.2s in memory \\(5 attempts: 750ms, 1.5s, 3s, 6s\\): callers pile up behind it$"
}

func limitedByTimeAlone(ctx context.Context) error {
	b := backoff.NewExponentialBackOff(backoff.WithInitialInterval(5*time.Second), backoff.WithMaxElapsedTime(45*time.Second))
	return backoff.Retry(ping, backoff.WithContext(b, ctx)) // want "^RE-4: waits up to 45s in memory \\(5 attempts\\): a restart loses it$"
}

func attemptsThatLastTooLong() error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(500*time.Millisecond, 5*time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(policy, timeout.New[any](30*time.Second)).Run(ping) // want "^RE-4: lasts up to 1m31.6s \\(3 attempts of up to 30s each\\): the timeout of an attempt is what to lower$" // site "total=1m31.6s"
}

func clientWithItsOwnTimeout() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithRetryCount(1)) // want "^RE-4: lasts up to 1m0s \\(2 attempts of up to 30s each\\)" // site "attempts=2 sleep=0s total=1m0s"
}
