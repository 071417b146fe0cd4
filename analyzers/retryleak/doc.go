// Package retryleak reports retries that leave the responses of failed attempts open.
//
// # Analyzer retryleak
//
// retryleak: report responses of failed attempts that are not closed
//
// A response holds its connection until its body is closed or read to the end. A
// retry that drops one for the next attempt loses a connection with each failure,
// just when the other side has trouble: then the process runs out of them.
//
// Reported:
//
//	resp, err := client.Do(req)
//	if err == nil && resp.StatusCode < 500 {
//		return resp, nil
//	}
//	time.Sleep(backoff) // the response of a failed attempt stays open
//
// Repaired:
//
//	if resp != nil {
//		io.Copy(io.Discard, io.LimitReader(resp.Body, 4<<10))
//		resp.Body.Close()
//	}
//	time.Sleep(backoff)
//
// A defer in a loop runs when the function returns: until then all responses are
// open. Fine in the operation of a library, which returns after each attempt:
//
//	retry.Do(func() error {
//		resp, err := client.Do(req)
//		if err != nil {
//			return err
//		}
//		defer resp.Body.Close()
package retryleak
