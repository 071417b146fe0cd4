package policy_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/policy"
)

// diary writes down what an observer is told.
type diary struct {
	name  string
	mu    *sync.Mutex
	lines *[]string
}

type mark struct{}

func (d diary) write(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	*d.lines = append(*d.lines, d.name+" "+fmt.Sprintf(format, args...))
}

func (d diary) AttemptStarted(ctx context.Context, a policy.Attempt) (context.Context, func(error)) {
	d.write("%s attempt %d", a.System, a.Number)
	return context.WithValue(ctx, mark{}, d.name), func(err error) { d.write("end: %v", err) }
}
func (d diary) CallEnded(_ context.Context, r policy.Report) {
	d.write("%s call of %d: %v", r.System, r.Attempts, r.Err)
}
func (d diary) BreakerChanged(c policy.BreakerChange) { d.write("%s %s > %s", c.System, c.From, c.To) }

func TestObservers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var lines []string
		p := newPolicy(t, func(s *policy.Settings) {
			s.Breaker = policy.Breaker{Calls: 2, FailureRatio: 1}
			s.Observers = []policy.Observer{diary{"a", &mu, &lines}, diary{"b", &mu, &lines}}
		})
		down := errors.New("down")
		_, _ = policy.NoRetry(t.Context(), p, func(ctx context.Context) (int, error) {
			if got := ctx.Value(mark{}); got != "b" {
				t.Errorf("the function's context is marked %v, want b", got)
			}
			return 0, down
		})
		_ = once(t, p, down)
		_ = once(t, p, nil)
		time.Sleep(30 * time.Second)
		_ = once(t, p, nil)
		want := []string{
			"a sber attempt 1", "b sber attempt 1", "b end: down", "a end: down", "a sber call of 1: down", "b sber call of 1: down",
			"a sber attempt 1", "b sber attempt 1", "a sber closed > open", "b sber closed > open", "b end: down", "a end: down", "a sber call of 1: down", "b sber call of 1: down",
			"a sber call of 0: sber: nothing was sent: circuit breaker open", "b sber call of 0: sber: nothing was sent: circuit breaker open",
			"a sber open > half-open", "b sber open > half-open",
			"a sber attempt 1", "b sber attempt 1", "a sber half-open > closed", "b sber half-open > closed", "b end: <nil>", "a end: <nil>", "a sber call of 1: <nil>", "b sber call of 1: <nil>",
		}
		if !slices.Equal(lines, want) {
			t.Errorf("got:")
			for _, line := range lines {
				t.Error("  ", line)
			}
		}
	})
}

// An attempt that panics ends for its observers too.
func TestObserversOfAPanic(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	p := newPolicy(t, func(s *policy.Settings) { s.Observers = []policy.Observer{diary{"a", &mu, &lines}} })
	func() {
		defer func() { _ = recover() }()
		_, _ = policy.Read(t.Context(), p, func(context.Context) (int, error) { panic("bug") })
	}()
	if want := []string{"a sber attempt 1", "a end: the function panicked, or ended its goroutine"}; !slices.Equal(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
}

func TestReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sber := newPolicy(t)
		bank := newPolicy(t, func(s *policy.Settings) { s.System = "bank"; s.Required = true })
		handler := policy.Readiness(sber, bank)
		check := func(code int, body string) {
			t.Helper()
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("GET", "/ready", nil))
			if w.Code != code || w.Body.String() != body+"\n" {
				t.Errorf("got  %d %swant %d %s", w.Code, w.Body, code, body)
			}
		}
		check(200, `{"ready":true,"systems":[]}`)
		open(t, sber)
		check(200, `{"ready":true,"systems":[{"system":"sber","breaker":"open","probe_in":"30s"}]}`)
		time.Sleep(10 * time.Second)
		open(t, bank)
		check(503, `{"ready":false,"systems":[{"system":"sber","breaker":"open","probe_in":"20s"},{"system":"bank","breaker":"open","probe_in":"30s","required":true}]}`)
		time.Sleep(30 * time.Second) // traffic has to come back for the probe
		check(200, `{"ready":true,"systems":[{"system":"sber","breaker":"open","probe_in":"0s"},{"system":"bank","breaker":"open","probe_in":"0s","required":true}]}`)
	})
}
