// Package executor has the functions that ran policies before failsafe-go
// v0.9.0.
package executor

import (
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

func policy() retrypolicy.RetryPolicy[any] {
	return retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).WithMaxRetries(3).Build()
}

func packageFunction() error {
	return failsafe.Run(ping, policy()) // site "attempts=4 backoff=exponential+jitter sleep=770ms mechanism=library"
}

func get() (any, error) {
	return failsafe.Get(func() (any, error) { return nil, ping() }, policy()) // site "attempts=4"
}

func executor() error {
	return failsafe.NewExecutor[any](policy()).Run(ping) // site "attempts=4 backoff=exponential+jitter sleep=770ms"
}

func defaults() error {
	return failsafe.Run(ping, retrypolicy.NewWithDefaults[any]()) // want "X3: 3 attempts without a pause" // site "attempts=3 backoff=none"
}
