// Package retrybody reports retries that send a body which the first attempt has read.
//
// # Analyzer retrybody
//
// retrybody: report requests sent again without rewinding their body
//
// A body is read while it is sent. The same request, or a new one with the same
// reader, has none left: the second attempt goes out empty, or fails with
// "ContentLength=5 with Body length 0". That http.NewRequest sets GetBody does not
// help: the transport asks for it when it replays a request itself, and for
// redirects, not when the client is called again.
//
// Reported:
//
//	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(data))
//	...
//	for range 3 {
//		resp, err := client.Do(req) // the body was read by the first attempt
//
// Repaired: each attempt makes its request.
//
//	for range 3 {
//		req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(data))
//
// Or it asks for the body anew:
//
//	if req.GetBody != nil {
//		req.Body, err = req.GetBody()
//	}
//
// Fine, although one request is sent by all attempts: it has no body.
//
//	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
package retrybody
