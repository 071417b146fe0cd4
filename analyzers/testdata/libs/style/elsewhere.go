package style

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"

	"example.test/other"

	"github.com/resilint/resilint/analyzers/testdata/libs/style/again"
)

func optionsFromPackage() error {
	return retry.Do(ping, again.Options(3)...) // site "attempts=3 sleep=500ms"
}

func optionsFromPackageTooMany() error {
	return retry.Do(ping, again.Options(9)...) // want "RE-3: 9 attempts over" "RE-4: waits up to 26.3s in memory .9 attempts" // site "attempts=9"
}

func variableOfPackage() error {
	return retry.Do(ping, retry.Attempts(again.MaxAttempts), retry.Delay(time.Millisecond)) // want "RE-3: 6 attempts over" // site "attempts=6"
}

func optionsInVariableOfPackage() error {
	return retry.Do(ping, again.Policy...) // site "attempts=4 sleep=1s"
}

func policyFromPackage() error {
	return backoff.Retry(ping, again.Backoff()) // site "attempts=3 backoff=exponential+jitter sleep=375ms"
}

func policyFromPackageTooMany() error {
	return backoff.Retry(ping, again.Patient()) // want "RE-3: 10 attempts over 37.4s; at most 5" "RE-4: waits up to 56.1s in memory .10 attempts.: a restart loses it" // site "attempts=10"
}

// The helper is part of this module, and judged itself.
func wrapperOfPackage(ctx context.Context) error {
	return again.Do(ctx, ping) // site "attempts=8 mechanism=wrapper"
}

func wrapperOfPackageWithAttempts() error {
	return again.Times(3, ping) // site "attempts=3 mechanism=wrapper"
}

func wrapperOfPackageWithTooManyAttempts() error {
	return again.Times(7, ping) // want "RE-3: 7 attempts over" // site "attempts=7 mechanism=wrapper"
}

func genericWrapperOfPackage() (int, error) {
	return again.Get(func() (int, error) { return 1, ping() }) // site "attempts=3 mechanism=wrapper"
}

func clientOfPackage() error {
	c := &again.Client{Attempts: 3, Wait: 100 * time.Millisecond}
	return c.Run(ping) // site "attempts=3 sleep=500ms mechanism=wrapper"
}

// The helper is part of another module: what it fixes is judged here.
func wrapperOfModule() error {
	return other.Do(ping) // want "RE-3: 8 attempts over" // site "attempts=8 mechanism=wrapper"
}

func wrapperOfModuleWithFewAttempts() error {
	return other.Times(3, ping) // site "attempts=3 mechanism=wrapper"
}

func wrapperOfModuleWithTooManyAttempts() error {
	return other.Times(7, ping) // want "RE-3: 7 attempts over" // site "attempts=7 mechanism=wrapper"
}

func policyFromModule() error {
	return backoff.Retry(ping, other.Patient()) // want "RE-3: 10 attempts over 37.4s" "RE-4: " // site "attempts=10"
}
