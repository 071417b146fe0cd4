package policy_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
)

func TestZeroValuesAreTheGuides(t *testing.T) {
	p, err := policy.New(policy.Settings{System: "sber"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "sber: retry 3 attempts, pauses 500ms 1s less up to half > breaker 0.5 of 50 calls, open 30s, 1 probe" +
		" > bulkhead 8 > timeout 5s; pauses up to 1.5s, lasts up to 16.5s; writes run once"
	if got := p.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := p.Window(); got != 16500*time.Millisecond {
		t.Errorf("window %v, want 16.5s", got)
	}
}

func TestString(t *testing.T) {
	for want, s := range map[string]policy.Settings{
		"bank: 1 attempt > breaker 0.25 of 20 calls, open 10s, 1 probe > bulkhead 2 > timeout 1m0s; pauses up to 0s, lasts up to 1m0s; writes run once; required": {
			System: "bank", Attempts: 1, Timeout: time.Minute, Bulkhead: 2, Required: true,
			Breaker: policy.Breaker{FailureRatio: 0.25, Calls: 20, OpenFor: 10 * time.Second},
		},
		"bank: retry 2 attempts, pauses 200ms less up to half or Retry-After > breaker 0.5 of 50 calls, open 30s, 1 probe > bulkhead 8 > timeout 5s; pauses up to 7.5s, lasts up to 17.5s; writes repeat with X-Key, kept 24h0m0s (terms 4.2); transient errors narrowed": {
			System: "bank", Attempts: 2, FirstPause: 200 * time.Millisecond, RetryThrottled: true,
			Transient: policy.IsTransient,
			Writes:    policy.Dedup{Header: "x-key", KeepsKeysFor: 24 * time.Hour, Contract: "terms 4.2"},
		},
	} {
		p, err := policy.New(s)
		if err != nil {
			t.Error(err)
		} else if got := p.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestAcceptedSettings(t *testing.T) {
	for name, s := range map[string]policy.Settings{
		"five attempts at the defaults": {Attempts: 5},
		"a slow system, asked twice":    {Attempts: 2, Timeout: 14 * time.Second},
		"one attempt as long as needed": {Attempts: 1, Timeout: 5 * time.Minute},
		"a key kept just long enough":   {Writes: policy.Dedup{KeepsKeysFor: 16500*time.Millisecond + 1, Contract: "terms"}},
		"a header without a promise":    {Writes: policy.Dedup{Header: "X-Key"}},
	} {
		s.System = "sber"
		if _, err := policy.New(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each refusal names the system, the field and the rule.
func TestRefusedSettings(t *testing.T) {
	for want, s := range map[string]policy.Settings{
		`policy "": System: a policy belongs to one named system (R-RES-RE-2)`: {},
		`policy "sber": Attempts: 6 is more than 5; what needs more belongs into a durable task (R-RES-RE-3)`: {
			System: "sber", Attempts: 6},
		`policy "sber": Attempts: -1 is negative`:                                   {System: "sber", Attempts: -1},
		`policy "sber": FirstPause: 1µs is less than 1ms: a hot loop (R-RES-RE-X3)`: {System: "sber", FirstPause: time.Microsecond},
		`policy "sber": FirstPause: 5 attempts may pause 9s in all, more than 7.5s (R-RES-RE-4)`: {
			System: "sber", Attempts: 5, FirstPause: 600 * time.Millisecond},
		`policy "sber": Timeout: 3 attempts of 10s may last 31.5s, more than 30s; lower it, or queue the task (R-RES-RE-4)`: {
			System: "sber", Timeout: 10 * time.Second},
		`policy "sber": FirstPause: a pause of 1281023h53m38.427387904s is more than all together may last, 7.5s (R-RES-RE-4)`: {
			System: "sber", FirstPause: 1 << 62},
		`policy "sber": Timeout: 1281023h53m38.427387904s is more than 1h0m0s: give such work to a durable task (R-RES-RE-4)`: {
			System: "sber", Attempts: 4, Timeout: 1 << 62},
		`policy "sber": Timeout: -1s is negative`:                               {System: "sber", Timeout: -time.Second},
		`policy "sber": Breaker.FailureRatio: 1.5 is not above 0 and at most 1`: {System: "sber", Breaker: policy.Breaker{FailureRatio: 1.5}},
		`policy "sber": Breaker.Calls: -1 is negative`:                          {System: "sber", Breaker: policy.Breaker{Calls: -1}},
		`policy "sber": Breaker.OpenFor: -1ns is negative`:                      {System: "sber", Breaker: policy.Breaker{OpenFor: -1}},
		`policy "sber": Bulkhead: -8 is negative`:                               {System: "sber", Bulkhead: -8},
		`policy "sber": Writes.Header: "X Key" is not the name of a header`:     {System: "sber", Writes: policy.Dedup{Header: "X Key"}},
		`policy "sber": Writes.KeepsKeysFor: 16.5s is not longer than the 16.5s in which a key may be sent again (R-RES-RE-1)`: {
			System: "sber", Writes: policy.Dedup{KeepsKeysFor: 16500 * time.Millisecond, Contract: "terms"}},
		`policy "sber": Writes.KeepsKeysFor: 20s is not longer than the 22.5s in which a key may be sent again (R-RES-RE-1)`: {
			System: "sber", RetryThrottled: true, Writes: policy.Dedup{KeepsKeysFor: 20 * time.Second, Contract: "terms"}},
		`policy "sber": Writes.Contract: say where the promise is written; without one a keyed write may not be repeated (R-RES-RE-1)`: {
			System: "sber", Writes: policy.Dedup{KeepsKeysFor: time.Hour}},
		`policy "sber": Writes.KeepsKeysFor: say how long terms promises to keep keys (R-RES-RE-1)`: {
			System: "sber", Writes: policy.Dedup{Contract: "terms"}},
		"policy \"sber\": Attempts: 9 is more than 5; what needs more belongs into a durable task (R-RES-RE-3)\npolicy \"sber\": Bulkhead: -1 is negative": {
			System: "sber", Attempts: 9, Bulkhead: -1},
	} {
		p, err := policy.New(s)
		if err == nil {
			t.Errorf("accepted %v, want %s", p, want)
		} else if err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
}

// What a service links in for this package is failsafe-go (with its bit set), a
// UUID library and the standard library.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".", "./policyhttp").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		switch {
		case strings.HasPrefix(path, "github.com/resilint/resilint/policy"),
			strings.HasPrefix(path, "github.com/failsafe-go/failsafe-go"),
			path == "github.com/bits-and-blooms/bitset",
			path == "github.com/google/uuid":
		default:
			t.Errorf("depends on %s", path)
		}
	}
}
