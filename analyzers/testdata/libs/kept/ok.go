package kept

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

// Functional options.
type Client struct{ hc *retryablehttp.Client }

type Option func(*Client)

func WithRetries(n int) Option { return func(c *Client) { c.hc.RetryMax = n } }

func WithPauses(shortest, longest time.Duration) Option {
	return func(c *Client) {
		c.hc.RetryWaitMin = shortest
		c.hc.RetryWaitMax = longest
	}
}

func WithBackoff(b retryablehttp.Backoff) Option { return func(c *Client) { c.hc.Backoff = b } }

func New(opts ...Option) *Client {
	c := &Client{hc: retryablehttp.NewClient()} // site "attempts=unknown backoff=unknown"
	for _, o := range opts {
		o(c)
	}
	return c
}

// Sent through a client of which the caller decides how often it retries.
func (c *Client) Charge() (*http.Response, error) {
	return c.hc.Post("https://pay.example/charges", "application/json", nil)
}

// A setter.
type service struct{ rc *resty.Client }

func newService() *service {
	return &service{rc: resty.New()} // site "attempts=unknown"
}

func (s *service) SetRetries(n int) { s.rc.SetRetryCount(n) }

// A setter of another client than the one that is made: its retries are off.
type split struct{ reads, writes *resty.Client }

func newSplit() *split {
	return &split{
		reads:  resty.New(), // site "attempts=3"
		writes: resty.New(), // nosite
	}
}

func (s *split) Retry() { s.reads.SetRetryCount(2) }

// By a method that is called after the store.
type tidy struct{ c *resty.Client }

func newTidy() *tidy {
	t := &tidy{}
	t.c = resty.New() // site "attempts=3 sleep=600ms"
	t.tune(2)
	return t
}

func (t *tidy) tune(n int) {
	t.c.SetRetryCount(n)
	t.c.SetRetryWaitTime(200 * time.Millisecond)
}

// Switched off after the store.
type off struct{ c *retryablehttp.Client }

func newOff() *off {
	o := &off{}
	o.c = retryablehttp.NewClient() // nosite
	o.disable()
	return o
}

func (o *off) disable() { o.c.RetryMax = 0 }

// A helper that all callers configure: they are the sites.
func plain() *resty.Client { return resty.New().SetRetryCount(9) } // nosite

func twice() *resty.Client {
	return plain().SetRetryCount(1) // site "attempts=2"
}

func thrice() *resty.Client {
	c := plain() // site "attempts=3"
	c.SetRetryCount(2)
	return c
}

type holder struct{ c *resty.Client }

func newHolder() *holder {
	h := &holder{}
	h.c = plain() // site "attempts=4"
	h.c.SetRetryCount(3)
	return h
}

// A client that others pass is a site where it is configured.
type given struct{ hc *retryablehttp.Client }

func NewGiven(hc *retryablehttp.Client) *given { return &given{hc: hc} }

func (g *given) Insist() {
	g.hc.RetryMax = 9 // site "attempts=unknown"
}

// Replaced before it is configured.
type replaced struct{ rc *resty.Client }

func newReplaced() *replaced {
	return &replaced{rc: resty.New()} // nosite
}

func (r *replaced) reset() {
	r.rc = resty.New() // site "attempts=2"
	r.rc.SetRetryCount(1)
}

// Of a package variable.
var std = &Client{hc: retryablehttp.NewClient()} // site "attempts=unknown"

// The only option is unexported, and given one value.
type small struct{ rc *resty.Client }

type smallOption func(*small)

func withCount(n int) smallOption { return func(s *small) { s.rc.SetRetryCount(n) } }

func newSmall(opts ...smallOption) *small {
	s := &small{rc: resty.New()} // site "attempts=4"
	for _, o := range opts {
		o(s)
	}
	return s
}

func smallWithFour() *small { return newSmall(withCount(3)) }

// A method of another struct that holds the holder.
type outer struct{ in *tidyInner }

type tidyInner struct{ rc *resty.Client }

func newTidyOuter() *outer {
	return &outer{in: &tidyInner{rc: resty.New()}} // site "attempts=unknown"
}

func (o *outer) SetRetries(n int) { o.in.rc.SetRetryCount(n) }

// A chain of helpers, of which the last caller configures the client.
func lowest() (*resty.Client, error) { return resty.New().SetRetryCount(9), nil } // nosite

func middle() (*resty.Client, error) { return lowest() }

func NewHighest() (*resty.Client, error) {
	c, err := middle()
	if err != nil {
		return nil, err
	}
	return c.SetRetryCount(1), nil // site "attempts=2"
}

// The only caller keeps the client of a helper, and has a method configure it.
type helped struct{ rc *resty.Client }

func forHelped() *resty.Client { return resty.New().SetRetryCount(9) } // site "attempts=3"

func newHelped() *helped {
	h := &helped{rc: forHelped()}
	h.tune()
	return h
}

func (h *helped) tune() { h.rc.SetRetryCount(2) }

// A field of another package's struct.
func inClientOfOthers() *retryablehttp.RoundTripper {
	rt := &retryablehttp.RoundTripper{}
	rt.Client = retryablehttp.NewClient() // nosite
	rt.Client.RetryMax = 0
	return rt
}

// A closure of the constructor configures it.
type closed struct{ rc *resty.Client }

func newByClosure() *closed {
	d := &closed{}
	d.rc = resty.New() // site "attempts=3"
	retry := func() { d.rc.SetRetryCount(2) }
	retry()
	return d
}

// A package variable that is configured later.
var later = resty.New() // site "attempts=unknown"

func SetLater(n int) { later.SetRetryCount(n) }

// A type of options, each a setter of the holder's own.
type Gateway struct{ rc *resty.Client }

type GatewayOption interface{ apply(*Gateway) }

type retries int

func (n retries) apply(g *Gateway) { g.rc.SetRetryCount(int(n)) }

func NewGateway(opts ...GatewayOption) *Gateway {
	g := &Gateway{rc: resty.New()} // site "attempts=unknown"
	for _, o := range opts {
		o.apply(g)
	}
	return g
}

// The fields of a generic struct.
type box[T any] struct {
	rc   *resty.Client
	made T
}

func newBox[T any](v T) *box[T] {
	b := &box[T]{rc: resty.New(), made: v} // site "attempts=3"
	b.rc.SetRetryCount(2)
	return b
}

// A policy, which is judged where it is run.
type runner struct{ eb *backoff.ExponentialBackOff }

func newRunner() *runner {
	r := &runner{eb: backoff.NewExponentialBackOff()}
	r.eb.MaxElapsedTime = 3 * time.Second
	return r
}

func (r *runner) run() error {
	return backoff.Retry(ping, r.eb) // site "attempts=4 backoff=exponential+jitter"
}

// Told in the setter, by way of a local variable.
type local struct{ rc *resty.Client }

func newLocal() *local {
	rc := resty.New() // site "attempts=unknown"
	return &local{rc}
}

func (l *local) SetRetries(n int) {
	rc := l.rc
	rc.SetRetryCount(n).SetTimeout(time.Second)
}

// Told in a function that it is handed to.
type handed struct{ rc *resty.Client }

func newHanded() *handed {
	h := &handed{rc: resty.New()} // site "attempts=3"
	withTwoRetries(h.rc)
	return h
}

func withTwoRetries(rc *resty.Client) {
	rc.SetRetryCount(2) // site "attempts=3"
}

// Returned with an error.
func NewWithError(url string) (*Client, error) {
	if url == "" {
		return nil, errors.New("no url")
	}
	hc := retryablehttp.NewClient() // site "attempts=unknown"
	c := &Client{}
	c.hc = hc
	return c, nil
}

// Made once, when first asked for.
type lazy struct {
	once sync.Once
	rc   *resty.Client
}

func (l *lazy) client() *resty.Client {
	l.once.Do(func() {
		l.rc = resty.New() // site "attempts=3"
		l.rc.SetRetryCount(2)
	})
	return l.rc
}

// A copy of the struct.
func (s *small) with(n int) *small {
	c := *s
	c.rc = resty.New() // site "attempts=unknown"
	c.rc.SetRetryCount(n)
	return &c
}
