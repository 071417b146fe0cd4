package policy

import (
	"math"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// BreakerState is what a circuit breaker does with the next attempt.
type BreakerState string

const (
	Closed   BreakerState = "closed"    // lets it through
	Open     BreakerState = "open"      // refuses it
	HalfOpen BreakerState = "half-open" // lets one through, as a probe
)

// breaker adds to failsafe's circuit breaker what it needs to judge nothing but
// the system: an attempt may end without a verdict (the caller hung up, the
// bulkhead was full), and one that began before the breaker's last change says
// nothing about its present state. Both would otherwise count as a success or
// failure of the probe.
type breaker struct {
	mu      sync.Mutex // guards all below, and every use of circuit
	circuit circuitbreaker.CircuitBreaker[*call]
	state   BreakerState
	era     uint64 // counts changes of state
	// spare is the probe's permit when the probe ended without a verdict: the
	// circuit takes a permit back only together with a result.
	spare   bool
	changed func(from, to BreakerState) // called without the lock
}

func newBreaker(s Breaker, changed func(from, to BreakerState)) *breaker {
	// 0.55 of 100 is a little more than 55 in binary, and means 55.
	failures := uint(math.Ceil(s.FailureRatio*float64(s.Calls) - 1e-9))
	circuit := circuitbreaker.NewBuilder[*call]().
		WithFailureThresholdRatio(failures, uint(s.Calls)).
		WithSuccessThreshold(1). // one probe, whose result decides
		WithDelay(s.OpenFor).
		Build()
	return &breaker{circuit: circuit, state: Closed, changed: changed}
}

// permit is the right to make one attempt in one era of the breaker.
type permit struct{ era uint64 }

// admit asks for a permit. Every permit is settled exactly once.
func (b *breaker) admit() (permit, bool) {
	b.mu.Lock()
	from := b.state
	admitted := b.spare
	if b.spare {
		b.spare = false
	} else {
		admitted = b.circuit.TryAcquirePermit()
		b.observe()
	}
	p, to := permit{b.era}, b.state
	b.mu.Unlock()
	b.tell(from, to)
	return p, admitted
}

type verdict int

const (
	noVerdict verdict = iota
	succeeded
	failed
)

// settle gives the permit back with what the attempt says about the system.
func (b *breaker) settle(p permit, v verdict) {
	b.mu.Lock()
	from := b.state
	if p.era == b.era {
		switch v {
		case succeeded:
			b.circuit.RecordSuccess()
		case failed:
			b.circuit.RecordFailure()
		case noVerdict:
			b.spare = b.state == HalfOpen
		}
		b.observe()
	}
	to := b.state
	b.mu.Unlock()
	b.tell(from, to)
}

// observe starts a new era when the circuit has changed its state.
func (b *breaker) observe() {
	state := Closed
	switch b.circuit.State() {
	case circuitbreaker.OpenState:
		state = Open
	case circuitbreaker.HalfOpenState:
		state = HalfOpen
	}
	if state != b.state {
		b.state = state
		b.era++
		b.spare = false
	}
}

func (b *breaker) tell(from, to BreakerState) {
	if from != to {
		b.changed(from, to)
	}
}

// now returns the state and, when it is open, the time until a probe.
func (b *breaker) now() (BreakerState, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state, b.circuit.RemainingDelay()
}
