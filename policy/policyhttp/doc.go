// Package policyhttp sends HTTP requests through a policy.
//
// A request says by itself whether it may be repeated: GET, HEAD and OPTIONS
// read, and a request that carries the idempotency key's header repeats when the
// system has promised to recognise the key (policy.Settings.Writes). Any other
// is sent once, behind breaker, bulkhead and timeout.
//
//	bank := policyhttp.New(p, nil)
//	req.Header.Set("Idempotency-Key", order.PaymentKey.String())
//	resp, err := bank.Do(req)
//
// What the caller gets:
//
//   - An answer below 500 comes back untouched, 4xx included: it is the system's
//     word, and a success for the breaker. Close its body.
//   - An answer from 500 on is a failure: its body is drained and closed, and
//     the error holds a *policy.StatusError with the body's beginning. So is 429
//     when Settings.RetryThrottled is set and the request may be repeated, and
//     any 4xx to the repetition of a write whose earlier attempt may have been
//     applied: the error says so (policy.MayBeApplied), the answer does not.
//   - Redirects are followed by the http.Client as it is set up, within the
//     attempt.
//   - The attempt's time limit covers everything up to the answer's header. The
//     body, which may be a stream, is limited by the request's own context; a
//     body that breaks off is the reader's error, and is not fetched again.
//   - A body is sent again only if the request has GetBody, as http.NewRequest
//     sets it for buffers, byte and string readers. A request whose body can't be
//     rewound is sent once.
package policyhttp
