package policy

import (
	"context"
	"time"
)

// Observer is told what a policy does, for metrics, traces and logs. Its methods
// are called from many goroutines at once, on the path of the calls: they must
// not wait.
type Observer interface {
	// AttemptStarted is called just before the function runs. The context it
	// returns, which must derive from ctx, is the function's. The func it
	// returns, if any, is called with the attempt's error once the function has
	// returned.
	AttemptStarted(ctx context.Context, a Attempt) (context.Context, func(error))
	// CallEnded is called at the end of each call, with the caller's context. A
	// call that panics is not reported.
	CallEnded(ctx context.Context, r Report)
	// BreakerChanged is called after the breaker has changed its state. Two
	// changes in quick succession may be told in either order.
	BreakerChanged(c BreakerChange)
}

// Attempt is one execution of the function.
type Attempt struct {
	System string
	// Number is 1 for the first attempt.
	Number int
	// Key is empty unless the call is Keyed.
	Key Key
}

// Report is one Read, Keyed or NoRetry.
type Report struct {
	System string
	// Attempts is 0 when nothing was sent.
	Attempts int
	Elapsed  time.Duration
	// Err is what the caller gets.
	Err error
}

// BreakerChange is a change of a breaker's state.
type BreakerChange struct {
	System   string
	From, To BreakerState
}

// observe tells the observers of an attempt, and remembers whom to tell its end.
func (c *call) observe(ctx context.Context) context.Context {
	a := Attempt{System: c.policy.settings.System, Number: c.attempts, Key: c.key}
	var ends []func(error)
	for _, o := range c.policy.settings.Observers {
		observed, end := o.AttemptStarted(ctx, a)
		if observed != nil {
			ctx = observed
		}
		if end != nil {
			ends = append(ends, end)
		}
	}
	c.finish = func(err error) {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i](err)
		}
	}
	return ctx
}

// finished tells the observers how the attempt ended.
func (c *call) finished(err error) {
	if c.finish != nil {
		c.finish(err)
		c.finish = nil
	}
}

func (c *call) report(err error) Report {
	return Report{System: c.policy.settings.System, Attempts: c.attempts, Elapsed: time.Since(c.began), Err: err}
}

func (p *Policy) breakerChanged(from, to BreakerState) {
	for _, o := range p.settings.Observers {
		o.BreakerChanged(BreakerChange{System: p.settings.System, From: from, To: to})
	}
}
