// Package retryattempts reports retries of more than 5 attempts.
//
// # Analyzer retryattempts
//
// retryattempts: report retries of more than 5 attempts, or without a limit
//
// Three attempts cover what a retry is for: a connection that was reset, an
// instance that restarts in a second or two. Five are the limit. What does not
// answer by then is down, and each further attempt of each caller keeps it
// there; from ten on the retry is a queue that lives in memory and dies with
// the process.
//
// Reported, for a library that tries ten times unless told otherwise:
//
//	err := retry.Do(func() error { return adapter.confirm(ctx, id) })
//	// 10 attempts over 51.5s (retry-go defaults, nothing set here); at most 5, 3 is typical
//
// Repaired:
//
//	err := retry.Do(func() error { return adapter.confirm(ctx, id) }, retry.Attempts(3))
//
// Fine, although it looks endless: the time limit allows four attempts.
//
//	backoff.Retry(ctx, op, backoff.WithMaxElapsedTime(3*time.Second))
//
// Counts include the first attempt: an option that counts retries, such as
// backoff.WithMaxRetries(b, 5), allows six.
package retryattempts
