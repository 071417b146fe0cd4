package policy_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/policy"
)

// Each pause lies between half of its longest and all of it, and uses that
// whole range.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		longest := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}
		p := newPolicy(t, func(s *policy.Settings) { s.Attempts = 5; s.Breaker.Calls = 1e6 })
		low, high := make([]time.Duration, 4), make([]time.Duration, 4)
		for range 400 {
			var at []time.Time
			_, err := policy.Read(t.Context(), p, func(context.Context) (int, error) {
				at = append(at, time.Now())
				return 0, unavailable()
			})
			if e := exhausted(t, err); e.Attempts != 5 || len(at) != 5 {
				t.Fatalf("%d attempts reported, %d made, want 5", e.Attempts, len(at))
			}
			for i := range longest {
				pause := at[i+1].Sub(at[i])
				if pause < longest[i]/2 || pause > longest[i] {
					t.Fatalf("pause %d is %v, want between %v and %v", i+1, pause, longest[i]/2, longest[i])
				}
				if low[i] == 0 || pause < low[i] {
					low[i] = pause
				}
				high[i] = max(high[i], pause)
			}
		}
		for i := range longest {
			if spread := high[i] - low[i]; spread < longest[i]*45/100 {
				t.Errorf("400 pauses %d spread over %v only, want nearly %v", i+1, spread, longest[i]/2)
			}
		}
	})
}

func TestThreeAttemptsByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		fn, calls := failing(unavailable())
		start := time.Now()
		_, err := policy.Read(t.Context(), p, fn)
		e := exhausted(t, err)
		if *calls != 3 || e.Attempts != 3 {
			t.Errorf("%d calls, %d reported, want 3", *calls, e.Attempts)
		}
		if took := time.Since(start); took != e.Elapsed || took < 750*time.Millisecond || took > 1500*time.Millisecond {
			t.Errorf("took %v, reported %v, want 750ms to 1.5s", took, e.Elapsed)
		}
	})
}

func TestFirstSuccessEndsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		got, err := policy.Read(t.Context(), newPolicy(t), func(context.Context) (string, error) {
			if calls++; calls == 1 {
				return "", unavailable()
			}
			return "order", nil
		})
		if got != "order" || err != nil || calls != 2 {
			t.Errorf("got %q, %v after %d calls, want order, nil after 2", got, err, calls)
		}
	})
}

// An attempt gets 5 s, its context says so, and the next one starts only after
// it has returned: a function that ignores its context is never run twice at once.
func TestTimeoutIsCooperative(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Attempts = 2 })
		running, attempts := 0, 0
		start := time.Now()
		_, err := policy.Read(t.Context(), p, func(ctx context.Context) (int, error) {
			attempts++
			if running++; running > 1 {
				t.Error("two attempts run at once")
			}
			defer func() { running-- }()
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != 5*time.Second {
				t.Errorf("deadline in %v, want 5s", time.Until(deadline))
			}
			<-ctx.Done()
			time.Sleep(3 * time.Second) // deaf for a while
			return 0, ctx.Err()
		})
		e := exhausted(t, err)
		if attempts != 2 {
			t.Errorf("%d attempts, want 2", attempts)
		}
		if took := time.Since(start); took < 16*time.Second+250*time.Millisecond || took > 16*time.Second+500*time.Millisecond {
			t.Errorf("took %v, want two attempts of 8s and a pause of 250ms to 500ms", took)
		}
		var timeout *policy.TimeoutError
		if !errors.As(err, &timeout) || timeout.After != 5*time.Second || !errors.Is(err, policy.ErrTimeout) {
			t.Errorf("got %v, want a *TimeoutError after 5s", e.Last)
		}
		if errors.Is(err, context.Canceled) {
			t.Error("a timeout passes for the caller's cancellation")
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("a timeout is not a context.DeadlineExceeded")
		}
	})
}

// What is done is done, however late.
func TestLateSuccessIsASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		got, err := policy.NoRetry(t.Context(), newPolicy(t), func(context.Context) (string, error) {
			calls++
			time.Sleep(6 * time.Second)
			return "paid", nil
		})
		if got != "paid" || err != nil || calls != 1 {
			t.Errorf("got %q, %v after %d calls, want paid", got, err, calls)
		}
	})
}

func TestCallerCancelsAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		calls := 0
		_, err := policy.Keyed(ctx, newPolicy(t), policy.NewKey(), func(ctx context.Context, _ policy.Key) (int, error) {
			calls++
			<-ctx.Done()
			return 0, ctx.Err()
		})
		e := exhausted(t, err)
		if calls != 1 || e.Attempts != 1 || e.Stopped != context.Canceled || !e.MayBeApplied {
			t.Errorf("%d calls, %+v, want one, stopped by the caller, maybe applied", calls, e)
		}
	})
}

func TestCallerCancelsAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		fn, calls := failing(unavailable())
		start := time.Now()
		_, err := policy.Read(ctx, newPolicy(t), fn)
		if took := time.Since(start); took != 100*time.Millisecond {
			t.Errorf("took %v, want 100ms", took)
		}
		var status *policy.StatusError
		if *calls != 1 || !errors.Is(err, context.Canceled) || !errors.As(err, &status) {
			t.Errorf("%d calls, %v, want one, the cancellation and the cause", *calls, err)
		}
	})
}

// The function sees the earlier one of the two limits.
func TestDeadlineOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for callers, want := range map[time.Duration]time.Duration{2 * time.Second: 2 * time.Second, time.Minute: 5 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), callers)
			_, err := policy.NoRetry(ctx, newPolicy(t), func(ctx context.Context) (int, error) {
				if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != want {
					t.Errorf("deadline in %v, want %v", time.Until(deadline), want)
				}
				return 0, nil
			})
			if err != nil {
				t.Error(err)
			}
			cancel()
		}
	})
}

// A call doesn't wait for an attempt that the caller's deadline rules out.
func TestDeadlineWithinThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		fn, calls := failing(unavailable())
		start := time.Now()
		_, err := policy.Read(ctx, newPolicy(t), fn)
		if took := time.Since(start); took != 0 || *calls != 1 || !errors.Is(err, policy.ErrDeadline) {
			t.Errorf("%d calls in %v, %v, want one at once and ErrDeadline", *calls, took, err)
		}
	})
}

func TestCallerGoneBeforehand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fn, calls := failing(nil)
	p := newPolicy(t)
	for range 100 { // a free place in the bulkhead must not decide
		_, err := policy.Read(ctx, p, fn)
		var down *policy.UnavailableError
		if *calls != 0 || !errors.As(err, &down) || down.Reason != policy.CallerGone || !errors.Is(err, context.Canceled) {
			t.Fatalf("%d calls, %v, want none and %s", *calls, err, policy.CallerGone)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	throttled := func(status int, after time.Duration) error {
		return &policy.StatusError{StatusCode: status, RetryAfter: after}
	}
	yes := func(s *policy.Settings) { s.RetryThrottled = true }
	no := func(*policy.Settings) {}
	for _, test := range []struct {
		name  string
		set   func(*policy.Settings)
		err   error
		calls int
		took  time.Duration
	}{
		{"429 is permanent by default", no, throttled(429, time.Second), 1, 0},
		{"503 that says when is left alone by default", no, throttled(503, time.Second), 1, 0},
		{"429 inside the window", yes, throttled(429, 3*time.Second), 3, 6 * time.Second},
		{"503 inside the window", yes, throttled(503, 2*time.Second), 3, 4 * time.Second},
		{"second pause would leave the window", yes, throttled(429, 4*time.Second), 2, 4 * time.Second},
		{"outside the window", yes, throttled(503, time.Minute), 1, 0},
		{"429 that does not say when", yes, throttled(429, 0), 1, 0},
		{"marked permanent", yes, policy.Permanent(throttled(429, time.Second)), 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fn, calls := failing(test.err)
				start := time.Now()
				_, err := policy.Read(t.Context(), newPolicy(t, test.set), fn)
				if took := time.Since(start); *calls != test.calls || took != test.took || !errors.Is(err, test.err) {
					t.Errorf("%d calls in %v (%v), want %d in %v", *calls, took, err, test.calls, test.took)
				}
			})
		})
	}
}
