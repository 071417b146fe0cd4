package avast

import (
	"time"

	retry0 "github.com/avast/retry-go"
	retry3 "github.com/avast/retry-go/v3"
)

func version3() error {
	return retry3.Do(ping, retry3.Attempts(3), retry3.Delay(time.Second)) // site "attempts=3 backoff=exponential+jitter sleep=3.2s"
}

func version3Defaults() error {
	return retry3.Do(ping) // want "RE-3: 10 attempts over 51.5s .retry-go defaults, nothing set here.; at most 5, 3 is typical" "RE-4: waits up to 52s in memory" // site "attempts=10 default=true"
}

func version3ZeroAttemptsRunNothing() error {
	return retry3.Do(ping, retry3.Attempts(0)) // nosite
}

func incompatiblePath() error {
	return retry0.Do(ping, retry0.Attempts(2)) // site "attempts=2"
}
