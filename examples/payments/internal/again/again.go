// Package again is this service's own way to repeat a call, as many services
// have one.
package again

import (
	"time"

	"github.com/avast/retry-go/v4"
)

// Every calls f up to attempts times, pausing between failures.
func Every(pause time.Duration, attempts uint, f func() error) error {
	return retry.Do(f,
		retry.Attempts(attempts),
		retry.Delay(pause),
		retry.DelayType(retry.FixedDelay),
		retry.LastErrorOnly(true),
	)
}
