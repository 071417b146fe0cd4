package policy

import (
	"context"
	"errors"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/common"
)

// gate is the breaker as a failsafe policy, and the one place where an attempt
// is judged. It stands between retry and bulkhead:
//
//	failsafe.With(retry, gate, bulkhead, timeout)
//
// so each attempt, rather than each call, counts for the breaker. The retry
// does what the gate has decided.
type gate struct {
	breaker  *breaker
	bulkhead bulkhead.Bulkhead[*call]
}

// errPanic tells observers how an attempt ended whose function did not return.
var errPanic = errors.New("the function panicked, or ended its goroutine")

type attemptFunc = func(failsafe.Execution[*call]) *common.PolicyResult[*call]

// ToExecutor implements failsafe.Policy.
func (g *gate) ToExecutor(*call) any { return g }

// Apply implements failsafe's policy executor.
func (g *gate) Apply(inner attemptFunc) attemptFunc {
	return func(exec failsafe.Execution[*call]) *common.PolicyResult[*call] {
		c := exec.Context().Value(callKey{}).(*call)
		err := g.pass(c, func() error { return inner(exec).Error })
		return &common.PolicyResult[*call]{Result: c, Error: err, Done: true, Success: err == nil, SuccessAll: err == nil}
	}
}

// pass lets the call make one attempt, if it may, and decides what follows.
func (g *gate) pass(c *call, attempt func() error) error {
	if err := c.Context.Err(); err != nil {
		c.refuse(err)
		return err
	}
	permit, admitted := g.breaker.admit()
	if !admitted {
		c.refuse(ErrBreakerOpen)
		return ErrBreakerOpen
	}
	before := c.attempts
	returned := false
	defer func() {
		if !returned { // fn panicked: failsafe leaves permits behind then
			g.bulkhead.ReleasePermit()
			g.breaker.settle(permit, failed)
			c.finished(errPanic)
		}
	}()
	outcome := attempt()
	returned = true
	if c.attempts == before {
		g.breaker.settle(permit, noVerdict)
		c.refuse(refusal(c.Context))
		return c.stopped
	}
	err := c.judge(outcome)
	g.breaker.settle(permit, c.verdict(err))
	c.finished(err)
	c.decide(err)
	return err
}

// refusal is why the bulkhead let nobody through.
func refusal(caller context.Context) error {
	if err := caller.Err(); err != nil {
		return err
	}
	return ErrBulkheadFull
}
