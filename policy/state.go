package policy

import (
	"encoding/json"
	"net/http"
	"time"
)

// State is what a policy does at one moment.
type State struct {
	System   string
	Required bool
	// Breaker stays Open after its time until a call comes to be the probe.
	Breaker BreakerState
	// ProbeIn is the time until an open breaker lets a probe through; zero when
	// it would now, or is not open.
	ProbeIn time.Duration
	// Running is the number of attempts in the bulkhead.
	Running int
	// Bulkhead is the number of attempts that may run at once.
	Bulkhead int
}

// State returns the policy's present state.
func (p *Policy) State() State {
	state, probeIn := p.breaker.now()
	return State{
		System:   p.settings.System,
		Required: p.settings.Required,
		Breaker:  state,
		ProbeIn:  probeIn,
		Running:  int(p.running.Load()),
		Bulkhead: p.settings.Bulkhead,
	}
}

// Readiness reports the breakers that are not closed:
//
//	{"ready":true,"systems":[{"system":"sber","breaker":"open","probe_in":"12s"}]}
//
// It answers 200, since a service that has lost one system can often do the rest
// of its work, and restarting it helps nobody. It answers 503 while a system
// marked Required is open and its breaker would refuse a probe; from then on it
// answers 200 again, because a service without traffic never sends the probe.
func Readiness(policies ...*Policy) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := readiness{Ready: true, Systems: []systemState{}}
		for _, p := range policies {
			s := p.State()
			if s.Breaker == Closed {
				continue
			}
			if s.Required && s.ProbeIn > 0 {
				body.Ready = false
			}
			body.Systems = append(body.Systems, systemState{s.System, s.Breaker, s.ProbeIn.Round(time.Second).String(), s.Required})
		}
		w.Header().Set("Content-Type", "application/json")
		if !body.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(body) // the prober hung up: nobody to tell
	})
}

type readiness struct {
	Ready   bool          `json:"ready"`
	Systems []systemState `json:"systems"`
}

type systemState struct {
	System   string       `json:"system"`
	Breaker  BreakerState `json:"breaker"`
	ProbeIn  string       `json:"probe_in"`
	Required bool         `json:"required,omitempty"`
}
