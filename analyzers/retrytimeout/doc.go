// Package retrytimeout reports retries whose attempts have no time limit.
//
// # Analyzer retrytimeout
//
// retrytimeout: report retried attempts without any time limit
//
// A retry waits for an attempt to fail. One that hangs never does: http.Get,
// http.DefaultClient and an empty http.Client wait for ever, and a request without
// a context cannot be called off. The retry then protects against everything but
// the most common trouble.
//
// Reported:
//
//	retry.Do(func() error {
//		resp, err := http.Get(url) // nothing ends it
//
// Repaired:
//
//	client := &http.Client{Timeout: 5 * time.Second}
//
// Fine, although http.DefaultClient sends: the request has the caller's context.
//
//	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
//	resp, err := http.DefaultClient.Do(req)
package retrytimeout
