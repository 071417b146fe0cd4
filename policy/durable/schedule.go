package durable

import (
	"math/rand/v2"
	"time"
)

const (
	// MaxAttempts of a task, the first included (R-RES-RE-5).
	MaxAttempts = 10
	// DefaultPollEvery is how often workers look for due tasks.
	DefaultPollEvery = 5 * time.Second
	// DefaultBatch is how many tasks a worker takes at once.
	DefaultBatch = 50
	// DefaultTimeout limits one attempt of a task.
	DefaultTimeout = time.Minute
)

// Horizon returns the sum of the longest pauses between a task's attempts, 1022 s.
func Horizon() time.Duration {
	var sum time.Duration
	for n := 1; n < MaxAttempts; n++ {
		sum += longest(n)
	}
	return sum
}

// longest is the longest pause after attempt n (1, 2, ...): 2^n seconds.
func longest(n int) time.Duration { return time.Second << n }

// draw is the pause after attempt n: half of the longest to all of it, so that
// tasks which failed together do not come back together, and the horizon holds.
func draw(n int) time.Duration {
	n = min(max(n, 1), MaxAttempts)
	return longest(n) - rand.N(longest(n)/2+1)
}
