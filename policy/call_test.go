package policy_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/policy"
)

func TestKeyedSendsOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := policy.DeriveKey("shop/register-payment", "order-1")
		var given []policy.Key
		_, err := policy.Keyed(t.Context(), newPolicy(t), key, func(ctx context.Context, k policy.Key) (int, error) {
			if found, ok := policy.KeyFrom(ctx); !ok || found != k {
				t.Errorf("KeyFrom is %v, %v, want %v", found, ok, k)
			}
			given = append(given, k)
			return 0, unavailable()
		})
		if len(given) != 3 || given[0] != key || given[1] != key || given[2] != key {
			t.Errorf("keys %v, want three times %v", given, key)
		}
		if !policy.MayBeApplied(err) {
			t.Error("three answers 503 may hide an applied write")
		}
	})
}

func TestKeyedRunsOnceWithoutAPromise(t *testing.T) {
	p := newPolicy(t, func(s *policy.Settings) { s.Writes = policy.Dedup{Header: "X-Request-Key"} })
	calls := 0
	_, err := policy.Keyed(t.Context(), p, policy.NewKey(), func(context.Context, policy.Key) (int, error) { calls++; return 0, unavailable() })
	if e := exhausted(t, err); calls != 1 || e.Attempts != 1 || !e.MayBeApplied {
		t.Errorf("%d calls, %+v, want one that may be applied", calls, e)
	}
}

func TestEmptyKeySendsNothing(t *testing.T) {
	calls := 0
	_, err := policy.Keyed(t.Context(), newPolicy(t), policy.DeriveKey("shop/pay", ""), func(context.Context, policy.Key) (int, error) { calls++; return 0, nil })
	if calls != 0 || !errors.Is(err, policy.ErrEmptyKey) || policy.MayBeApplied(err) {
		t.Errorf("%d calls, %v, want none and ErrEmptyKey", calls, err)
	}
}

func TestNoRetryRunsOnce(t *testing.T) {
	fn, calls := failing(unavailable())
	_, err := policy.NoRetry(t.Context(), newPolicy(t), fn)
	if e := exhausted(t, err); *calls != 1 || e.Attempts != 1 || !e.MayBeApplied || e.Stopped != nil {
		t.Errorf("%d calls, %+v, want one that may be applied", *calls, e)
	}
}

// A first attempt that fails for good is the function's own affair.
func TestPermanentErrorIsUntouched(t *testing.T) {
	notFound := errors.New("no such order")
	for name, err := range map[string]error{
		"unknown": notFound,
		"4xx":     &policy.StatusError{StatusCode: 422},
		"marked":  policy.Permanent(unavailable()),
	} {
		fn, calls := failing(err)
		if _, got := policy.Read(t.Context(), newPolicy(t), fn); got != err || *calls != 1 {
			t.Errorf("%s: %v after %d calls, want the error itself after one", name, got, *calls)
		}
	}
}

// A refusal does not undo what the attempt before it may have done.
// A pause that the system asks for uses up the room of those that follow: no
// attempt begins after Window, and no key is sent when it may be forgotten.
func TestThrottledPausesStayWithinTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) {
			s.Attempts, s.RetryThrottled = 5, true
		})
		began, calls := time.Now(), 0
		_, err := policy.Keyed(t.Context(), p, policy.NewKey(), func(context.Context, policy.Key) (int, error) {
			if calls++; calls == 1 {
				return 0, &policy.StatusError{StatusCode: 429, RetryAfter: 7 * time.Second}
			}
			return 0, &policy.StatusError{StatusCode: 502}
		})
		exhausted(t, err)
		if slept := time.Since(began); slept > 7500*time.Millisecond || calls < 2 {
			t.Errorf("%d calls with pauses of %v, want at least 2 within 7.5s", calls, slept)
		}
	})
}

func TestKeyIsNotSentAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Writes.KeepsKeysFor = 17 * time.Second })
		calls := 0
		_, err := policy.Keyed(t.Context(), p, policy.NewKey(), func(context.Context, policy.Key) (int, error) {
			calls++
			time.Sleep(30 * time.Second) // whatever its context says
			return 0, &policy.StatusError{StatusCode: 502}
		})
		if e := exhausted(t, err); calls != 1 || e.Stopped != policy.ErrKeyForgotten || !e.MayBeApplied {
			t.Errorf("%d calls, %+v, want one, stopped by the key's age", calls, e)
		}
	})
}

// Another system that is down says nothing of the write around the call to it.
func TestUnavailableWithinAWrite(t *testing.T) {
	rates := newPolicy(t, func(s *policy.Settings) { s.System = "rates" })
	open(t, rates)
	inside := func(ctx context.Context) (int, error) {
		return policy.Read(ctx, rates, func(context.Context) (int, error) { return 1, nil })
	}
	bank := newPolicy(t)
	_, err := policy.Keyed(t.Context(), bank, policy.NewKey(), func(ctx context.Context, _ policy.Key) (int, error) { return inside(ctx) })
	if e := exhausted(t, err); !e.MayBeApplied || errors.Is(err, policy.ErrUnavailable) || !errors.Is(err, policy.ErrBreakerOpen) {
		t.Errorf("Keyed: %v, want a write that may be applied, not one of which nothing was sent", err)
	}
	_, err = policy.NoRetry(t.Context(), bank, inside)
	if !policy.MayBeApplied(err) {
		t.Errorf("NoRetry: %v, want one that may be applied", err)
	}
	_, err = policy.Read(t.Context(), bank, inside)
	if !errors.Is(err, policy.ErrUnavailable) || policy.MayBeApplied(err) {
		t.Errorf("Read: %v, want unavailable", err)
	}
}

func TestMayBeAppliedOfJoinedErrors(t *testing.T) {
	lost := &policy.StatusError{StatusCode: 502}
	down := &policy.UnavailableError{System: "sber", Cause: policy.ErrBreakerOpen}
	read := &policy.ExhaustedError{System: "sber", Attempts: 1, Last: lost}
	write := &policy.ExhaustedError{System: "sber", Attempts: 1, Last: lost, MayBeApplied: true}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{errors.Join(lost, down), true},
		{errors.Join(down, lost), true},
		{errors.Join(read, write), true},
		{errors.Join(read, down), false},
		{fmt.Errorf("%w: %w", errors.New("payment failed"), down), false},
		{fmt.Errorf("pay: %w", errors.Join(down, fmt.Errorf("log: %w", lost))), true},
	} {
		if got := policy.MayBeApplied(c.err); got != c.want {
			t.Errorf("%v: may be applied %v, want %v", c.err, got, c.want)
		}
	}
}

func TestMayBeAppliedAddsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		_, err := policy.Keyed(t.Context(), newPolicy(t), policy.NewKey(), func(context.Context, policy.Key) (int, error) {
			if calls++; calls == 1 {
				return 0, &policy.StatusError{StatusCode: 502}
			}
			return 0, &policy.StatusError{StatusCode: 400}
		})
		e := exhausted(t, err)
		if calls != 2 || !e.MayBeApplied || !policy.MayBeApplied(err) {
			t.Errorf("%d calls, %+v, want two that may be applied", calls, e)
		}
		var status *policy.StatusError
		if !errors.As(err, &status) || status.StatusCode != 400 || !errors.Is(err, policy.ErrExhausted) {
			t.Errorf("%v does not show its last answer", err)
		}
	})
}

func TestReadIsNeverApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fn, _ := failing(unavailable())
		if _, err := policy.Read(t.Context(), newPolicy(t), fn); policy.MayBeApplied(err) {
			t.Errorf("%v, of a read", err)
		}
	})
}

// Unless a write runs inside of it.
func TestReadAroundAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, bank := newPolicy(t), newPolicy(t, func(s *policy.Settings) { s.System = "bank" })
		for _, inner := range []*policy.Policy{outer, bank} {
			writes := 0
			_, err := policy.Read(t.Context(), outer, func(ctx context.Context) (int, error) {
				_, _ = policy.Keyed(ctx, inner, policy.DeriveKey("test", "1"), func(context.Context, policy.Key) (int, error) { writes++; return 0, nil })
				return 0, unavailable()
			})
			if e := exhausted(t, err); !e.MayBeApplied || writes != 3 || e.Attempts != 3 {
				t.Errorf("%d keyed writes in %+v, want three attempts that may be applied", writes, e)
			}
		}
	})
}

func TestTransientNarrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := newPolicy(t, func(s *policy.Settings) { s.Transient = func(error) bool { return false } })
		fn, calls := failing(unavailable())
		_, _ = policy.Read(t.Context(), never, fn)
		if *calls != 1 {
			t.Errorf("narrowed away, yet %d calls", *calls)
		}
		always := newPolicy(t, func(s *policy.Settings) { s.Transient = func(error) bool { return true } })
		fn, calls = failing(&policy.StatusError{StatusCode: 400})
		_, _ = policy.Read(t.Context(), always, fn)
		if *calls != 1 {
			t.Errorf("widened: a 400 was sent %d times", *calls)
		}
	})
}

// The same policy inside itself passes through: three attempts, not nine, and one
// place in the bulkhead.
func TestAttemptsNeverMultiply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Bulkhead = 1 })
		calls := 0
		_, err := policy.Read(t.Context(), p, func(ctx context.Context) (int, error) {
			return policy.Read(ctx, p, func(ctx context.Context) (int, error) { calls++; return 0, unavailable() })
		})
		if e := exhausted(t, err); calls != 3 || e.Attempts != 3 {
			t.Errorf("%d calls, %d attempts, want 3", calls, e.Attempts)
		}
	})
}

// Two systems in a row: what the inner policy has repeated, the outer does not.
func TestOtherPolicyInside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, inner := newPolicy(t), newPolicy(t, func(s *policy.Settings) { s.System = "bank" })
		calls := 0
		_, err := policy.Read(t.Context(), outer, func(ctx context.Context) (int, error) {
			return policy.Read(ctx, inner, func(context.Context) (int, error) { calls++; return 0, unavailable() })
		})
		if e := exhausted(t, err); calls != 3 || e.System != "bank" {
			t.Errorf("%d calls, %v, want 3 and bank's error", calls, err)
		}
	})
}

// A write without a key keeps every call around it from being repeated.
func TestWriteInsideARead(t *testing.T) {
	for name, same := range map[string]bool{"same policy": true, "another policy": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				outer := newPolicy(t)
				inner := outer
				if !same {
					inner = newPolicy(t, func(s *policy.Settings) { s.System = "bank" })
				}
				writes := 0
				_, err := policy.Read(t.Context(), outer, func(ctx context.Context) (int, error) {
					if _, err := policy.NoRetry(ctx, inner, func(context.Context) (int, error) { writes++; return 0, nil }); err != nil {
						t.Error(err)
					}
					return 0, unavailable()
				})
				if e := exhausted(t, err); writes != 1 || e.Attempts != 1 {
					t.Errorf("written %d times in %d attempts, want once", writes, e.Attempts)
				}
			})
		})
	}
}

func TestKeyStaysWithItsCall(t *testing.T) {
	p, other := newPolicy(t), newPolicy(t, func(s *policy.Settings) { s.System = "bank" })
	if _, ok := policy.KeyFrom(t.Context()); ok {
		t.Error("a key outside of any call")
	}
	_, err := policy.Keyed(t.Context(), p, policy.NewKey(), func(ctx context.Context, outer policy.Key) (int, error) {
		for _, inner := range []*policy.Policy{p, other} {
			_, _ = policy.NoRetry(ctx, inner, func(ctx context.Context) (int, error) {
				if k, ok := policy.KeyFrom(ctx); ok {
					t.Errorf("another request would be sent with key %v", k)
				}
				return 0, nil
			})
			mine := policy.NewKey()
			_, _ = policy.Keyed(ctx, inner, mine, func(ctx context.Context, _ policy.Key) (int, error) {
				if k, _ := policy.KeyFrom(ctx); k != mine {
					t.Errorf("key %v, want %v", k, mine)
				}
				return 0, nil
			})
		}
		return 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A goroutine that outlives its call is protected like any other.
func TestContextOutlivesItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t)
		var kept context.Context
		_, _ = policy.Read(t.Context(), p, func(ctx context.Context) (int, error) {
			kept = context.WithoutCancel(ctx)
			return 0, nil
		})
		fn, calls := failing(unavailable())
		if _, err := policy.Read(kept, p, fn); *calls != 3 {
			t.Errorf("%d calls, %v, want 3", *calls, err)
		}
	})
}

func TestManyCallsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Bulkhead = 100; s.Breaker.Calls = 1e6 })
		var group sync.WaitGroup
		for i := range 100 {
			group.Go(func() {
				calls := 0
				got, err := policy.Read(t.Context(), p, func(context.Context) (int, error) {
					calls++
					time.Sleep(time.Millisecond)
					if calls < 3 {
						return 0, unavailable()
					}
					return i, nil
				})
				if got != i || err != nil || calls != 3 {
					t.Errorf("call %d: %d, %v after %d calls", i, got, err, calls)
				}
			})
		}
		group.Wait()
		if s := p.State(); s.Running != 0 {
			t.Errorf("%d attempts left running", s.Running)
		}
	})
}

// A finished call leaves no goroutine behind: synctest.Test waits for all that
// were started in its bubble, and fails when one stays blocked.
func TestNothingIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolicy(t, func(s *policy.Settings) { s.Breaker.Calls = 1e6 })
		for range 50 {
			fn, _ := failing(unavailable())
			_, _ = policy.Read(t.Context(), p, fn)
			_, _ = policy.Read(t.Context(), p, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		}
	})
}

func TestWithFallback(t *testing.T) {
	p := newPolicy(t)
	open(t, p)
	read := func(ctx context.Context) (string, error) {
		return policy.Read(ctx, p, func(context.Context) (string, error) { return "fresh", nil })
	}
	got, err := policy.WithFallback(t.Context(), read, func(_ context.Context, err error) (string, error) {
		var down *policy.UnavailableError
		if errors.As(err, &down) && down.Reason == policy.BreakerOpen {
			return "cached", nil
		}
		return "", err
	})
	if got != "cached" || err != nil {
		t.Errorf("got %q, %v, want cached", got, err)
	}
	got, err = policy.WithFallback(t.Context(), func(context.Context) (string, error) { return "fresh", nil },
		func(context.Context, error) (string, error) { t.Error("fallback of a success"); return "", nil })
	if got != "fresh" || err != nil {
		t.Errorf("got %q, %v, want fresh", got, err)
	}
}
