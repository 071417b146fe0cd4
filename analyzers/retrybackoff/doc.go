// Package retrybackoff reports retries whose pauses do not grow.
//
// # Analyzer retrybackoff
//
// retrybackoff: report constant, linear or missing backoff
//
// A system that is down comes back under the load of everyone who waits for
// it. Pauses that double give it room; a constant pause repeats the same load
// at the same beat, a linear one hardly less, and no pause at all spends the
// attempts within the very failure that caused them.
//
// Reported:
//
//	retry.Do(op, retry.Attempts(3), retry.DelayType(retry.FixedDelay), retry.Delay(2*time.Second))
//	// 3 attempts a constant 2s apart: a system that comes back meets everyone at once
//
// Repaired:
//
//	retry.Do(op, retry.Attempts(3), retry.Delay(500*time.Millisecond))
//
// Fine, although nothing is waited for: one immediate second attempt replaces a
// connection that the server had closed.
//
//	retrier.New(retrier.ConstantBackoff(1, 0), nil).Run(op)
//
// A constant pause with jitter is a note: its clients at least do not march in
// step.
package retrybackoff
