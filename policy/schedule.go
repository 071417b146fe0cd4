package policy

import (
	"math/rand/v2"
	"time"
)

// schedule is when the attempts of one call may run.
type schedule struct {
	attempts  int
	first     time.Duration // longest first pause
	timeout   time.Duration // of one attempt
	throttled bool          // the system may name longer pauses
}

func (s Settings) schedule() schedule {
	return schedule{attempts: s.Attempts, first: s.FirstPause, timeout: s.Timeout, throttled: s.RetryThrottled}
}

// longest is the longest pause after attempt n (1, 2, ...).
func (s schedule) longest(n int) time.Duration { return s.first << (n - 1) }

// draw is the pause after attempt n: jitter only subtracts, so a window that
// was checked holds.
func (s schedule) draw(n int) time.Duration {
	longest := s.longest(n)
	return longest - rand.N(longest/2+1)
}

// sleepWindow is the sum of the longest pauses.
func (s schedule) sleepWindow() time.Duration {
	var sum time.Duration
	for n := 1; n < s.attempts; n++ {
		sum += s.longest(n)
	}
	return sum
}

// totalWindow is the longest time from the first attempt's start to the last
// one's time limit.
func (s schedule) totalWindow() time.Duration {
	sleep := s.sleepWindow()
	if s.throttled && s.attempts > 1 {
		sleep = maxSleepWindow
	}
	return sleep + time.Duration(s.attempts)*s.timeout
}
