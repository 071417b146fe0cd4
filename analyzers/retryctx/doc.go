// Package retryctx reports waits between attempts that ignore a context.
//
// # Analyzer retryctx
//
// retryctx: report waits that ignore a context in scope
//
// Whoever cancels a context wants the work to stop: the client hung up, the
// deadline passed, the process shuts down. A wait that does not look at it goes on
// to its end, and what follows is an attempt that nobody needs any more. A wait of
// more than a second is a warning, a shorter one a note.
//
// Reported:
//
//	for attempt := 0; attempt < 3; attempt++ {
//		if err = c.send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(2 * time.Second) // time.Sleep ignores ctx
//	}
//
// Repaired:
//
//	select {
//	case <-time.After(2 * time.Second):
//	case <-ctx.Done():
//		return ctx.Err()
//	}
//
// A library is given the context in its own way:
//
//	retry.Do(op, retry.Attempts(3), retry.Context(ctx))
//
// Fine, although it sleeps: each turn asks the context, and the wait is short.
//
//	for ctx.Err() == nil {
//		if err = c.send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(200 * time.Millisecond)
//	}
package retryctx
