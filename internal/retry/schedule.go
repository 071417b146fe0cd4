package retry

import (
	"fmt"
	"math"
	"time"

	"github.com/resilint/resilint/internal/model"
)

// A Schedule is what a policy comes to: how often it tries, and how long it
// waits at worst between attempts.
type Schedule struct {
	// Attempts includes the first. It is unknown when Why is not empty.
	Attempts  int
	Unbounded bool // neither a count nor a time limits it
	// ByTime says that a time limit, not a count, ends the attempts.
	ByTime bool
	Why    string

	Backoff string // exponential+jitter, ... or unknown
	// Waits are the longest delays before each retry, as many as are known
	// and at most maxWaits.
	Waits []time.Duration
	// Sleep is the sum of the worst-case delays; unknown when SleepWhy is set.
	Sleep    time.Duration
	SleepWhy string
	// Typical is the same sum with mean jitter, zero when it is not known.
	Typical time.Duration
	Endless bool // the sum has no bound
}

// maxRetries bounds a simulation; maxWaits what it remembers.
const (
	maxRetries = 100_000
	maxWaits   = 16
)

// simulate runs the policy against an operation that always fails and takes no
// time: with the largest jitter for the waits, with the mean for the number of
// attempts that a time limit allows.
func (p *Policy) simulate() Schedule {
	p = p.degenerate()
	wait, err := p.waiter()
	s := p.schedule(wait, err)
	if deadline, ok := p.Get("deadline"); ok {
		s.cut(deadline, wait)
	}
	return s
}

// schedule is what the policy comes to by itself; noWaits says why the waits are
// not known.
func (p *Policy) schedule(wait *waiter, noWaits error) Schedule {
	s := Schedule{Backoff: p.backoff()}
	count, countKnown := p.count(&s)
	limit, limited, limitWhy := p.elapsed()

	if noWaits != nil {
		s.SleepWhy = noWaits.Error()
		if !countKnown {
			return s
		}
		s.Attempts = count
		if count <= 1 && count >= 0 {
			s.SleepWhy = ""
		}
		if s.Unbounded && (limited || limitWhy != "") {
			s.Unbounded, s.Why = false, "it depends on the waits"
			if limitWhy != "" {
				s.Why = limitWhy
			}
			if limited {
				s.ByTime, s.Sleep, s.SleepWhy = true, limit, ""
			}
		}
		return s
	}
	if limitWhy != "" {
		// An unknown time limit can only shorten what the count allows.
		if s.Unbounded || !countKnown {
			s.Unbounded = false
			s.Why, s.SleepWhy = limitWhy, limitWhy
			return s
		}
	}
	if !countKnown {
		s.SleepWhy = s.Why
		if limited {
			s.Sleep, s.SleepWhy = p.overshoot(limit, wait), ""
		}
		return s
	}
	rule, _ := p.Get("elapsed_rule")
	allowed := count
	if limited {
		implied := run(wait.mean, count, limit, rule.Word, nil)
		if implied < count || count < 0 {
			count, s.ByTime, s.Unbounded = implied, true, false
		}
		if implied >= maxRetries {
			s.ByTime, s.Unbounded = true, false
		}
	}
	if s.Unbounded {
		s.Endless = wait.high(0) > 0 || wait.high(1) > 0
		for n := range maxWaits {
			s.Waits = append(s.Waits, time.Duration(wait.high(n)))
		}
		return s
	}
	s.Attempts = count
	var sum, typical float64
	for n := 0; n < count-1 && n < maxRetries; n++ {
		d := wait.high(n)
		sum += d
		typical += wait.mean(n)
		if n < maxWaits {
			s.Waits = append(s.Waits, clampDuration(d))
		}
		if p.endsAtCap(wait, n) {
			s.Attempts = n + 1 // the wait is slept for nothing
			break
		}
	}
	s.Sleep, s.Typical = clampDuration(sum), clampDuration(typical)
	switch {
	case limited && !p.hasJitter():
		sum = 0
		run(wait.high, allowed, limit, rule.Word, func(d float64) { sum += d })
		s.Sleep, s.Typical = clampDuration(sum), clampDuration(sum)
	case limited:
		if bound := p.overshoot(limit, wait); s.ByTime || s.Sleep > bound {
			s.Sleep, s.Typical = bound, min(s.Typical, bound)
		}
		if s.ByTime {
			s.Typical = limit
		}
	}
	return s
}

// cut ends the schedule at the deadline of the context under which it runs: the
// wait at hand is cut short, and no attempt follows.
func (s *Schedule) cut(deadline Setting, wait *waiter) {
	switch d := time.Duration(deadline.Number); {
	case !deadline.Known():
		if s.Unbounded {
			s.Unbounded, s.Why, s.SleepWhy = false, deadline.Unknown, deadline.Unknown
		}
	case s.Unbounded && wait == nil:
		s.Unbounded, s.ByTime, s.Why = false, true, "it depends on the waits"
		s.Sleep, s.SleepWhy = d, ""
	case s.Unbounded:
		s.Attempts = run(wait.mean, -1, d, "before", nil)
		s.Unbounded, s.Endless, s.ByTime = false, false, true
		s.Sleep, s.Typical = d, d
	case s.SleepWhy == "":
		if s.Why == "" && wait != nil {
			if n := run(wait.mean, s.Attempts, d, "before", nil); n < s.Attempts {
				s.Attempts, s.ByTime = n, true
			}
		}
		s.Sleep, s.Typical = min(s.Sleep, d), min(s.Typical, d)
	}
}

// overshoot is the longest time that a limit on elapsed time allows to wait.
func (p *Policy) overshoot(limit time.Duration, w *waiter) time.Duration {
	rule, _ := p.Get("elapsed_rule")
	if rule.Word != "after" {
		return limit
	}
	// Checked before the wait: the last one is slept in full.
	var sum float64
	for n := range maxRetries {
		d := w.high(n)
		sum += d
		if sum > float64(limit) {
			return clampDuration(float64(limit) + d)
		}
		if d == 0 && n > 64 {
			break
		}
	}
	return limit
}

// run counts the attempts of an operation of no duration that a time limit and
// a count (negative for none) allow.
func run(wait func(int) float64, count int, limit time.Duration, rule string, each func(float64)) int {
	var elapsed float64
	for n := 0; ; n++ {
		if count >= 0 && n >= count-1 || n >= maxRetries {
			return n + 1
		}
		d := wait(n)
		switch rule {
		case "after":
			if elapsed > float64(limit) {
				return n + 1
			}
		case "truncate":
			if elapsed >= float64(limit) {
				return n + 1
			}
			d = math.Min(d, float64(limit)-elapsed)
		case "cut":
			if left := float64(limit) - elapsed; d > left {
				if each != nil {
					each(left)
				}
				return n + 1
			}
		default:
			if elapsed+d > float64(limit) {
				return n + 1
			}
		}
		elapsed += d
		if each != nil {
			each(d)
		}
	}
}

// count is the limit on attempts: negative for none, with Unbounded set.
func (p *Policy) count(s *Schedule) (n int, known bool) {
	a, ok := p.Get("attempts")
	if list, has := p.Get("delays"); has && list.List != nil && !ok {
		return len(list.List) + 1, true
	}
	switch {
	case !ok:
		s.Why = "not set in sight"
		return 0, false
	case a.Word == "unbounded":
		s.Unbounded = true
		return -1, true
	case !a.Known():
		s.Why = a.Unknown
		return 0, false
	case a.Word == "context":
		s.Why = "only the deadline of its context ends it"
		return 0, false
	case a.Word == "never":
		return 0, true
	case a.Word == "one":
		return 1, true
	}
	if a.Number > 1e9 || a.Number < 0 {
		s.Unbounded = a.Number > 0
		if s.Unbounded {
			return -1, true
		}
		return 0, true
	}
	return int(a.Number), true
}

func (p *Policy) elapsed() (limit time.Duration, limited bool, why string) {
	e, ok := p.Get("elapsed")
	switch {
	case !ok, e.Word == "none", e.Word == "unbounded", e.Word == "uncapped":
		return 0, false, ""
	case !e.Known():
		return 0, false, e.Unknown
	}
	return time.Duration(e.Number), true, ""
}

// endsAtCap reports whether wait n is the last, with no attempt after it: k8s
// wait.Backoff sets its steps to zero when the next wait would exceed the cap.
func (p *Policy) endsAtCap(w *waiter, n int) bool {
	ends, ok := p.Get("cap_ends")
	return ok && ends.Is("true") && w.capped != nil && w.capped(n+1)
}

// A waiter gives the n-th wait of a policy, n from 0, in nanoseconds.
type waiter struct {
	high, mean func(int) float64
	capped     func(int) bool // whether wait n would exceed the cap
}

// waiter returns the waits, or an error that names the setting which the code
// does not fix.
func (p *Policy) waiter() (*waiter, error) {
	nominal, capped, err := p.nominal()
	if err != nil {
		return nil, err
	}
	high, mean, err := p.jitter()
	if err != nil {
		return nil, err
	}
	limit := math.Inf(1)
	if c, ok := p.Get("cap"); ok && c.Is("after-jitter") {
		if limit, err = p.upper(); err != nil {
			return nil, err
		}
	}
	clamp := func(d float64) float64 { return math.Max(0, math.Min(d, limit)) }
	return &waiter{
		high:   func(n int) float64 { return clamp(high(nominal(n))) },
		mean:   func(n int) float64 { return clamp(mean(nominal(n))) },
		capped: capped,
	}, nil
}

// upper is the cap on one wait, infinite when there is none.
func (p *Policy) upper() (float64, error) {
	m, ok := p.Get("max")
	switch {
	case !ok, m.Word == "uncapped", m.Word == "none", m.Word == "unbounded":
		return math.Inf(1), nil
	case !m.Known():
		return 0, fmt.Errorf("max delay: %s", m.Unknown)
	}
	return m.Number, nil
}

// number is a numeric setting, def when nothing sets it.
func (p *Policy) number(name, label string, def float64) (float64, error) {
	s, ok := p.Get(name)
	if !ok {
		return def, nil
	}
	if !s.Known() {
		return 0, fmt.Errorf("%s: %s", label, s.Unknown)
	}
	return s.Number, nil
}

// nominal is the wait before jitter.
func (p *Policy) nominal() (wait func(int) float64, capped func(int) bool, err error) {
	if list, ok := p.Get("delays"); ok && list.Word != "none" {
		if !list.Known() {
			return nil, nil, fmt.Errorf("delays: %s", list.Unknown)
		}
		return func(n int) float64 {
			switch {
			case len(list.List) == 0:
				return 0
			case n < len(list.List):
				return list.List[n]
			}
			return list.List[len(list.List)-1]
		}, nil, nil
	}
	shape, ok := p.Get("backoff")
	if !ok {
		return nil, nil, fmt.Errorf("backoff: not set in sight")
	}
	if !shape.Known() {
		return nil, nil, fmt.Errorf("backoff: %s", shape.Unknown)
	}
	if f, ok := p.Get("delay"); ok && f.Known() && f.Word != "" && f.Word != "none" {
		return p.byFormula(f.Word)
	}
	initial, err := p.number("initial", "delay", 0)
	if err != nil {
		return nil, nil, err
	}
	step, err := p.number("step", "step", initial)
	if err != nil {
		return nil, nil, err
	}
	limit, err := p.upper()
	if err != nil {
		return nil, nil, err
	}
	cap := func(d float64) float64 { return math.Min(d, limit) }
	if c, ok := p.Get("cap"); ok && c.Is("after-jitter") {
		cap = func(d float64) float64 { return d }
	}
	switch shape.Word {
	case "none":
		return func(int) float64 { return 0 }, nil, nil
	case "constant":
		return func(int) float64 { return initial }, nil, nil
	case "linear":
		return func(n int) float64 { return cap(initial + step*float64(n)) }, nil, nil
	case "fibonacci":
		return func(n int) float64 { return cap(initial * model.Fibonacci(float64(n+1))) }, nil, nil
	case "exponential":
		mult, err := p.number("multiplier", "multiplier", 2)
		if err != nil {
			return nil, nil, err
		}
		wait = func(n int) float64 {
			if n == 0 {
				return initial
			}
			return cap(initial * math.Pow(mult, float64(n)))
		}
		return wait, func(n int) bool { return initial*math.Pow(mult, float64(n)) > limit }, nil
	}
	return nil, nil, fmt.Errorf("backoff: computed by code")
}

func (p *Policy) byFormula(text string) (func(int) float64, func(int) bool, error) {
	f, err := model.ParseFormula(text)
	if err != nil {
		return nil, nil, err
	}
	at := func(n int) (float64, error) {
		return f.Eval(func(name string) (float64, error) {
			switch name {
			case "n":
				return float64(n), nil
			case "max":
				return p.upper()
			case "multiplier":
				return p.number(name, name, 2)
			}
			return p.number(name, name, 0)
		})
	}
	if _, err := at(0); err != nil {
		return nil, nil, err
	}
	return func(n int) float64 {
		d, _ := at(n) // what fails at 0 alone can fail
		return d
	}, nil, nil
}

// jitter says what randomness makes of a wait, at most and on average.
func (p *Policy) jitter() (high, mean func(float64) float64, err error) {
	same := func(d float64) float64 { return d }
	kind, ok := p.Get("jitter")
	if !ok || kind.Is("none") {
		return same, same, nil
	}
	if !kind.Known() {
		return nil, nil, fmt.Errorf("jitter: %s", kind.Unknown)
	}
	if kind.Word == "full" {
		return same, func(d float64) float64 { return d / 2 }, nil
	}
	if kind.Word == "half" {
		return same, func(d float64) float64 { return d * 0.75 }, nil
	}
	amount, err := p.number("jitter_amount", "jitter", 0)
	if err != nil {
		return nil, nil, err
	}
	from, err := p.number("jitter_from", "jitter", 0)
	if err != nil {
		return nil, nil, err
	}
	switch kind.Word {
	case "additive":
		return func(d float64) float64 { return d + amount }, func(d float64) float64 { return d + (from+amount)/2 }, nil
	case "spread":
		return func(d float64) float64 { return d + amount }, same, nil
	case "factor":
		return func(d float64) float64 { return d * (1 + amount) }, same, nil
	case "fraction":
		return func(d float64) float64 { return d * (1 + amount) }, func(d float64) float64 { return d * (1 + amount/2) }, nil
	}
	return nil, nil, fmt.Errorf("jitter %s", kind.Word)
}

// hasJitter reports whether the waits are random; unknown counts as yes.
func (p *Policy) hasJitter() bool {
	kind, ok := p.Get("jitter")
	if !ok || kind.Is("none") {
		return false
	}
	if !kind.Known() || kind.Word == "full" || kind.Word == "half" {
		return true
	}
	amount, ok := p.Get("jitter_amount")
	return ok && (!amount.Known() || amount.Number != 0) && amount.Word != "none"
}

// backoff names the shape of the waits as they come out, not as the library
// calls them: an exponential one with factor 1 is constant.
func (p *Policy) backoff() string {
	shape, ok := p.Get("backoff")
	list, isList := p.Get("delays")
	isList = isList && list.Word != "none"
	switch {
	case isList && !list.Known(), !isList && (!ok || !shape.Known() || shape.Word == "custom"):
		return "unknown"
	}
	name := shape.Word
	if isList {
		name = listShape(list.List)
	} else {
		name = p.effective(name)
	}
	if name == "fibonacci" {
		name = "exponential"
	}
	if j, ok := p.Get("jitter"); ok && !j.Known() {
		return "unknown"
	}
	if p.hasJitter() {
		switch name {
		case "none":
			return "constant+jitter"
		case "exponential", "constant":
			return name + "+jitter"
		case "linear":
			return "linear+jitter"
		}
	}
	return name
}

func (p *Policy) effective(shape string) string {
	initial, known := p.settings["initial"]
	if f, ok := p.Get("delay"); ok && f.Known() && f.Word != "" && f.Word != "none" {
		return shape
	}
	zero := known && initial.Known() && initial.Number == 0 || !known
	switch shape {
	case "constant":
		if zero {
			return "none"
		}
	case "linear":
		if step, ok := p.settings["step"]; zero && (!ok || step.Known() && step.Number == 0) {
			return "none"
		}
	case "exponential":
		if zero {
			return "none"
		}
		if m, ok := p.settings["multiplier"]; ok && m.Known() && m.Number <= 1 {
			return "constant"
		}
		if m, ok := p.settings["max"]; ok && m.Known() && m.Word == "" && m.Number > 0 && initial.Known() && initial.Number >= m.Number {
			return "constant"
		}
	}
	return shape
}

// listShape names the shape of explicit waits.
func listShape(waits []float64) string {
	if len(waits) == 0 {
		return "none"
	}
	constant, growing, doubling := true, true, true
	for i := 1; i < len(waits); i++ {
		constant = constant && waits[i] == waits[0]
		growing = growing && waits[i] >= waits[i-1]
		doubling = doubling && waits[i] >= 1.4*waits[i-1]
	}
	switch {
	case waits[0] == 0 && constant:
		return "none"
	case constant:
		return "constant"
	case growing && doubling:
		return "exponential"
	case growing:
		return "linear"
	}
	return "custom"
}

// degenerate applies the cases of the model whose condition holds.
func (p *Policy) degenerate() *Policy {
	out := p
	for _, c := range p.cases {
		s, ok := p.Get(c.Field)
		if !ok || !s.Known() {
			continue
		}
		want := literal(c.Is)
		if s.Word != want.Word || s.Number != want.Number {
			continue
		}
		if out == p {
			out = p.clone()
		}
		for name, expr := range c.Sets {
			l := literal(expr.Literal)
			l.Pos = s.Pos
			out.set(name, l)
		}
	}
	return out
}

func clampDuration(ns float64) time.Duration {
	if ns >= math.MaxInt64 || math.IsNaN(ns) {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
