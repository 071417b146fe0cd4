package style

import (
	"time"

	"github.com/avast/retry-go/v4"
)

func optionsInSlice() error {
	opts := []retry.Option{retry.Attempts(3), retry.Delay(time.Second)}
	return retry.Do(ping, opts...) // site "attempts=3 sleep=3.2s"
}

func optionsAppended() error {
	opts := []retry.Option{retry.Attempts(3)}
	opts = append(opts, retry.Delay(200*time.Millisecond), retry.LastErrorOnly(true))
	return retry.Do(ping, opts...) // site "attempts=3 sleep=800ms"
}

func optionsAppendedOneByOne() error {
	var opts []retry.Option
	opts = append(opts, retry.Attempts(7))
	opts = append(opts, retry.Delay(time.Millisecond))
	return retry.Do(ping, opts...) // want "RE-3: 7 attempts over" // site "attempts=7"
}

func optionsAppendedUnderCondition(patient bool) error {
	opts := []retry.Option{retry.Attempts(3)}
	if patient {
		opts = append(opts, retry.Delay(time.Second))
	}
	return retry.Do(ping, opts...) // site "attempts=3 backoff=exponential+jitter sleep=3.2s"
}

func optionsInMake() error {
	opts := make([]retry.Option, 0, 2)
	opts = append(opts, retry.Attempts(3))
	return retry.Do(ping, opts...) // site "attempts=3"
}

var standard = []retry.Option{retry.Attempts(3), retry.Delay(500 * time.Millisecond)}

func optionsInPackageVariable() error {
	return retry.Do(ping, standard...) // site "attempts=3 sleep=1.7s"
}

func optionsOfPackageVariableAndMore() error {
	return retry.Do(ping, append(standard, retry.Attempts(2))...) // site "attempts=2 sleep=600ms"
}

func options(n uint) []retry.Option {
	return []retry.Option{retry.Attempts(n), retry.LastErrorOnly(true)}
}

func optionsFromHelper() error {
	return retry.Do(ping, options(3)...) // site "attempts=3"
}

func optionsFromHelperTooMany() error {
	return retry.Do(ping, options(8)...) // want "RE-3: 8 attempts over" "RE-4: waits up to 13.4s in memory" // site "attempts=8"
}

func attemptsOption() retry.Option { return retry.Attempts(4) }

func oneOptionFromHelper() error {
	return retry.Do(ping, attemptsOption(), retry.Delay(time.Millisecond)) // site "attempts=4"
}

func optionsAddedByCaller(more ...retry.Option) error {
	return retry.Do(ping, append([]retry.Option{retry.Attempts(3)}, more...)...) // site "attempts=unknown"
}

func optionsAppendedInLoop(hooks []retry.OnRetryFunc) error {
	opts := []retry.Option{retry.Attempts(3)}
	for _, hook := range hooks {
		opts = append(opts, retry.OnRetry(hook))
	}
	return retry.Do(ping, opts...) // site "attempts=unknown"
}
