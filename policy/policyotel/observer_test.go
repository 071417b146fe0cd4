package policyotel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyotel"
)

func setUp(t testing.TB) (*policyotel.Observer, *tracetest.SpanRecorder, *sdkmetric.ManualReader) {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	reader := sdkmetric.NewManualReader()
	o, err := policyotel.New(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)), sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	return o, spans, reader
}

func TestOneSpanPerAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, spans, _ := setUp(t)
		p, err := policy.New(policy.Settings{System: "sber", Observers: []policy.Observer{o}})
		if err != nil {
			t.Fatal(err)
		}
		caller := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled})
		ctx := trace.ContextWithSpanContext(t.Context(), caller)
		var inside []trace.SpanID
		_, err = policy.Read(ctx, p, func(ctx context.Context) (int, error) {
			inside = append(inside, trace.SpanContextFromContext(ctx).SpanID())
			if len(inside) == 1 {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return 1, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ended := spans.Ended()
		if len(ended) != 2 {
			t.Fatalf("%d spans, want 2", len(ended))
		}
		for i, span := range ended {
			if span.Name() != "sber attempt" || span.Parent().SpanID() != caller.SpanID() || span.SpanContext().SpanID() != inside[i] {
				t.Errorf("span %q under %v, seen as %v", span.Name(), span.Parent().SpanID(), inside[i])
			}
			if !slices.Contains(span.Attributes(), attribute.Int("policy.attempt", i+1)) || !slices.Contains(span.Attributes(), attribute.String("policy.system", "sber")) {
				t.Errorf("attributes %v", span.Attributes())
			}
		}
		if s := ended[0].Status(); s.Code != codes.Error || s.Description != "sber: attempt timed out after 5s: context canceled" || len(ended[0].Events()) != 1 {
			t.Errorf("failed attempt: %+v, %d events", s, len(ended[0].Events()))
		}
		if s := ended[1].Status(); s.Code != codes.Unset {
			t.Errorf("good attempt: %+v", s)
		}
	})
}

// A span ends also when the function panics.
func TestPanicEndsTheSpan(t *testing.T) {
	o, spans, _ := setUp(t)
	p, err := policy.New(policy.Settings{System: "sber", Observers: []policy.Observer{o}})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = policy.Read(t.Context(), p, func(context.Context) (int, error) { panic("bug") })
	}()
	if ended := spans.Ended(); len(ended) != 1 || ended[0].Status().Code != codes.Error {
		t.Errorf("%d spans ended, want 1 with an error", len(ended))
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, _, reader := setUp(t)
		p, err := policy.New(policy.Settings{System: "sber", Breaker: policy.Breaker{Calls: 4, FailureRatio: 1}, Observers: []policy.Observer{o}})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Watch(p); err != nil {
			t.Fatal(err)
		}
		call := func(err error) {
			_, _ = policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { return 0, err })
		}
		call(nil)
		call(errors.New("no"))
		call(&policy.StatusError{StatusCode: 503})
		_, _ = policy.Read(t.Context(), p, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		call(nil) // refused

		var all metricdata.ResourceMetrics
		if err := reader.Collect(t.Context(), &all); err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, m := range all.ScopeMetrics[0].Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, point := range data.DataPoints {
					got[m.Name+label(point.Attributes)] = float64(point.Value)
				}
			case metricdata.Gauge[int64]:
				for _, point := range data.DataPoints {
					got[m.Name+label(point.Attributes)] = float64(point.Value)
				}
			case metricdata.Histogram[float64]:
				for _, point := range data.DataPoints {
					got[m.Name+label(point.Attributes)] = float64(point.Count)
				}
			}
		}
		want := map[string]float64{
			"policy.attempt.duration ok": 1, "policy.attempt.duration error": 2, "policy.attempt.duration timeout": 2,
			"policy.calls ok": 1, "policy.calls failed": 2, "policy.calls maybe_applied": 1, "policy.calls breaker_open": 1,
			"policy.breaker.changes open": 1, "policy.breaker.state": 2, "policy.running": 0,
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	})
}

// label is what a series says beside its system.
func label(set attribute.Set) string {
	if v, ok := set.Value("policy.outcome"); ok {
		return " " + v.AsString()
	}
	if v, ok := set.Value("policy.breaker.to"); ok {
		return " " + v.AsString()
	}
	return ""
}

func ExampleNew() {
	o, err := policyotel.New(otel.GetTracerProvider(), otel.GetMeterProvider())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := policy.New(policy.Settings{System: "sber", Observers: []policy.Observer{o}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := o.Watch(p); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(policy.Read(context.Background(), p, func(context.Context) (int, error) { return 1, nil }))
	// Output: 1 <nil>
}
