// Package kept has clients that a struct keeps, and that are configured where
// they are kept. Each is one site, where it is made.
package kept

import (
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/sethgrid/pester"
)

// Never configured.
type untouched struct{ hc *retryablehttp.Client }

func newUntouched() *untouched {
	return &untouched{hc: retryablehttp.NewClient()} // want "RE-4: waits up to 15s in memory .go-retryablehttp defaults, 5 attempts." "RE-2: exponential without jitter .1s, 2s, 4s, 8s. .go-retryablehttp defaults, nothing set here." // site "attempts=5 sleep=15s default=true"
}

// What is configured has nothing to do with retries.
type logged struct{ hc *retryablehttp.Client }

func newLogged() *logged {
	return &logged{hc: retryablehttp.NewClient()} // want "RE-4: waits up to 15s in memory .go-retryablehttp defaults, 5 attempts." "RE-2: " // site "attempts=5 sleep=15s default=true"
}

func (l *logged) Quiet() { l.hc.Logger = nil }

// Straight after the store.
type direct struct{ c *retryablehttp.Client }

func (s *direct) init() {
	s.c = retryablehttp.NewClient() // want "RE-3: 8 attempts over " "RE-4: " "RE-2: " // site "attempts=8"
	s.c.RetryMax = 7
}

func newDirect() *direct {
	s := &direct{}
	s.init()
	return s
}

// By a method that is called straight after the store.
type tuned struct{ c *retryablehttp.Client }

func (s *tuned) Start() {
	s.c = retryablehttp.NewClient() // want "RE-3: 8 attempts over " "RE-4: " "RE-2: " // site "attempts=8"
	s.tune()
}

func (s *tuned) tune() { s.c.RetryMax = 7 }

// The option says how long to wait, never how often.
type waiting struct{ hc *retryablehttp.Client }

type waitingOption func(*waiting)

func WithWait(d time.Duration) waitingOption {
	return func(w *waiting) { w.hc.RetryWaitMin = d }
}

func NewWaiting(opts ...waitingOption) *waiting {
	w := &waiting{hc: retryablehttp.NewClient()} // want "RE-2: exponential without jitter" // site "attempts=5 sleep=unknown"
	w.hc.RetryWaitMax = 2 * time.Second
	for _, o := range opts {
		o(w)
	}
	return w
}

// Either way too often.
type patient struct{ c *pester.Client }

func newPatient() *patient {
	p := &patient{c: pester.New()} // want "RE-3: " "X3: " // site "attempts=8-9"
	p.c.MaxRetries = 8
	return p
}

func (p *patient) MorePatient() { p.c.MaxRetries = 9 }

// By the only caller of the constructor.
type inner struct{ rc *resty.Client }

func newInner() *inner {
	return &inner{rc: resty.New()} // want "RE-3: 7 attempts over [0-9.ms]+; at most 5" // site "attempts=7"
}

func NewOuter() *inner {
	in := newInner()
	in.rc.SetRetryCount(6)
	return in
}

// A helper that one caller configures, and another does not.
func base() *retryablehttp.Client {
	return retryablehttp.NewClient() // want "RE-4: waits up to 15s in memory" "RE-2: " // site "attempts=5 sleep=15s"
}

func few() *retryablehttp.Client {
	c := base() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	return c
}

func asItIs() *retryablehttp.Client { return base() }

// Two objects of one type: what one is told is not for the other.
type pair struct{ hc *retryablehttp.Client }

func newFirst() *pair {
	p := &pair{hc: retryablehttp.NewClient()} // want "RE-3: 8 attempts" "RE-4: " "RE-2: " // site "attempts=8"
	p.hc.RetryMax = 7
	return p
}

func newSecond() *pair {
	p := &pair{hc: retryablehttp.NewClient()} // want "RE-2: " // site "attempts=2"
	p.hc.RetryMax = 1
	return p
}

// Made unless it is given.
type optional struct{ hc *retryablehttp.Client }

func NewOptional(hc *retryablehttp.Client) *optional {
	if hc == nil {
		hc = retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=unknown"
	}
	return &optional{hc: hc}
}

func (o *optional) SetRetries(n int) {
	o.hc.RetryMax = n // site "attempts=unknown"
}

// Requests through a client whose options say nothing of how often it retries.
func (w *waiting) Pay() error {
	resp, err := w.hc.Post("https://pay.example/payments", "application/json", nil) // want "X1: POST /payments may be applied up to 5 times" // site "attempts=5"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Requests through a client that is told to retry after it was stored.
func (in *inner) pay() error {
	_, err := in.rc.R().Post("https://pay.example/payments") // want "X1: POST /payments may be applied up to 7 times" // site "attempts=7"
	return err
}

// Many settings, each an option: all that they leave alone stays known.
type many struct{ hc *retryablehttp.Client }

func newMany() *many {
	return &many{hc: retryablehttp.NewClient()} // want "RE-2: exponential without jitter: clients" // site "attempts=unknown backoff=exponential sleep=unknown"
}

func (m *many) SetRetries(n int)                    { m.hc.RetryMax = n }
func (m *many) SetShortest(d time.Duration)         { m.hc.RetryWaitMin = d }
func (m *many) SetLongest(d time.Duration)          { m.hc.RetryWaitMax = d }
func (m *many) SetCheck(f retryablehttp.CheckRetry) { m.hc.CheckRetry = f }

// A default for what was not set, in the field.
func (m *many) fill() {
	if m.hc.RetryMax == 0 {
		m.hc.RetryMax = 2
	}
}

// Most of what a method does with a client changes nothing.
type used struct{ rc *resty.Client }

func newUsed() *used {
	return &used{rc: resty.New().SetRetryCount(3)} // site "attempts=4"
}

func (u *used) plain() *http.Client { return u.rc.GetClient() }

func (u *used) share(users map[string]any) { users["u"] = u.rc }

func (u *used) pay() error {
	_, err := u.rc.R().Post("https://pay.example/payments") // want "X1: POST /payments may be applied up to 4 times" // site "attempts=4"
	return err
}
