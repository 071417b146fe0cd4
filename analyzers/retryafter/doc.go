// Package retryafter reports retries of 429 and 503 that never read Retry-After.
//
// # Analyzer retryafter
//
// retryafter: report 429 and 503 that are retried without a look at Retry-After
//
// A server that is asked too often says for how long it wants to be left alone.
// Whoever comes back before that is turned away again, spends an attempt, and with
// some servers begins the time anew.
//
// Reported:
//
//	if resp.StatusCode == http.StatusTooManyRequests {
//		resp.Body.Close()
//		time.Sleep(time.Second)
//		continue // 429 is sent again, Retry-After is never read
//	}
//
// Repaired:
//
//	if d, ok := retryAfter(resp.Header.Get("Retry-After")); ok {
//		wait = d
//	}
//
// Fine, although 429 is retried: a library that reads the header itself, such as
// go-retryablehttp with its default backoff.
package retryafter
