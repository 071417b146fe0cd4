package durable

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

func TestHorizon(t *testing.T) {
	if got := Horizon(); got != 1022*time.Second {
		t.Errorf("horizon %v, want 1022s", got)
	}
}

// The worker asks for pauses of 2, 4, ... 512 s, less up to half, over the whole of
// that range.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker[noArgs]{pause: draw}
		for attempt := 1; attempt < MaxAttempts; attempt++ {
			most := time.Duration(1<<attempt) * time.Second
			low, high := most, time.Duration(0)
			for range 500 {
				next := w.NextRetry(&river.Job[stored[noArgs]]{JobRow: &rivertype.JobRow{Attempt: attempt}})
				pause := time.Until(next)
				if pause < most/2 || pause > most {
					t.Fatalf("pause %d is %v, want between %v and %v", attempt, pause, most/2, most)
				}
				low, high = min(low, pause), max(high, pause)
			}
			if high-low < most*45/100 {
				t.Errorf("500 pauses %d spread over %v only, want nearly %v", attempt, high-low, most/2)
			}
		}
	})
}

type noArgs struct{}

func (noArgs) Kind() string { return "none" }
