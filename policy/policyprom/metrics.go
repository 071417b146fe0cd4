// Package policyprom exports what policies do as Prometheus metrics:
//
//	policy_attempt_duration_seconds{system,outcome}  histogram, one observation per attempt
//	policy_calls_total{system,outcome}               counter, one per Read, Keyed or NoRetry
//	policy_call_attempts{system}                     histogram, attempts per call
//	policy_breaker_changes_total{system,to}          counter
//	policy_breaker_state{system}                     gauge: 0 closed, 1 half-open, 2 open
//	policy_running{system}                           gauge, attempts in the bulkhead
//	policy_bulkhead{system}                          gauge, attempts that may run at once
//
// Outcomes of attempts are ok, timeout and error; those of calls are ok, failed,
// maybe_applied (a failure after which a write may have been carried out: alert on
// it), breaker_open, bulkhead_full and caller_gone.
package policyprom

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/resilint/resilint/policy"
)

// Metrics observes policies and collects their metrics. Put it into
// Settings.Observers of every policy, register it once, and Watch the policies for
// the gauges. It is safe for concurrent use.
type Metrics struct {
	duration *prometheus.HistogramVec
	calls    *prometheus.CounterVec
	attempts *prometheus.HistogramVec
	changes  *prometheus.CounterVec

	mu      sync.Mutex
	watched []*policy.Policy
}

var (
	_ policy.Observer      = (*Metrics)(nil)
	_ prometheus.Collector = (*Metrics)(nil)
)

// New returns metrics without any policy.
func New() *Metrics {
	return &Metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "policy_attempt_duration_seconds",
			Help:    "Time of an attempt, without pauses.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 12), // 5 ms to 10 s, twice the guide's limit
		}, []string{"system", "outcome"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "policy_calls_total",
			Help: "Calls by how they ended.",
		}, []string{"system", "outcome"}),
		attempts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "policy_call_attempts",
			Help:    "Attempts per call; 0 when nothing was sent.",
			Buckets: prometheus.LinearBuckets(0, 1, policy.MaxAttempts+1),
		}, []string{"system"}),
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "policy_breaker_changes_total",
			Help: "Changes of a breaker's state, by the new one.",
		}, []string{"system", "to"}),
	}
}

// Watch adds the policies to the gauges. Watch each once.
func (m *Metrics) Watch(policies ...*policy.Policy) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watched = append(m.watched, policies...)
}

// AttemptStarted implements policy.Observer.
func (m *Metrics) AttemptStarted(ctx context.Context, a policy.Attempt) (context.Context, func(error)) {
	began := time.Now()
	return ctx, func(err error) {
		m.duration.WithLabelValues(a.System, attemptOutcome(err)).Observe(time.Since(began).Seconds())
	}
}

// CallEnded implements policy.Observer.
func (m *Metrics) CallEnded(_ context.Context, r policy.Report) {
	m.calls.WithLabelValues(r.System, callOutcome(r.Err)).Inc()
	m.attempts.WithLabelValues(r.System).Observe(float64(r.Attempts))
}

// BreakerChanged implements policy.Observer.
func (m *Metrics) BreakerChanged(c policy.BreakerChange) {
	m.changes.WithLabelValues(c.System, string(c.To)).Inc()
}

func attemptOutcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, policy.ErrTimeout):
		return "timeout"
	}
	return "error"
}

func callOutcome(err error) string {
	var unsent *policy.UnavailableError
	var failed *policy.ExhaustedError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &unsent):
		return strings.ReplaceAll(string(unsent.Reason), " ", "_")
	case errors.As(err, &failed) && failed.MayBeApplied:
		return "maybe_applied"
	}
	return "failed"
}
