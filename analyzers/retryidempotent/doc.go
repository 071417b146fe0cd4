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
// A key is worth what the other side makes of it, which no code says, but
// .resilint.yml can: its systems say who deduplicates, for how long a key is
// remembered, and where that is written. Then a retried write with a key is
// reported when its system does not deduplicate (dedup: none), when it may be
// sent again after the key is forgotten (key_ttl), and, where contracts are
// required, as the preset guide has it, when no system with a written promise
// is known. What a system lists under reads is a read, whatever its method.
//
// Reported:
//
//	err := retry.Do(func() error { return c.do(ctx, http.MethodDelete, "/cards/"+id) })
//	// DELETE /cards/* may be applied up to 10 times: no idempotency key
//
//	// .resilint.yml: systems: {bank: {match: {hosts: [bank.example]}, dedup: promised, contract: ..., key_ttl: 1m}}
//	err := retry.Do(func() error { return c.pay(ctx, cmd.Key, p) }, retry.Delay(31*time.Second), retry.Attempts(3))
//	// POST /payments may be sent again for up to 1m33s: bank remembers its key for 1m
//
// Repaired: it is sent once, and an answer that is lost is looked up.
//
//	err := c.do(ctx, http.MethodDelete, "/cards/"+id)
//
// Fine: a read changes nothing, and a key that is remembered for a day outlives
// three attempts.
//
//	err := retry.Do(func() error { return c.do(ctx, http.MethodGet, "/cards/"+id) })
//
//	// key_ttl: 24h
//	err := retry.Do(func() error { return c.pay(ctx, cmd.Key, p) }, retry.Attempts(3))
package retryidempotent
