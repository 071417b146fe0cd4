package style

import (
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

var (
	attempts  uint = 3
	pause          = 2 * firstWait
	fromInit  uint
	reset     uint = 3
	inLiteral      = table{tries: 4, pause: time.Millisecond}
	byTable        = map[string]uint{"pay": 3}
)

type table struct {
	tries uint
	pause time.Duration
}

func init() { fromInit = 6 }

func packageVariables() error {
	return retry.Do(ping, retry.Attempts(attempts), retry.Delay(pause)) // site "attempts=3 sleep=1.7s"
}

func setInInit() error {
	return retry.Do(ping, retry.Attempts(fromInit)) // want "RE-3: 6 attempts over" // site "attempts=6 sleep=3.6s"
}

func fieldsOfPackageVariable() error {
	return retry.Do(ping, retry.Attempts(inLiteral.tries), retry.Delay(inLiteral.pause)) // site "attempts=4"
}

func setReset(n uint) { reset = n }

func setElsewhere() error {
	return retry.Do(ping, retry.Attempts(reset)) // site "attempts=unknown"
}

func fromMap() error {
	return retry.Do(ping, retry.Attempts(byTable["pay"])) // site "attempts=unknown"
}

var shared = backoff.NewConstantBackOff(50 * time.Millisecond)

func policyInPackageVariable() error {
	return backoff.Retry(ping, backoff.WithMaxRetries(shared, 2)) // want "X3: 3 attempts a constant 50ms apart" // site "attempts=3 backoff=constant sleep=100ms"
}

// The whole call stands in the initialisation of a variable.
var started = retry.Do(ping, retry.Attempts(3)) // site "attempts=3"
