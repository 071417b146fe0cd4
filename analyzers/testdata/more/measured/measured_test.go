package measured

import (
	"io"
	"log"
	"testing"
	"testing/synctest"
	"time"
)

// limit is the number of attempts from which an operation counts as retried
// without limit.
const limit = 40

type tooMany struct{}

// TestMeasured runs the policies; the numbers are those of the comments.
func TestMeasured(t *testing.T) {
	log.SetOutput(io.Discard)
	for _, c := range []struct {
		name     string
		call     func(func()) error
		attempts int // limit for none
		sleep    time.Duration
	}{
		{"terraform20s", terraform20s, 6, 20 * time.Second},
		{"terraform100ms", terraform100ms, 1, 100 * time.Millisecond},
		{"dskitOf0", dskitOf0, limit, 0},
		{"dskitOf3", dskitOf3, 3, 2 * time.Second},
		{"dskitNoMax", dskitNoMax, 4, 3 * time.Second},
		{"goZeroOf0", goZeroOf0, 0, 0},
		{"goZeroDefaults", goZeroDefaults, 3, 0},
		{"goZeroTimeout", goZeroTimeout, 3, 2500 * time.Millisecond},
		{"watermillOf0", watermillOf0, 1, 0},
		{"watermillOf3", watermillOf3, 4, 3 * time.Second},
		{"watermillUnlimited", watermillUnlimited, limit, 0},
		{"watermillWaits", watermillWaits, 5, 2300 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, start := 0, time.Now()
				func() {
					defer func() {
						if p := recover(); p != nil && p != any(tooMany{}) {
							panic(p)
						}
					}()
					_ = c.call(func() {
						if n++; n >= limit {
							panic(tooMany{})
						}
					})
				}()
				if took := time.Since(start); n != c.attempts || n < limit && took != c.sleep {
					t.Errorf("%d attempts in %s, want %d in %s", n, took, c.attempts, c.sleep)
				}
			})
		})
	}
}

// Jitter is all of a wait in gax: the number of attempts is not fixed, but the
// timeout ends them.
func TestTimeoutOfGax(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, start := 0, time.Now()
		_ = gaxTimeout(func() { n++ })
		if took := time.Since(start); n < 3 || took > 5*time.Second {
			t.Errorf("%d attempts in %s", n, took)
		}
	})
}
