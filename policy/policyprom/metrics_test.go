package policyprom_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyprom"
)

func TestMetrics(t *testing.T) {
	m := policyprom.New()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m)
	synctest.Test(t, func(t *testing.T) {
		p, err := policy.New(policy.Settings{System: "sber", Breaker: policy.Breaker{Calls: 4, FailureRatio: 1}, Observers: []policy.Observer{m}})
		if err != nil {
			t.Fatal(err)
		}
		m.Watch(p)
		down := &policy.StatusError{StatusCode: 503}
		call := func(err error) {
			_, _ = policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { return 0, err })
		}
		call(nil)
		call(errors.New("no"))
		call(down) // maybe applied
		_, _ = policy.Read(t.Context(), p, func(ctx context.Context) (int, error) {
			time.Sleep(30 * time.Millisecond)
			if _, last := ctx.Deadline(); !last {
				t.Error("no deadline")
			}
			<-ctx.Done()
			return 0, ctx.Err()
		}) // two attempts time out, and the breaker opens
		call(nil) // refused
	})
	const want = `
# HELP policy_breaker_changes_total Changes of a breaker's state, by the new one.
# TYPE policy_breaker_changes_total counter
policy_breaker_changes_total{system="sber",to="open"} 1
# HELP policy_breaker_state 0 closed, 1 half-open, 2 open.
# TYPE policy_breaker_state gauge
policy_breaker_state{system="sber"} 2
# HELP policy_bulkhead Attempts that may run at once.
# TYPE policy_bulkhead gauge
policy_bulkhead{system="sber"} 8
# HELP policy_calls_total Calls by how they ended.
# TYPE policy_calls_total counter
policy_calls_total{outcome="breaker_open",system="sber"} 1
policy_calls_total{outcome="failed",system="sber"} 2
policy_calls_total{outcome="maybe_applied",system="sber"} 1
policy_calls_total{outcome="ok",system="sber"} 1
# HELP policy_running Attempts in the bulkhead.
# TYPE policy_running gauge
policy_running{system="sber"} 0
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "policy_breaker_changes_total", "policy_breaker_state", "policy_bulkhead", "policy_calls_total", "policy_running"); err != nil {
		t.Error(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	attempts := map[string]uint64{}
	for _, family := range families {
		if family.GetName() == "policy_attempt_duration_seconds" {
			for _, metric := range family.GetMetric() {
				attempts[metric.GetLabel()[0].GetValue()] = metric.GetHistogram().GetSampleCount()
			}
		}
		if family.GetName() == "policy_call_attempts" {
			if h := family.GetMetric()[0].GetHistogram(); h.GetSampleCount() != 5 || h.GetSampleSum() != 5 {
				t.Errorf("%d calls with %v attempts, want 5 with 5", h.GetSampleCount(), h.GetSampleSum())
			}
		}
	}
	if attempts["ok"] != 1 || attempts["error"] != 2 || attempts["timeout"] != 2 {
		t.Errorf("attempts %v, want 1 ok, 2 errors, 2 timeouts", attempts)
	}
}

func TestMetricNamesAreGood(t *testing.T) {
	problems, err := testutil.CollectAndLint(policyprom.New())
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

func ExampleNew() {
	m := policyprom.New()
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	p, err := policy.New(policy.Settings{System: "sber", Observers: []policy.Observer{m}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Watch(p)
	_, _ = policy.Read(context.Background(), p, func(context.Context) (int, error) { return 1, nil })

	fmt.Println(testutil.CollectAndCount(m, "policy_calls_total"), "series of calls")
	// Output: 1 series of calls
}
