// Package retrycompose reports retries that are not composed as the guide asks.
//
// # Analyzer retrycompose
//
// retrycompose: report exponential backoff without jitter
//
// Clients that failed together wait together: without jitter they all come
// back in the same instant, once after 500 ms, once a second later, and so on.
// Randomness spreads them.
//
// Reported:
//
//	b := retry.NewExponential(500 * time.Millisecond)
//	retry.Do(ctx, retry.WithMaxRetries(2, b), op)
//	// exponential without jitter (500ms, 1s): clients that failed together come back together
//
// Repaired:
//
//	b = retry.WithJitterPercent(30, retry.NewExponential(500*time.Millisecond))
//
// Fine: this library's backoff has jitter unless it is switched off.
//
//	backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
package retrycompose
