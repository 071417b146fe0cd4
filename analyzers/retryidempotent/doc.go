// Package retryidempotent reports retries of writes that are not idempotent.
//
// # Analyzer retryidempotent
//
// retryidempotent: report retried writes that nothing makes safe to repeat
//
// Two things may be retried: what only reads, and writes that carry an
// idempotency key which the other side deduplicates by. A DELETE is neither:
// its repeat meets an object that is gone, or one that was made in between,
// and the error that comes back hides that the first was applied.
//
// Reported:
//
//	err := retry.Do(func() error { return c.do(ctx, http.MethodDelete, "/cards/"+id) })
//	// DELETE /cards/* may be applied up to 10 times: no idempotency key
//
// Repaired: it is sent once, and an answer that is lost is looked up.
//
//	err := c.do(ctx, http.MethodDelete, "/cards/"+id)
//
// Fine: a read changes nothing.
//
//	err := retry.Do(func() error { return c.do(ctx, http.MethodGet, "/cards/"+id) })
package retryidempotent
