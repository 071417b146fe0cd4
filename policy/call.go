package policy

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/timeout"
)

// Read calls fn, which must only read, and repeats it on transient failures.
//
// The context that fn gets is the attempt's: it ends with Settings.Timeout or
// with ctx, and fn has to obey it. An error comes with the zero T. It is an
// *UnavailableError when nothing was sent, fn's own error when the first attempt
// failed for good, and an *ExhaustedError otherwise.
//
// A panic in fn counts as a failure for the breaker, and passes through.
func Read[T any](ctx context.Context, p *Policy, fn func(ctx context.Context) (T, error)) (T, error) {
	var result T
	err := p.run(&call{Context: ctx, policy: p, reads: true, repeats: true, fn: func(ctx context.Context) (err error) {
		result, err = fn(ctx)
		return err
	}})
	return orZero(result, err)
}

// Keyed calls fn, which writes, and hands it the key to send with every attempt.
// It repeats fn on transient failures when Settings.Writes has the system's
// promise to recognise the key; without one it calls fn once.
//
// An empty key is ErrEmptyKey, before anything is sent. Contexts, errors and
// panics are as in Read; KeyFrom finds the key in fn's context.
func Keyed[T any](ctx context.Context, p *Policy, key Key, fn func(ctx context.Context, key Key) (T, error)) (T, error) {
	var result T
	if key.IsZero() {
		return result, fmt.Errorf("%s: nothing was sent: %w", p.settings.System, ErrEmptyKey)
	}
	err := p.run(&call{Context: ctx, policy: p, repeats: p.settings.Writes.Promised(), key: key, fn: func(ctx context.Context) (err error) {
		result, err = fn(ctx, key)
		return err
	}})
	return orZero(result, err)
}

// NoRetry calls fn once, behind breaker, bulkhead and timeout. It is for writes
// without a key. A call of any policy that NoRetry runs inside of is not
// repeated once fn has started, since that would repeat fn.
//
// Contexts, errors and panics are as in Read.
func NoRetry[T any](ctx context.Context, p *Policy, fn func(ctx context.Context) (T, error)) (T, error) {
	var result T
	err := p.run(&call{Context: ctx, policy: p, fn: func(ctx context.Context) (err error) {
		result, err = fn(ctx)
		return err
	}})
	return orZero(result, err)
}

func orZero[T any](result T, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return result, nil
}

// call is one Read, Keyed or NoRetry, and the context of its attempts. Only the
// calling goroutine touches it, but for its flags.
type call struct {
	context.Context // the caller's
	policy          *Policy
	fn              func(context.Context) error

	// Why it may repeat.
	reads   bool
	repeats bool
	key     Key
	parent  *call       // the call this one runs inside of, of any policy
	sealed  atomic.Bool // something that may not be repeated ran inside
	wrote   atomic.Bool // a write ran inside
	ended   atomic.Bool

	// What has happened so far.
	began        time.Time
	attempts     int
	returned     error // by fn, in the last attempt
	finish       func(error)
	last         error // the last attempt's, as judged
	stopped      error // what kept another attempt from being made
	mayBeApplied bool

	// What is to happen next.
	again bool
	pause time.Duration
	slept time.Duration // sum of the pauses, the coming one included
}

type callKey struct{}

// Value makes a call findable from its attempts' contexts.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func (p *Policy) run(c *call) error {
	c.parent, _ = c.Context.Value(callKey{}).(*call)
	defer c.ended.Store(true)
	if p.encloses(c) {
		// Breaker, bulkhead and timeout already count this attempt, and the
		// enclosing call repeats it if anyone does.
		c.warn()
		return c.fn(c)
	}
	c.began = time.Now()
	executor := p.once
	if c.repeats {
		executor = p.retrying
	}
	// The executor's own error says less than what the call knows.
	_ = executor.WithContext(c).RunWithExecution(c.attempt)
	err := c.result()
	for _, o := range p.settings.Observers {
		o.CallEnded(c.Context, c.report(err))
	}
	return err
}

// encloses tells whether c runs inside a call of this policy. A context may outlive
// its call, in a goroutine that was left behind: such a call protects nothing.
func (p *Policy) encloses(c *call) bool {
	for up := c.parent; up != nil; up = up.parent {
		if up.policy == p && !up.ended.Load() {
			return true
		}
	}
	return false
}

// warn tells the enclosing calls what runs inside of them: a write may have been
// applied whatever they are, and what may run only once they may not repeat.
func (c *call) warn() {
	for up := c.parent; up != nil && !c.reads; up = up.parent {
		up.wrote.Store(true)
		if !c.repeats {
			up.sealed.Store(true)
		}
	}
}

// attempt runs fn once. It is the innermost part of the composition.
func (c *call) attempt(exec failsafe.Execution[*call]) error {
	c.attempts++
	c.warn()
	p := c.policy
	p.running.Add(1)
	defer p.running.Add(-1)
	var ctx context.Context = &attemptContext{exec.Context(), exec.AttemptStartTime().Add(p.settings.Timeout)}
	if len(p.settings.Observers) > 0 {
		ctx = c.observe(ctx)
	}
	c.returned = c.fn(ctx)
	return c.returned
}

// attemptContext shows the attempt's time limit as a deadline, for protocols
// that tell the server about it. Failsafe's timeout only cancels.
type attemptContext struct {
	context.Context
	limit time.Time
}

func (a *attemptContext) Deadline() (time.Time, bool) {
	if outer, ok := a.Context.Deadline(); ok && outer.Before(a.limit) {
		return outer, true
	}
	return a.limit, true
}

// judge turns the outcome of an attempt that ran into the error that counts.
func (c *call) judge(outcome error) error {
	switch {
	case c.returned == nil:
		return nil // also when the time limit passed meanwhile: it is done
	case c.Context.Err() != nil:
		c.stopped = c.Context.Err()
		return c.returned
	case outcome == timeout.ErrExceeded && c.returned != timeout.ErrExceeded:
		return &TimeoutError{System: c.policy.settings.System, After: c.policy.settings.Timeout, Cause: c.returned}
	}
	return c.returned
}

// verdict is what an attempt that ran says about the system. Only the caller's
// cancellation says nothing; a caller's deadline that passes is a failure, or a
// system that hangs would never open the breaker of impatient callers.
func (c *call) verdict(err error) verdict {
	switch {
	case err == nil:
		return succeeded
	case errors.Is(c.stopped, context.Canceled):
		return noVerdict
	}
	return failed
}

// decide records the outcome of an attempt, and whether and when there is another.
func (c *call) decide(err error) {
	c.last = err
	c.again = false
	if err == nil {
		return
	}
	writes := !c.reads || c.wrote.Load()
	if writes && as[*UnavailableError](err) {
		// Another system was not asked. This one may have been, before.
		err = &withinError{err}
		c.last = err
	}
	c.mayBeApplied = c.mayBeApplied || writes && MayBeApplied(err)
	s := &c.policy.settings
	if !c.repeats || c.sealed.Load() || c.stopped != nil || c.attempts >= s.Attempts || !c.retryable(err) {
		return
	}
	if deadline, ok := c.Context.Deadline(); ok && time.Until(deadline) <= c.pause {
		c.stopped = ErrDeadline
		return
	}
	if !c.key.IsZero() && time.Since(c.began)+c.pause >= s.Writes.KeepsKeysFor {
		c.stopped = ErrKeyForgotten // an attempt that ignored its time limit took long
		return
	}
	c.slept += c.pause
	c.again = true
}

// retryable also sets the pause after which to retry.
func (c *call) retryable(err error) bool {
	s := &c.policy.settings
	if isFinal(err) || s.Transient != nil && !s.Transient(err) {
		return false
	}
	var status *StatusError
	if errors.As(err, &status) && status.throttles() {
		c.pause = status.RetryAfter
		return s.RetryThrottled && status.RetryAfter > 0 && c.slept+c.pause <= maxSleepWindow
	}
	c.pause = c.policy.plan.draw(c.attempts)
	// Pauses that the system asked for before may leave no room for ours.
	return c.slept+c.pause <= maxSleepWindow && IsTransient(err)
}

// throttles tells whether an answer says when, and whether at all, to ask again.
func (e *StatusError) throttles() bool {
	return e.StatusCode == 429 || e.StatusCode == 503 && e.RetryAfter > 0
}

// refuse ends the call before fn ran again.
func (c *call) refuse(cause error) {
	c.stopped = cause
	c.again = false
}

// result is what the caller gets.
func (c *call) result() error {
	if c.again { // but the pause before that attempt was interrupted
		c.refuse(c.Context.Err())
	}
	switch {
	case c.attempts == 0:
		return &UnavailableError{System: c.policy.settings.System, Reason: reason(c.stopped), Cause: c.stopped}
	case c.last == nil:
		return nil
	case c.attempts == 1 && c.stopped == nil && !IsTransient(c.last) && !as[*withinError](c.last):
		return c.last
	}
	return &ExhaustedError{
		System:       c.policy.settings.System,
		Attempts:     c.attempts,
		Elapsed:      time.Since(c.began),
		Last:         c.last,
		Stopped:      c.stopped,
		MayBeApplied: c.mayBeApplied,
	}
}

func reason(stopped error) Reason {
	switch stopped {
	case ErrBreakerOpen:
		return BreakerOpen
	case ErrBulkheadFull:
		return BulkheadFull
	}
	return CallerGone
}
