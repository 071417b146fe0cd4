package durable

import "time"

// Hurry shortens a new queue's pauses, and the time until a killed worker's tasks
// are attempted again.
func Hurry[TTx any](q *Queue[TTx], pause, rescue time.Duration) {
	q.pause = func(int) time.Duration { return pause }
	q.rescue = rescue
}
