package measured

import (
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// TestMeasured runs the policies; the numbers are those of the comments.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		name     string
		call     func(wait.ConditionFunc) error
		attempts int
		sleep    time.Duration
	}{
		{"stepsOf0", stepsOf0, 0, 0},
		{"stepsOf1", stepsOf1, 1, 0},
		{"stepsOf3", stepsOf3, 3, 3 * time.Second},
		{"capOf3s", capOf3s, 2, 3 * time.Second},
		{"capOf4s", capOf4s, 3, 7 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, start := 0, time.Now()
				_ = c.call(func() (bool, error) { n++; return false, nil })
				if took := time.Since(start); n != c.attempts || took != c.sleep {
					t.Errorf("%d attempts in %s, want %d in %s", n, took, c.attempts, c.sleep)
				}
			})
		})
	}
}
