package engine

import (
	"fmt"
	"strings"
	"time"

	"github.com/resilint/resilint/internal/finding"
	"github.com/resilint/resilint/internal/retry"
)

// attempts is the range of attempts over all policies, nil when one of them is
// not known.
func (s *Site) attempts() *finding.Attempts {
	var out *finding.Attempts
	for _, sched := range s.Schedules() {
		if sched.Why != "" {
			return nil
		}
		if out == nil {
			out = &finding.Attempts{Min: sched.Attempts, Max: sched.Attempts}
		}
		out.Unbounded = out.Unbounded || sched.Unbounded
		out.Min, out.Max = min(out.Min, sched.Attempts), max(out.Max, sched.Attempts)
	}
	if out != nil {
		out.Default = s.All(func(p *retry.Policy, _ retry.Schedule) bool {
			set, ok := p.Get("attempts")
			return !ok || set.Default
		})
	}
	return out
}

// A Window is the longest time that a site waits, and lasts.
type Window struct {
	Sleep, Total string // Go durations, "unbounded" or "unknown"
}

// Window is the worst over all policies; ok is false when one is not known.
func (s *Site) Window() (w Window, ok bool) {
	var sleep, total time.Duration
	totalKnown := true
	for i, sched := range s.Schedules() {
		if sched.SleepWhy != "" {
			return w, false
		}
		if sched.Unbounded {
			return Window{"unbounded", "unbounded"}, true
		}
		sleep = max(sleep, sched.Sleep)
		t, known := TotalWindow(s.Policies[i], sched)
		totalKnown = totalKnown && known
		total = max(total, t)
	}
	w = Window{Sleep: Duration(sleep), Total: "unknown"}
	if totalKnown {
		w.Total = Duration(total)
	}
	return w, true
}

// TotalWindow is the sleep window and the longest time that all attempts take,
// when a timeout bounds each.
func TotalWindow(p *retry.Policy, s retry.Schedule) (time.Duration, bool) {
	t, ok := p.Get("timeout")
	if !ok || !t.Known() || t.Word != "" || t.Number <= 0 || s.SleepWhy != "" || s.Why != "" || s.Unbounded {
		return 0, false
	}
	total := s.Sleep + time.Duration(s.Attempts)*time.Duration(t.Number)
	if d, ok := p.Get("deadline"); ok && d.Known() {
		total = min(total, time.Duration(d.Number))
	}
	return total, true
}

// Outlasts reports whether each policy may send again after d, and says for how
// long: "for up to 26h0m0s". How long attempts take counts where it is known.
func (s *Site) Outlasts(d time.Duration) (during string, ok bool) {
	var longest time.Duration
	endless := false
	ok = s.All(func(p *retry.Policy, sched retry.Schedule) bool {
		if sched.Why == "" && sched.Unbounded {
			endless = true
			return true
		}
		window, known := TotalWindow(p, sched)
		if !known && sched.SleepWhy == "" {
			window = sched.Sleep
		}
		longest = max(longest, window)
		return window >= d
	})
	if endless {
		return "without end", ok
	}
	return "for up to " + Duration(longest), ok
}

// Duration writes d as Go does, without more digits than a reader needs.
func Duration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Truncate(100 * time.Millisecond)
	case d >= time.Second:
		d = d.Truncate(10 * time.Millisecond)
	case d >= time.Millisecond:
		d = d.Truncate(10 * time.Microsecond)
	}
	return d.String()
}

// Count writes the attempts of all policies: "10 attempts", "6 to 10 attempts".
func (s *Site) Count() string {
	a := s.attempts()
	switch {
	case a == nil:
		return "attempts"
	case a.Unbounded:
		return "unlimited attempts"
	case a.Min != a.Max:
		return fmt.Sprintf("%d to %d attempts", a.Min, a.Max)
	}
	return fmt.Sprintf("%d attempts", a.Max)
}

// Waits writes the first waits of the longest policy: "1s, 2s, 4s".
func (s *Site) Waits() string {
	const shown = 4
	scheds := s.Schedules()
	longest := scheds[0]
	for _, other := range scheds {
		if other.Sleep > longest.Sleep {
			longest = other
		}
	}
	var parts []string
	for i, w := range longest.Waits {
		if i == shown {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, Duration(w))
	}
	return strings.Join(parts, ", ")
}

// Typical is the longest of the policies' sums of waits with mean jitter, zero
// when one is not known.
func (s *Site) Typical() (longest time.Duration) {
	for _, sched := range s.Schedules() {
		if sched.SleepWhy != "" || sched.Unbounded {
			return 0
		}
		longest = max(longest, sched.Typical)
	}
	return longest
}

// Sleep is the longest sleep window over all policies, ok when all are known
// and bounded.
func (s *Site) Sleep() (longest time.Duration, ok bool) {
	for _, sched := range s.Schedules() {
		if sched.SleepWhy != "" || sched.Unbounded && sched.Endless {
			return 0, false
		}
		longest = max(longest, sched.Sleep)
	}
	return longest, true
}
