package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrBreakerOpen: the circuit breaker refused an attempt.
	ErrBreakerOpen = errors.New("circuit breaker open")
	// ErrBulkheadFull: as many attempts as the bulkhead allows were running.
	ErrBulkheadFull = errors.New("bulkhead full")
	// ErrEmptyKey: a write was to be repeatable, but its key is empty. Nothing
	// was sent.
	ErrEmptyKey = errors.New("empty idempotency key")
	// ErrDeadline: the caller's deadline would have passed before the next
	// attempt, so the call did not wait for it.
	ErrDeadline = errors.New("caller's deadline is before the next attempt")
	// ErrKeyForgotten: the system may have forgotten the idempotency key before
	// the next attempt (Dedup.KeepsKeysFor), which would be a second write, so that
	// attempt was not made. Package durable fails tasks with it, too.
	ErrKeyForgotten = errors.New("the system may have forgotten the idempotency key")
	// ErrUnavailable matches every *UnavailableError.
	ErrUnavailable = errors.New("system unavailable")
	// ErrExhausted matches every *ExhaustedError.
	ErrExhausted = errors.New("attempts exhausted")
	// ErrTimeout matches every *TimeoutError.
	ErrTimeout = errors.New("attempt timed out")
)

// Reason says why nothing was sent.
type Reason string

const (
	BreakerOpen  Reason = "breaker open"  // the system has been failing
	BulkheadFull Reason = "bulkhead full" // this service is asking too much of it
	CallerGone   Reason = "caller gone"   // the caller's context was done before the first attempt
)

// UnavailableError says that a call sent nothing, so nothing can have been
// applied. It matches ErrUnavailable, and its cause: ErrBreakerOpen,
// ErrBulkheadFull or the caller's context error. It is immutable.
type UnavailableError struct {
	System string
	Reason Reason
	// Cause is never nil.
	Cause error
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("%s: nothing was sent: %v", e.System, e.Cause)
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// Is matches ErrUnavailable.
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// ExhaustedError says that a call has failed after it sent something. It
// matches ErrExhausted, the last attempt's error, and what stopped the call. It
// is immutable.
//
// It never matches *UnavailableError: a call whose first attempt got lost and
// whose second was refused by the breaker did send something.
type ExhaustedError struct {
	System string
	// Attempts that were made, at least 1.
	Attempts int
	// Elapsed from the call's start to its end, pauses included.
	Elapsed time.Duration
	// Last is the last attempt's error, never nil.
	Last error
	// Stopped says what kept a further attempt from being made: ErrBreakerOpen,
	// ErrBulkheadFull, ErrDeadline, ErrKeyForgotten or the caller's context error. Nil when the
	// attempts were used up, the error was permanent, or the call was not one
	// to repeat.
	Stopped error
	// MayBeApplied is true when some attempt may have been carried out by the
	// system although its answer was a failure or got lost: ask the system for
	// the state before anything is sent under another key. It is false for a Read
	// that no write ran inside of.
	MayBeApplied bool
}

func (e *ExhaustedError) Error() string {
	var b strings.Builder
	attempts := "attempts"
	if e.Attempts == 1 {
		attempts = "attempt"
	}
	fmt.Fprintf(&b, "%s: failed after %d %s in %v", e.System, e.Attempts, attempts, e.Elapsed.Round(time.Millisecond))
	if e.Stopped != nil {
		fmt.Fprintf(&b, ", stopped by: %v", e.Stopped)
	}
	if e.MayBeApplied {
		b.WriteString(", may have been applied")
	}
	fmt.Fprintf(&b, ": %v", e.Last)
	return b.String()
}

// Unwrap returns the last attempt's error and what stopped the call.
func (e *ExhaustedError) Unwrap() []error {
	if e.Stopped == nil {
		return []error{e.Last}
	}
	return []error{e.Last, e.Stopped}
}

// Is matches ErrExhausted.
func (e *ExhaustedError) Is(target error) bool { return target == ErrExhausted }

// withinError is an *UnavailableError of another system's call, which ran within
// a write. It hides it: to the write's caller it would say that nothing was sent.
type withinError struct{ err error }

func (e *withinError) Error() string { return e.err.Error() }

// Unwrap leads to why the other system was not asked.
func (e *withinError) Unwrap() error {
	var unavailable *UnavailableError
	errors.As(e.err, &unavailable)
	return unavailable.Cause
}

// TimeoutError says that an attempt was ended by Settings.Timeout. It is a
// net.Error, and matches ErrTimeout and context.DeadlineExceeded. It is
// immutable.
type TimeoutError struct {
	System string
	// After is the limit that was reached.
	After time.Duration
	// Cause is what the function returned when its context ended. It is not
	// unwrapped when it is context.Canceled, since the caller canceled nothing.
	Cause error
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: attempt timed out after %v: %v", e.System, e.After, e.Cause)
}

// Timeout implements net.Error and is true.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary implements net.Error and is true.
func (e *TimeoutError) Temporary() bool { return true }

// Unwrap returns the cause, unless it is context.Canceled.
func (e *TimeoutError) Unwrap() error {
	if errors.Is(e.Cause, context.Canceled) {
		return nil
	}
	return e.Cause
}

// Is matches ErrTimeout and context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool {
	return target == ErrTimeout || target == context.DeadlineExceeded
}
