package policy

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The guide's numbers, which the zero values of Settings stand for.
const (
	// DefaultAttempts is typical: it outlasts a connection reset or a
	// restart of one to two seconds (R-RES-RE-3).
	DefaultAttempts = 3
	// MaxAttempts is the most that Settings accept (R-RES-RE-3). More
	// belongs into a durable task.
	MaxAttempts = 5
	// DefaultFirstPause is the longest first pause; each later one may be
	// twice as long as the one before.
	DefaultFirstPause = 500 * time.Millisecond
	// DefaultTimeout is the time limit of one attempt.
	DefaultTimeout = 5 * time.Second
	// DefaultFailureRatio of DefaultCalls opens the breaker.
	DefaultFailureRatio = 0.5
	// DefaultCalls is the number of latest attempts that the breaker judges.
	DefaultCalls = 50
	// DefaultOpenFor is how long an open breaker refuses every call.
	DefaultOpenFor = 30 * time.Second
	// DefaultBulkhead is the number of attempts that may run at once.
	DefaultBulkhead = 8
	// DefaultKeyHeader carries the idempotency key unless Dedup names another.
	DefaultKeyHeader = "Idempotency-Key"
)

// The limits of R-RES-RE-4. The longest schedule that R-RES-RE-3 allows at the
// defaults (5 attempts) sleeps 7.5 s and lasts 32.5 s, and is accepted.
const (
	maxSleepWindow = 7500 * time.Millisecond
	maxTotalWindow = 30 * time.Second
	// One attempt, repeated or not, that takes longer is no call any more.
	maxTimeout = time.Hour
	// A shorter pause is a hot loop (R-RES-RE-X3).
	minFirstPause = time.Millisecond
)

// Settings describe the policy of one external system. Only System has to be
// set; the zero value of every other field is the guide's number.
type Settings struct {
	// System names the external system in errors, metrics and spans.
	System string

	// Attempts counts executions, the first included. Zero means 3, more
	// than 5 is refused.
	Attempts int

	// FirstPause is the longest pause before the second attempt; the longest
	// of each later pause is twice the one before. Every pause is drawn
	// uniformly between half of its longest and all of it, so that clients
	// which failed together do not come back together. Zero means 500 ms:
	// 500 ms, 1 s, 2 s, 4 s. Less than 1 ms is refused.
	FirstPause time.Duration

	// Timeout limits one attempt. Zero means 5 s. The function sees it as the
	// deadline of its context; an attempt that ignores its context is waited
	// for, see the package comment. More than an hour is refused.
	Timeout time.Duration

	// Breaker stops calls to a system that fails.
	Breaker Breaker

	// Bulkhead is how many attempts may run at once; one more is refused
	// without waiting. A call that pauses holds no place. Zero means 8.
	Bulkhead int

	// Writes states what the system has promised, in writing, about repeated
	// writes. The zero value promises nothing: Keyed then runs once.
	Writes Dedup

	// Transient narrows what is retried: an error is retried when IsTransient
	// and Transient both say so. It can't make a permanent error transient.
	// Nil leaves IsTransient alone to decide. It is called from many
	// goroutines at once.
	Transient func(error) bool

	// RetryThrottled also retries answers 429 and 503 that say when to come
	// back (Retry-After), after exactly the time they ask for, when all pauses
	// of the call together stay within 7.5 s. When false, such an answer ends
	// the call: asking sooner than the system wants makes its trouble worse.
	RetryThrottled bool

	// Required marks a system without which the service can't do its work:
	// Readiness answers 503 while its breaker is open.
	Required bool

	// Observers are told of attempts, calls and the breaker's changes, in
	// this order.
	Observers []Observer
}

// Breaker says when calls to a failing system stop.
type Breaker struct {
	// FailureRatio of the latest Calls opens the breaker, as soon as that many
	// have failed: at the defaults the 25th failure among the latest 50
	// attempts. Zero means 0.5; it is at most 1.
	FailureRatio float64

	// Calls is the number of latest attempts that count. Zero means 50.
	Calls int

	// OpenFor is how long every call is refused, before a single one is let
	// through as a probe: when it succeeds, the breaker closes, when it fails,
	// it stays open as long again. Zero means 30 s.
	OpenFor time.Duration
}

// Dedup is a system's written promise to recognise a repeated write by its
// idempotency key. Without one, not even a keyed write may be repeated
// (R-RES-RE-1).
type Dedup struct {
	// Header carries the key in HTTP requests. Empty means Idempotency-Key.
	// Naming a header alone promises nothing.
	Header string

	// KeepsKeysFor is how long the system remembers a key. It has to be longer
	// than the longest time in which this policy may send the key again. Zero
	// promises nothing.
	KeepsKeysFor time.Duration

	// Contract names the document where the promise is written, for whoever
	// reviews this code. Required when KeepsKeysFor is set.
	Contract string
}

// Promised reports whether the system recognises repeated writes.
func (d Dedup) Promised() bool { return d.KeepsKeysFor > 0 }

func (s Settings) withDefaults() Settings {
	setDefault(&s.Attempts, DefaultAttempts)
	setDefault(&s.FirstPause, DefaultFirstPause)
	setDefault(&s.Timeout, DefaultTimeout)
	setDefault(&s.Breaker.FailureRatio, DefaultFailureRatio)
	setDefault(&s.Breaker.Calls, DefaultCalls)
	setDefault(&s.Breaker.OpenFor, DefaultOpenFor)
	setDefault(&s.Bulkhead, DefaultBulkhead)
	setDefault(&s.Writes.Header, DefaultKeyHeader)
	s.Writes.Header = http.CanonicalHeaderKey(s.Writes.Header)
	return s
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// FieldError is one field of Settings that New refuses. New joins the errors of
// all fields; errors.As finds the first.
type FieldError struct {
	System string
	// Field is its Go name, with its struct's: Breaker.Calls.
	Field string
	// Problem says what is wrong, and which rule the value breaks.
	Problem string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("policy %q: %s: %s", e.System, e.Field, e.Problem)
}

// check names every field that is wrong and the rule it breaks. It expects the
// defaults to be filled in.
func (s Settings) check() error {
	var wrong []error
	refuse := func(broken bool, field, format string, args ...any) {
		if broken {
			wrong = append(wrong, &FieldError{s.System, field, fmt.Sprintf(format, args...)})
		}
	}
	refuse(s.System == "", "System", "a policy belongs to one named system (R-RES-RE-2)")
	refuse(s.Attempts < 0, "Attempts", "%d is negative", s.Attempts)
	refuse(s.Attempts > MaxAttempts, "Attempts", "%d is more than %d; what needs more belongs into a durable task (R-RES-RE-3)", s.Attempts, MaxAttempts)
	refuse(s.FirstPause < minFirstPause, "FirstPause", "%v is less than %v: a hot loop (R-RES-RE-X3)", s.FirstPause, minFirstPause)
	refuse(s.Timeout < 0, "Timeout", "%v is negative", s.Timeout)
	refuse(!(s.Breaker.FailureRatio > 0 && s.Breaker.FailureRatio <= 1), "Breaker.FailureRatio", "%v is not above 0 and at most 1", s.Breaker.FailureRatio)
	refuse(s.Breaker.Calls < 0, "Breaker.Calls", "%d is negative", s.Breaker.Calls)
	refuse(s.Breaker.OpenFor < 0, "Breaker.OpenFor", "%v is negative", s.Breaker.OpenFor)
	refuse(s.Bulkhead < 0, "Bulkhead", "%d is negative", s.Bulkhead)
	refuse(!isToken(s.Writes.Header), "Writes.Header", "%q is not the name of a header", s.Writes.Header)
	refuse(s.Writes.KeepsKeysFor < 0, "Writes.KeepsKeysFor", "%v is negative", s.Writes.KeepsKeysFor)
	refuse(s.Writes.KeepsKeysFor > 0 && s.Writes.Contract == "", "Writes.Contract", "say where the promise is written; without one a keyed write may not be repeated (R-RES-RE-1)")
	refuse(s.Writes.KeepsKeysFor == 0 && s.Writes.Contract != "", "Writes.KeepsKeysFor", "say how long %s promises to keep keys (R-RES-RE-1)", s.Writes.Contract)
	if len(wrong) > 0 {
		return errors.Join(wrong...) // windows of wrong numbers mean nothing
	}
	plan := s.schedule()
	refuse(s.Timeout > maxTimeout, "Timeout", "%v is more than %v: give such work to a durable task (R-RES-RE-4)", s.Timeout, maxTimeout)
	if s.FirstPause > maxSleepWindow || s.Timeout > maxTimeout || s.Attempts > MaxAttempts {
		refuse(s.FirstPause > maxSleepWindow, "FirstPause", "a pause of %v is more than all together may last, %v (R-RES-RE-4)", s.FirstPause, maxSleepWindow)
		return errors.Join(wrong...) // windows of such numbers may not fit a Duration
	}
	refuse(plan.sleepWindow() > maxSleepWindow, "FirstPause", "%d attempts may pause %v in all, more than %v (R-RES-RE-4)", s.Attempts, plan.sleepWindow(), maxSleepWindow)
	refuse(s.Attempts > 1 && s.Timeout > DefaultTimeout && plan.totalWindow() > maxTotalWindow, "Timeout",
		"%d attempts of %v may last %v, more than %v; lower it, or queue the task (R-RES-RE-4)", s.Attempts, s.Timeout, plan.totalWindow(), maxTotalWindow)
	refuse(s.Writes.Promised() && s.Writes.KeepsKeysFor <= plan.totalWindow(), "Writes.KeepsKeysFor",
		"%v is not longer than the %v in which a key may be sent again (R-RES-RE-1)", s.Writes.KeepsKeysFor, plan.totalWindow())
	return errors.Join(wrong...)
}

// isToken tells whether a string may name a header (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for _, c := range []byte(s) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && !isTokenMark(c) {
			return false
		}
	}
	return s != ""
}

func isTokenMark(c byte) bool {
	switch c {
	case '!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~':
		return true
	}
	return false
}
