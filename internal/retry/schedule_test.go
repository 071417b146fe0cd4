package retry

import (
	"strings"
	"testing"
	"time"
)

// policyOf reads settings as a model writes them: "attempts=4 initial=500ms".
func policyOf(t *testing.T, text string) *Policy {
	t.Helper()
	p := newPolicy()
	for _, field := range strings.Fields(text) {
		name, val, ok := strings.Cut(field, "=")
		if !ok {
			t.Fatalf("no setting: %q", field)
		}
		s := literal(val)
		switch {
		case val == "?":
			s = Setting{Unknown: "not known here"}
		case name == "delays":
			s = Setting{}
			for part := range strings.SplitSeq(val, ",") {
				s.List = append(s.List, literal(part).Number)
			}
		}
		p.set(name, s)
	}
	return p
}

// TestSchedules runs policies by shape, cap, jitter and rule of the time limit:
// attempts, shape, worst sum of waits and sum with mean jitter.
func TestSchedules(t *testing.T) {
	const (
		unbounded = -1
		unknown   = -2
	)
	for _, c := range []struct {
		name, policy string
		attempts     int
		backoff      string
		sleep, mean  time.Duration
	}{
		{"none", "attempts=3 backoff=none", 3, "none", 0, 0},
		{"one attempt", "attempts=1 backoff=exponential initial=1s", 1, "exponential", 0, 0},
		{"never", "attempts=never backoff=exponential initial=1s", 0, "exponential", 0, 0},
		{"constant", "attempts=3 backoff=constant initial=1s", 3, "constant", 2 * time.Second, 2 * time.Second},
		{"constant of zero", "attempts=3 backoff=constant initial=0s", 3, "none", 0, 0},
		{"linear", "attempts=4 backoff=linear initial=1s", 4, "linear", 6 * time.Second, 6 * time.Second},
		{"linear by a step", "attempts=4 backoff=linear initial=1s step=500ms", 4, "linear", 4500 * time.Millisecond, 4500 * time.Millisecond},
		{"fibonacci", "attempts=6 backoff=fibonacci initial=1s", 6, "exponential", 12 * time.Second, 12 * time.Second},
		{"exponential", "attempts=4 backoff=exponential initial=1s multiplier=3", 4, "exponential", 13 * time.Second, 13 * time.Second},
		{"exponential doubles unless told otherwise", "attempts=4 backoff=exponential initial=1s", 4, "exponential", 7 * time.Second, 7 * time.Second},
		{"exponential by one", "attempts=4 backoff=exponential initial=1s multiplier=1", 4, "constant", 3 * time.Second, 3 * time.Second},
		{"exponential from its cap", "attempts=4 backoff=exponential initial=1s max=1s", 4, "constant", 3 * time.Second, 3 * time.Second},
		{"formula", "attempts=4 backoff=exponential initial=100ms delay=initial*pow(2,n+1)", 4, "exponential", 1400 * time.Millisecond, 1400 * time.Millisecond},

		{"cap", "attempts=5 backoff=exponential initial=1s max=3s", 5, "exponential", 9 * time.Second, 9 * time.Second},
		{"no cap", "attempts=5 backoff=exponential initial=1s max=uncapped", 5, "exponential", 15 * time.Second, 15 * time.Second},
		{"cap before jitter", "attempts=3 backoff=exponential initial=1s max=1500ms jitter=additive jitter_amount=1s", 3, "exponential+jitter", 4500 * time.Millisecond, 3500 * time.Millisecond},
		{"cap after jitter", "attempts=3 backoff=exponential initial=1s max=1500ms jitter=additive jitter_amount=1s cap=after-jitter", 3, "exponential+jitter", 3 * time.Second, 3 * time.Second},
		{"cap ends the attempts", "attempts=10 backoff=exponential initial=1s max=4s cap_ends=true", 3, "exponential", 7 * time.Second, 7 * time.Second},

		{"full jitter", "attempts=3 backoff=exponential initial=1s jitter=full", 3, "exponential+jitter", 3 * time.Second, 1500 * time.Millisecond},
		{"half jitter", "attempts=3 backoff=exponential initial=1s jitter=half", 3, "exponential+jitter", 3 * time.Second, 2250 * time.Millisecond},
		{"additive jitter", "attempts=3 backoff=exponential initial=1s jitter=additive jitter_amount=100ms", 3, "exponential+jitter", 3200 * time.Millisecond, 3100 * time.Millisecond},
		{"additive jitter of a range", "attempts=3 backoff=none jitter=additive jitter_from=100ms jitter_amount=300ms", 3, "constant+jitter", 600 * time.Millisecond, 400 * time.Millisecond},
		{"spread", "attempts=3 backoff=exponential initial=1s jitter=spread jitter_amount=100ms", 3, "exponential+jitter", 3200 * time.Millisecond, 3 * time.Second},
		{"factor", "attempts=3 backoff=exponential initial=1s jitter=factor jitter_amount=0.5", 3, "exponential+jitter", 4500 * time.Millisecond, 3 * time.Second},
		{"fraction", "attempts=3 backoff=exponential initial=1s jitter=fraction jitter_amount=0.5", 3, "exponential+jitter", 4500 * time.Millisecond, 3750 * time.Millisecond},
		{"factor of zero", "attempts=3 backoff=exponential initial=1s jitter=factor jitter_amount=0", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"constant with jitter", "attempts=3 backoff=constant initial=1s jitter=factor jitter_amount=0.1", 3, "constant+jitter", 2200 * time.Millisecond, 2 * time.Second},

		{"list", "attempts=4 backoff=custom delays=100ms,200ms,1s", 4, "exponential", 1300 * time.Millisecond, 1300 * time.Millisecond},
		{"list that says how many", "delays=100ms,100ms", 3, "constant", 200 * time.Millisecond, 200 * time.Millisecond},
		{"list shorter than the attempts", "attempts=5 delays=100ms,1s", 5, "exponential", 3100 * time.Millisecond, 3100 * time.Millisecond},
		{"list that grows slowly", "attempts=4 delays=100ms,110ms,120ms", 4, "linear", 330 * time.Millisecond, 330 * time.Millisecond},
		{"list that falls", "attempts=3 delays=1s,100ms", 3, "custom", 1100 * time.Millisecond, 1100 * time.Millisecond},

		{"no limit", "attempts=unbounded backoff=exponential initial=1s", unbounded, "exponential", 0, 0},
		{"time limit checked with the wait", "attempts=unbounded backoff=exponential initial=1s elapsed=6s elapsed_rule=before", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"time limit checked without the wait", "attempts=unbounded backoff=exponential initial=1s elapsed=6s elapsed_rule=after", 4, "exponential", 7 * time.Second, 7 * time.Second},
		{"time limit that cuts the wait", "attempts=unbounded backoff=exponential initial=1s elapsed=6s elapsed_rule=truncate", 4, "exponential", 6 * time.Second, 6 * time.Second},
		{"time limit that ends the wait", "attempts=unbounded backoff=exponential initial=1s elapsed=6s elapsed_rule=cut", 3, "exponential", 6 * time.Second, 6 * time.Second},
		{"time limit met exactly", "attempts=unbounded backoff=exponential initial=1s elapsed=7s elapsed_rule=before", 4, "exponential", 7 * time.Second, 7 * time.Second},
		{"count before time", "attempts=3 backoff=exponential initial=1s elapsed=1m elapsed_rule=before", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"time before count", "attempts=20 backoff=exponential initial=1s elapsed=6s elapsed_rule=before", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"time limit with jitter", "attempts=unbounded backoff=exponential initial=1s jitter=full elapsed=6s elapsed_rule=before", 4, "exponential+jitter", 6 * time.Second, 6 * time.Second},
		{"time limit of a long first wait", "attempts=unbounded backoff=constant initial=10s elapsed=9s elapsed_rule=before", 1, "constant", 0, 0},

		{"deadline", "attempts=unbounded backoff=exponential initial=1s deadline=6s", 3, "exponential", 6 * time.Second, 6 * time.Second},
		{"deadline before the count", "attempts=10 backoff=constant initial=1s deadline=2500ms", 3, "constant", 2500 * time.Millisecond, 2500 * time.Millisecond},
		{"deadline after the count", "attempts=3 backoff=constant initial=1s deadline=1m", 3, "constant", 2 * time.Second, 2 * time.Second},
		{"deadline before the time limit", "attempts=unbounded backoff=exponential initial=1s elapsed=1m elapsed_rule=before deadline=6s", 3, "exponential", 6 * time.Second, 6 * time.Second},
		{"deadline not known", "attempts=unbounded backoff=exponential initial=1s deadline=?", unknown, "exponential", -1, 0},
		{"deadline not known, count is", "attempts=3 backoff=exponential initial=1s deadline=?", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"deadline, waits not known", "attempts=unbounded backoff=exponential initial=? deadline=6s", unknown, "exponential", 6 * time.Second, 0},
		{"deadline, attempts not known", "attempts=? backoff=exponential initial=1s elapsed=5s elapsed_rule=before deadline=2s", unknown, "exponential", 2 * time.Second, 0},

		{"time limit switched off", "attempts=unbounded backoff=exponential initial=1s elapsed=uncapped", unbounded, "exponential", 0, 0},

		{"attempts not known", "attempts=? backoff=exponential initial=1s", unknown, "exponential", -1, 0},
		{"attempts not known within a time limit", "attempts=? backoff=exponential initial=1s elapsed=5s elapsed_rule=before", unknown, "exponential", 5 * time.Second, 0},
		{"waits not known", "attempts=3 backoff=exponential initial=?", 3, "exponential", -1, 0},
		{"waits not known, one attempt", "attempts=1 backoff=exponential initial=?", 1, "exponential", 0, 0},
		{"shape not known", "attempts=3 backoff=? initial=1s", 3, "unknown", -1, 0},
		{"jitter not known", "attempts=3 backoff=exponential initial=1s jitter=?", 3, "unknown", -1, 0},
		{"cap not known", "attempts=3 backoff=exponential initial=1s max=?", 3, "exponential", -1, 0},
		{"time limit not known", "attempts=unbounded backoff=exponential initial=1s elapsed=?", unknown, "exponential", -1, 0},
		{"time limit not known, count is", "attempts=3 backoff=exponential initial=1s elapsed=?", 3, "exponential", 3 * time.Second, 3 * time.Second},
		{"largest count", "attempts=4294967295 backoff=exponential initial=1s", unbounded, "exponential", 0, 0},
		{"many attempts of a long wait overflow nothing", "attempts=1000 backoff=exponential initial=1h", 1000, "exponential", 1<<63 - 1, 1<<63 - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := policyOf(t, c.policy).simulate()
			attempts := s.Attempts
			switch {
			case s.Why != "":
				attempts = unknown
			case s.Unbounded:
				attempts = unbounded
			}
			if attempts != c.attempts {
				t.Errorf("%d attempts, want %d (%s)", attempts, c.attempts, s.Why)
			}
			if s.Backoff != c.backoff {
				t.Errorf("backoff %s, want %s", s.Backoff, c.backoff)
			}
			if s.Unbounded {
				return
			}
			if (s.SleepWhy != "") != (c.sleep < 0) {
				t.Errorf("sleep %s (%s), want %s", s.Sleep, s.SleepWhy, c.sleep)
			}
			if s.SleepWhy == "" && s.Sleep != c.sleep {
				t.Errorf("sleeps %s, want %s", s.Sleep, c.sleep)
			}
			if s.SleepWhy == "" && s.Typical != c.mean {
				t.Errorf("sleeps %s with mean jitter, want %s", s.Typical, c.mean)
			}
		})
	}
}
