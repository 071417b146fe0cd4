package policy_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/policy"
)

func refusedBy(err error, reason policy.Reason) bool {
	var down *policy.UnavailableError
	return errors.As(err, &down) && down.Reason == reason && down.System == "sber" && !policy.MayBeApplied(err)
}

func once(t testing.TB, p *policy.Policy, err error) error {
	t.Helper()
	_, got := policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { return 0, err })
	return got
}

func open(t testing.TB, p *policy.Policy) {
	t.Helper()
	for range 25 {
		_ = once(t, p, unavailable())
	}
	if s := p.State().Breaker; s != policy.Open {
		t.Fatalf("breaker is %s after 25 failures, want open", s)
	}
}

func TestBreakerOpensAtHalfOfFifty(t *testing.T) {
	p := newPolicy(t)
	for range 26 {
		_ = once(t, p, nil)
	}
	for range 24 {
		_ = once(t, p, unavailable())
	}
	if s := p.State().Breaker; s != policy.Closed {
		t.Fatalf("24 failures in 50: %s, want closed", s)
	}
	_ = once(t, p, unavailable()) // pushes a success out
	if s := p.State().Breaker; s != policy.Open {
		t.Fatalf("25 failures in 50: %s, want open", s)
	}
	fn, calls := failing(nil)
	_, err := policy.Read(t.Context(), p, fn)
	if *calls != 0 || !refusedBy(err, policy.BreakerOpen) || !errors.Is(err, policy.ErrBreakerOpen) {
		t.Errorf("%d calls, %v, want none, refused by the breaker", *calls, err)
	}
}

// A share that is no whole number of calls is rounded up.
func TestBreakerRatioIsReached(t *testing.T) {
	p := newPolicy(t, func(s *policy.Settings) { s.Breaker = policy.Breaker{Calls: 10, FailureRatio: 0.25} })
	for range 2 {
		_ = once(t, p, unavailable())
	}
	if s := p.State().Breaker; s != policy.Closed {
		t.Errorf("2 of 10 failed: %s, want closed below 0.25", s)
	}
	_ = once(t, p, unavailable())
	if s := p.State().Breaker; s != policy.Open {
		t.Errorf("3 of 10 failed: %s, want open", s)
	}
}

// Whatever fn returns is a failure, permanent errors included: an attempt counts,
// not a call.
func TestBreakerCountsEveryAttemptAndFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Breaker = policy.Breaker{Calls: 5, FailureRatio: 1} })
		_, _ = policy.Read(t.Context(), p, func(context.Context) (int, error) { return 0, unavailable() })
		_ = once(t, p, errors.New("unknown"))
		if s := p.State().Breaker; s != policy.Closed {
			t.Fatalf("4 failures: %s, want closed", s)
		}
		_ = once(t, p, &policy.StatusError{StatusCode: 404})
		if s := p.State().Breaker; s != policy.Open {
			t.Fatalf("5 failures: %s, want open", s)
		}
	})
}

func TestBreakerIgnoresTheCallersCancellation(t *testing.T) {
	p := newPolicy(t, func(s *policy.Settings) { s.Breaker.Calls = 2 })
	for range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		_, _ = policy.NoRetry(ctx, p, func(ctx context.Context) (int, error) { cancel(); return 0, ctx.Err() })
	}
	if s := p.State().Breaker; s != policy.Closed {
		t.Errorf("after 10 cancellations: %s, want closed", s)
	}
	_ = once(t, p, unavailable())
	if s := p.State().Breaker; s != policy.Open {
		t.Errorf("cancellations count as successes: %s after a failure, want open", s)
	}
}

// A system that hangs opens the breaker also of callers with short deadlines.
func TestBreakerCountsTheCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		for range 25 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, _ = policy.NoRetry(ctx, p, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
			cancel()
		}
		if s := p.State().Breaker; s != policy.Open {
			t.Errorf("%s, want open", s)
		}
	})
}

func TestOneProbeWhenHalfOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		open(t, p)
		if s := p.State(); s.ProbeIn != 30*time.Second {
			t.Errorf("probe in %v, want 30s", s.ProbeIn)
		}
		time.Sleep(30*time.Second - 1)
		if err := once(t, p, nil); !refusedBy(err, policy.BreakerOpen) {
			t.Fatalf("just before 30s: %v, want refused", err)
		}
		time.Sleep(1)

		// Of many callers at once, one is the probe.
		var group sync.WaitGroup
		var mu sync.Mutex
		sent, refused := 0, 0
		for range 20 {
			group.Go(func() {
				_, err := policy.NoRetry(t.Context(), p, func(context.Context) (int, error) {
					mu.Lock()
					sent++
					mu.Unlock()
					time.Sleep(time.Second)
					return 0, unavailable()
				})
				if refusedBy(err, policy.BreakerOpen) {
					mu.Lock()
					refused++
					mu.Unlock()
				}
			})
		}
		group.Wait()
		if sent != 1 || refused != 19 {
			t.Fatalf("%d sent, %d refused, want 1 and 19", sent, refused)
		}

		// It failed, so the breaker stays open for as long again.
		if s := p.State(); s.Breaker != policy.Open || s.ProbeIn != 30*time.Second {
			t.Fatalf("after a failed probe: %+v, want open for 30s", s)
		}
		time.Sleep(30 * time.Second)
		if err := once(t, p, nil); err != nil {
			t.Fatal(err)
		}
		if s := p.State().Breaker; s != policy.Closed {
			t.Errorf("after a good probe: %s, want closed", s)
		}
	})
}

// A probe whose caller hangs up says nothing: the next call is the probe.
func TestProbeWithoutVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		open(t, p)
		time.Sleep(30 * time.Second)
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			_, _ = policy.NoRetry(ctx, p, func(ctx context.Context) (int, error) { cancel(); return 0, ctx.Err() })
			if s := p.State().Breaker; s != policy.HalfOpen {
				t.Fatalf("after a canceled probe: %s, want half-open", s)
			}
		}
		if err := once(t, p, nil); err != nil {
			t.Fatalf("the next probe: %v", err)
		}
		if s := p.State().Breaker; s != policy.Closed {
			t.Errorf("%s, want closed", s)
		}
	})
}

// An attempt from before the outage ends during the probe: it decides nothing.
func TestStaleResultIsNoProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		stale, probe := make(chan struct{}), make(chan struct{})
		hold := func(until chan struct{}, err error) {
			go func() {
				_, _ = policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { <-until; return 0, err })
			}()
			synctest.Wait()
		}
		hold(stale, nil)
		open(t, p)
		time.Sleep(30 * time.Second)
		hold(probe, unavailable())
		close(stale)
		synctest.Wait()
		if s := p.State().Breaker; s != policy.HalfOpen {
			t.Errorf("a stale success moved the breaker to %s", s)
		}
		if err := once(t, p, nil); !refusedBy(err, policy.BreakerOpen) {
			t.Errorf("a stale result made room for a second probe: %v", err)
		}
		close(probe)
		synctest.Wait()
		if s := p.State().Breaker; s != policy.Open {
			t.Errorf("after the failed probe: %s, want open", s)
		}
	})
}

// The breaker opens between two attempts: no further one, and the error does not
// claim that nothing was sent.
func TestBreakerOpensDuringACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Breaker = policy.Breaker{Calls: 2, FailureRatio: 1} })
		calls := 0
		_, err := policy.Keyed(t.Context(), p, policy.NewKey(), func(context.Context, policy.Key) (int, error) {
			calls++
			return 0, unavailable()
		})
		e := exhausted(t, err)
		if calls != 2 || e.Attempts != 2 || e.Stopped != policy.ErrBreakerOpen || !e.MayBeApplied || !policy.MayBeApplied(err) {
			t.Errorf("%d calls, %+v", calls, e)
		}
		if errors.Is(err, policy.ErrUnavailable) {
			t.Error("claims that nothing was sent")
		}
	})
}

func TestBulkheadRefusesTheNinth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		release := make(chan struct{})
		for range 8 {
			go func() {
				_, _ = policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { <-release; return 0, nil })
			}()
		}
		synctest.Wait()
		if s := p.State(); s.Running != 8 || s.Bulkhead != 8 {
			t.Errorf("state %+v, want 8 of 8 running", s)
		}
		fn, calls := failing(nil)
		start := time.Now()
		for range 100 {
			if _, err := policy.Read(t.Context(), p, fn); *calls != 0 || !refusedBy(err, policy.BulkheadFull) || !errors.Is(err, policy.ErrBulkheadFull) {
				t.Fatalf("%d calls, %v, want none, refused by the bulkhead", *calls, err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("waited %v", took)
		}
		if s := p.State().Breaker; s != policy.Closed {
			t.Errorf("our own overload moved the breaker to %s", s)
		}
		close(release)
		synctest.Wait()
		if _, err := policy.Read(t.Context(), p, fn); err != nil {
			t.Errorf("after the release: %v", err)
		}
	})
}

// A call holds no place in the bulkhead while it pauses.
func TestPauseHoldsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Bulkhead = 1 })
		go func() {
			fn, _ := failing(unavailable())
			_, _ = policy.Read(t.Context(), p, fn)
		}()
		synctest.Wait()
		if err := once(t, p, nil); err != nil {
			t.Errorf("during another call's pause: %v", err)
		}
	})
}

// A function that panics leaves neither its place nor the probe's permit behind,
// and the panic arrives as it was.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Bulkhead = 1 })
		panicking := func() (recovered any) {
			defer func() { recovered = recover() }()
			_, _ = policy.Read(t.Context(), p, func(context.Context) (int, error) { panic("bug") })
			return nil
		}
		for range 25 {
			if got := panicking(); got != "bug" {
				t.Fatalf("recovered %v, want bug", got)
			}
		}
		if s := p.State(); s.Running != 0 || s.Breaker != policy.Open {
			t.Fatalf("after 25 panics: %+v, want an open breaker and nothing running", s)
		}
		time.Sleep(30 * time.Second)
		panicking() // the probe
		time.Sleep(30 * time.Second)
		if err := once(t, p, nil); err != nil {
			t.Errorf("a panic kept the probe's permit: %v", err)
		}
	})
}

// Shares that binary fractions miss by a little count as what they say.
func TestBreakerRatios(t *testing.T) {
	for _, c := range []struct {
		ratio    float64
		calls    int
		failures int
	}{{0.55, 100, 55}, {0.07, 100, 7}, {0.28, 50, 14}, {0.56, 50, 28}, {0.51, 10, 6}, {1, 7, 7}} {
		p := newPolicy(t, func(s *policy.Settings) { s.Breaker.FailureRatio, s.Breaker.Calls = c.ratio, c.calls })
		failures := 0
		for p.State().Breaker == policy.Closed && failures < 200 {
			_, _ = policy.NoRetry(t.Context(), p, func(context.Context) (int, error) { return 0, errors.New("refused") })
			failures++
		}
		if failures != c.failures {
			t.Errorf("%v of %d: open after %d failures, want %d", c.ratio, c.calls, failures, c.failures)
		}
	}
}
