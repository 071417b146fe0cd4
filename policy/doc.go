// Package policy protects the calls to an external system, and repeats only what
// may be repeated.
//
// # One policy per system
//
// Make one Policy for each system that your service depends on, when the service
// starts, and keep it. It composes, outermost first:
//
//	retry > circuit breaker > bulkhead > timeout
//
// so that every attempt is counted by the breaker, a pause holds no place in the
// bulkhead, and the time limit is the attempt's. The parts are failsafe-go's; the
// order and the limits are fixed here. The zero values of Settings are the numbers
// of the guide whose rules (R-RES-RE-1 and so on) the comments name:
//
//	sber, err := policy.New(policy.Settings{System: "sber"})
//	fmt.Println(sber)
//	// sber: retry 3 attempts, pauses 500ms 1s less up to half > breaker 0.5 of 50
//	// calls, open 30s, 1 probe > bulkhead 8 > timeout 5s; pauses up to 1.5s, lasts
//	// up to 16.5s; writes run once
//
// New refuses more than 5 attempts, pauses of more than 7.5 s in all, and calls
// that may last more than 30 s (5 attempts of 5 s with the standard pauses, 32.5 s,
// are accepted). What needs more has to survive a restart: see package durable.
//
// # The call says why it may repeat
//
// A request whose answer got lost may have been carried out. So only two kinds of
// calls are repeated: those that read, and writes that carry an idempotency key
// which the system has promised, in writing, to recognise (R-RES-RE-1).
//
//	order, err := policy.Read(ctx, sber, func(ctx context.Context) (Order, error) { ... })
//
//	ref, err := policy.Keyed(ctx, sber, order.PaymentKey, func(ctx context.Context, key policy.Key) (Ref, error) { ... })
//
//	_, err = policy.NoRetry(ctx, sber, func(ctx context.Context) (struct{}, error) { ... })
//
// The promise is Settings.Writes: how long keys are kept, and where that is
// written. Without it Keyed runs once too. A call inside a call of the same
// policy passes through, so attempts never multiply. A NoRetry inside any call
// keeps that call from being repeated, and a Read that a write runs inside of is
// judged like a write when it fails.
//
// Keys belong to the domain: DeriveKey makes one from what the write is about,
// NewKey makes one that is stored with the user's action.
//
// For HTTP, package policyhttp decides all this from the request.
//
// # Time
//
// The function's context is the attempt's. When it ends, the function has to
// return: the next attempt starts only after that. The guide's timeout is an
// aggressive one, which leaves a deaf attempt behind and goes on without it. In
// Go that attempt would still be sending while its successor does, which is the
// second send that this package is there to prevent. An attempt that succeeds
// after its limit has succeeded.
//
// A call does not wait for an attempt that the caller's deadline rules out.
//
// # Errors
//
// What is transient is a closed list, IsTransient; Settings.Transient and
// Permanent can only shorten it. The errors answer the question that a payments
// team asks first, whether anything was sent or may have been applied:
//
//   - *UnavailableError: nothing was sent, because the breaker was open, the
//     bulkhead full, or the caller gone.
//   - *ExhaustedError: something was sent, and MayBeApplied says whether the
//     system may have carried it out.
//   - anything else: the function's own error, from a first attempt that failed
//     for good. MayBeApplied(err) judges it too.
//
// The breaker counts every error that the function returns, whatever its kind,
// except after the caller's cancellation. What is not the system's failure, such
// as an order that does not exist, is better returned as a value.
//
// WithFallback answers in the system's stead, and Readiness and Policy.State tell
// operations which breakers are open. Observers get every attempt; modules
// policyotel and policyprom are two.
package policy
