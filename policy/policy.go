package policy

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
)

// Policy protects the calls to one external system. Make one per system when
// the service starts, and keep it: the breaker and the bulkhead are its memory.
// It is safe for concurrent use.
type Policy struct {
	settings Settings
	plan     schedule
	breaker  *breaker
	running  atomic.Int64
	retrying failsafe.Executor[*call] // retry > breaker > bulkhead > timeout
	once     failsafe.Executor[*call] //         breaker > bulkhead > timeout
}

// New returns the policy that the settings describe. Its error names every field
// that is out of range, and the rule it breaks.
func New(s Settings) (*Policy, error) {
	s = s.withDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Observers = append([]Observer(nil), s.Observers...)
	p := &Policy{settings: s, plan: s.schedule()}
	p.breaker = newBreaker(s.Breaker, p.breakerChanged)

	retry := retrypolicy.NewBuilder[*call]().
		WithMaxAttempts(s.Attempts).
		HandleIf(func(c *call, err error) bool { return err != nil && c.again }).
		WithDelayFunc(func(exec failsafe.ExecutionAttempt[*call]) time.Duration { return exec.LastResult().pause }).
		ReturnLastFailure().
		Build()
	places := bulkhead.New[*call](uint(s.Bulkhead))
	gate := &gate{p.breaker, places}
	limit := timeout.New[*call](s.Timeout)

	p.retrying = failsafe.With(retry, gate, places, limit)
	p.once = failsafe.With[*call](gate, places, limit)
	return p, nil
}

// Settings returns the policy's settings, defaults filled in.
func (p *Policy) Settings() Settings {
	s := p.settings
	s.Observers = append([]Observer(nil), s.Observers...)
	return s
}

// Window returns the longest time from a call's first attempt to the end of
// its last one's time limit: 16.5 s at the defaults. A key may be sent again
// that long.
func (p *Policy) Window() time.Duration { return p.plan.totalWindow() }

// String says all of the policy in one line.
func (p *Policy) String() string {
	s := p.settings
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", s.System)
	if s.Attempts == 1 {
		b.WriteString("1 attempt")
	} else {
		fmt.Fprintf(&b, "retry %d attempts, pauses", s.Attempts)
		for n := 1; n < s.Attempts; n++ {
			fmt.Fprintf(&b, " %v", p.plan.longest(n))
		}
		b.WriteString(" less up to half")
		if s.RetryThrottled {
			b.WriteString(" or Retry-After")
		}
	}
	fmt.Fprintf(&b, " > breaker %g of %d calls, open %v, 1 probe", s.Breaker.FailureRatio, s.Breaker.Calls, s.Breaker.OpenFor)
	fmt.Fprintf(&b, " > bulkhead %d > timeout %v", s.Bulkhead, s.Timeout)
	fmt.Fprintf(&b, "; pauses up to %v, lasts up to %v", p.plan.totalWindow()-time.Duration(s.Attempts)*s.Timeout, p.plan.totalWindow())
	if s.Writes.Promised() {
		fmt.Fprintf(&b, "; writes repeat with %s, kept %v (%s)", s.Writes.Header, s.Writes.KeepsKeysFor, s.Writes.Contract)
	} else {
		b.WriteString("; writes run once")
	}
	if s.Transient != nil {
		b.WriteString("; transient errors narrowed")
	}
	if s.Required {
		b.WriteString("; required")
	}
	return b.String()
}
