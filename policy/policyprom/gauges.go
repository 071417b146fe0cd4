package policyprom

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/resilint/resilint/policy"
)

func gauge(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"system"}, nil)
}

func breakerState() *prometheus.Desc {
	return gauge("policy_breaker_state", "0 closed, 1 half-open, 2 open.")
}
func running() *prometheus.Desc { return gauge("policy_running", "Attempts in the bulkhead.") }
func bulkhead() *prometheus.Desc {
	return gauge("policy_bulkhead", "Attempts that may run at once.")
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	m.duration.Describe(out)
	m.calls.Describe(out)
	m.attempts.Describe(out)
	m.changes.Describe(out)
	out <- breakerState()
	out <- running()
	out <- bulkhead()
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	m.duration.Collect(out)
	m.calls.Collect(out)
	m.attempts.Collect(out)
	m.changes.Collect(out)
	m.mu.Lock()
	watched := m.watched
	m.mu.Unlock()
	for _, p := range watched {
		s := p.State()
		send := func(d *prometheus.Desc, value float64) {
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, s.System)
		}
		send(breakerState(), level(s.Breaker))
		send(running(), float64(s.Running))
		send(bulkhead(), float64(s.Bulkhead))
	}
}

// level orders the states by how bad they are.
func level(s policy.BreakerState) float64 {
	switch s {
	case policy.HalfOpen:
		return 1
	case policy.Open:
		return 2
	}
	return 0
}
