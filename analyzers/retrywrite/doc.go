// Package retrywrite reports retries that may apply a write twice.
//
// # Analyzer retrywrite
//
// retrywrite: report writes that are retried without an idempotency key
//
// A request that failed may have been applied: the server did its work, and
// the answer was lost. Sent again, a POST charges the card a second time,
// unless it carries a key by which the other side recognises the repeat. The
// key has to be the same for all attempts: one that is made inside the retry
// tells the server that each is a new payment.
//
// The headers that hold keys are known by name; .resilint.yml adds others, for
// all systems (carriers) or for one (its carrier), and names requests that only
// read, whatever their method (its reads).
//
// A call of an SDK or of a generated client is known by its name, and by the key
// that it is given in a field or argument (ClientToken, IdempotencyKey).
//
// Reported:
//
//	err := retry.Do(func() error {
//		return a.do(ctx, http.MethodPost, "/payments/register", uuid.NewString(), p)
//	}, retry.Attempts(3))
//	// each of 3 attempts of POST /payments/register gets another Idempotency-Key
//
// Repaired: the key comes from the command, where it was stored when the user
// pressed the button.
//
//	err := retry.Do(func() error {
//		return a.do(ctx, http.MethodPost, "/payments/register", cmd.IdempotencyKey, p)
//	}, retry.Attempts(3))
//
// Fine, although it is retried: a GET changes nothing.
//
//	err := retry.Do(func() error {
//		return a.do(ctx, http.MethodGet, "/orders/"+id, "", nil)
//	}, retry.Attempts(3))
//
// Fine, too, once someone has said why: a comment in the documentation of a
// function, method or interface method counts for all who call it.
//
//	// Find asks for orders, by POST since its filter is long.
//	//
//	//resilint:read it only searches
//	func (a *adapter) Find(ctx context.Context, f Filter) error {
//
// With resilint:idempotent it says that a repeat changes nothing more. The
// reason is required.
package retrywrite
