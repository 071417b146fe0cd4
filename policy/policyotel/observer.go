// Package policyotel reports what policies do to OpenTelemetry: one span per
// attempt, and metrics.
//
// A span is named after its system ("sber attempt"), is a child of the caller's,
// and the parent of what the function starts, such as an HTTP client's span. Its
// attributes are policy.system and policy.attempt (1, 2, ...). A failed attempt
// records its error; a span whose call was repeated is thus one of several siblings.
//
// The instruments, all with attribute policy.system:
//
//	policy.attempt.duration  histogram, s, by policy.outcome
//	policy.calls             counter, by policy.outcome
//	policy.breaker.changes   counter, by policy.breaker.to
//	policy.breaker.state     gauge: 0 closed, 1 half-open, 2 open
//	policy.running           gauge, attempts in the bulkhead
//
// Outcomes of attempts are ok, timeout and error; those of calls are ok, failed,
// maybe_applied (a failure after which a write may have been carried out: alert on
// it), breaker_open, bulkhead_full and caller_gone.
package policyotel

import (
	"context"
	"errors"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/resilint/resilint/policy"
)

const scope = "github.com/resilint/resilint/policy/policyotel"

// Observer observes policies. Put it into Settings.Observers, and Watch the
// policies for the gauges. It is safe for concurrent use.
type Observer struct {
	tracer   trace.Tracer
	meter    metric.Meter
	duration metric.Float64Histogram
	calls    metric.Int64Counter
	changes  metric.Int64Counter
}

var _ policy.Observer = (*Observer)(nil)

// New returns an observer that reports to these providers, such as
// otel.GetTracerProvider() and otel.GetMeterProvider(). Its error is the meter's,
// which refuses an instrument.
func New(traces trace.TracerProvider, metrics metric.MeterProvider) (*Observer, error) {
	o := &Observer{tracer: traces.Tracer(scope), meter: metrics.Meter(scope)}
	var refused [3]error
	o.duration, refused[0] = o.meter.Float64Histogram("policy.attempt.duration",
		metric.WithUnit("s"), metric.WithDescription("Time of an attempt, without pauses."),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24))
	o.calls, refused[1] = o.meter.Int64Counter("policy.calls",
		metric.WithUnit("{call}"), metric.WithDescription("Calls by how they ended."))
	o.changes, refused[2] = o.meter.Int64Counter("policy.breaker.changes",
		metric.WithUnit("{change}"), metric.WithDescription("Changes of a breaker's state, by the new one."))
	if err := errors.Join(refused[:]...); err != nil {
		return nil, err
	}
	return o, nil
}

// AttemptStarted implements policy.Observer.
func (o *Observer) AttemptStarted(ctx context.Context, a policy.Attempt) (context.Context, func(error)) {
	began := time.Now()
	ctx, span := o.tracer.Start(ctx, a.System+" attempt", trace.WithAttributes(system(a.System), attribute.Int("policy.attempt", a.Number)))
	return ctx, func(err error) {
		if err != nil {
			span.RecordError(err)
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
		o.duration.Record(ctx, time.Since(began).Seconds(), metric.WithAttributes(system(a.System), outcome(attemptOutcome(err))))
	}
}

// CallEnded implements policy.Observer.
func (o *Observer) CallEnded(ctx context.Context, r policy.Report) {
	o.calls.Add(ctx, 1, metric.WithAttributes(system(r.System), outcome(callOutcome(r.Err))))
}

// BreakerChanged implements policy.Observer.
func (o *Observer) BreakerChanged(c policy.BreakerChange) {
	o.changes.Add(context.Background(), 1, metric.WithAttributes(system(c.System), attribute.String("policy.breaker.to", string(c.To))))
}

func system(name string) attribute.KeyValue  { return attribute.String("policy.system", name) }
func outcome(name string) attribute.KeyValue { return attribute.String("policy.outcome", name) }

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
