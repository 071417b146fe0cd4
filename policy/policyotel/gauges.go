package policyotel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/metric"

	"github.com/resilint/resilint/policy"
)

// Watch reports the policies' states whenever metrics are read. Watch each policy
// once. Its error is the meter's.
func (o *Observer) Watch(policies ...*policy.Policy) error {
	state, refusedState := o.meter.Int64ObservableGauge("policy.breaker.state",
		metric.WithDescription("0 closed, 1 half-open, 2 open."))
	running, refusedRunning := o.meter.Int64ObservableGauge("policy.running",
		metric.WithUnit("{attempt}"), metric.WithDescription("Attempts in the bulkhead."))
	if err := errors.Join(refusedState, refusedRunning); err != nil {
		return err
	}
	_, err := o.meter.RegisterCallback(func(_ context.Context, out metric.Observer) error {
		for _, p := range policies {
			s := p.State()
			out.ObserveInt64(state, level(s.Breaker), metric.WithAttributes(system(s.System)))
			out.ObserveInt64(running, int64(s.Running), metric.WithAttributes(system(s.System)))
		}
		return nil
	}, state, running)
	return err
}

// level orders the states by how bad they are.
func level(s policy.BreakerState) int64 {
	switch s {
	case policy.HalfOpen:
		return 1
	case policy.Open:
		return 2
	}
	return 0
}
