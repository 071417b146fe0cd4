// Package retrywindow reports retries that wait too long in memory.
//
// # Analyzer retrywindow
//
// retrywindow: report retries that wait in memory for longer than a short outage
//
// A retry in memory is for an outage of about five seconds. While it waits it
// holds its caller, a goroutine, a connection, often a slot of a pool; callers
// pile up, and the service is brought down by its own retries rather than by
// the system it calls. What outlasts thirty seconds outlasts deployments, too:
// a restart loses it, where a task in a table or a queue would go on.
//
// The longest schedule that the rule on attempts allows, five attempts with
// pauses doubling from 500 ms, waits 7.5 s: up to there nothing is said.
//
// Reported:
//
//	backoff.Retry(op, backoff.NewExponentialBackOff())
//	// waits up to 15m0s in memory (cenkalti defaults, 25 attempts): a restart loses it
//
// Repaired, it waits at most 2.25 s:
//
//	backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
//
// Fine, although one pause is long: nothing waits for longer than 7.5 s in all.
//
//	retry.Do(op, retry.Attempts(2), retry.Delay(5*time.Second))
//
// The numbers are those of the library: its units, its jitter at its largest,
// its cap, its own way to count.
package retrywindow
