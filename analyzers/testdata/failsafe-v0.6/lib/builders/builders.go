// Package builders has the builders that failsafe-go had before v0.7.0.
package builders

import (
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

func builder() error {
	policy := retrypolicy.Builder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).WithMaxRetries(3).Build()
	return failsafe.Run(ping, policy) // site "attempts=4 backoff=exponential+jitter sleep=770ms"
}

func defaults() error {
	return failsafe.Run(ping, retrypolicy.WithDefaults[any]()) // want "X3: 3 attempts without a pause" // site "attempts=3 backoff=none"
}

func breakerInside() error {
	policy := retrypolicy.Builder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.NewExecutor[any](policy, circuitbreaker.WithDefaults[any]()).Run(ping) // site "attempts=3 breaker=inside"
}
