// Package retrylost reports retries that drop the cause of their failure.
//
// # Analyzer retrylost
//
// retrylost: report causes that are dropped after the last attempt
//
// When the last attempt has failed, someone has to find out why. An error that is
// made on the spot says that it did not work, which is known by then; what the
// other side answered is gone.
//
// Reported:
//
//	for range 3 {
//		if err := c.ping(ctx); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}
//	return errors.New("service unavailable")
//
// Repaired:
//
//	return fmt.Errorf("service unavailable: %w", err)
//
// Fine, although another error is returned: each failure was logged.
//
//	log.Printf("attempt %d: %v", i, err)
package retrylost
