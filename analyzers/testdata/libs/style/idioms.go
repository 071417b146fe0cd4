package style

import (
	"context"
	"errors"
	"math/rand"
	"sync"
	"time"

	"github.com/avast/retry-go/v4"
	retry5 "github.com/avast/retry-go/v5"
	"github.com/cenkalti/backoff/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

func boundMethodValue() error {
	run := retry5.New(retry5.Attempts(3)).Do // site "attempts=3 mechanism=library"
	return run(ping)
}

type embedding struct{ *retry5.Retrier }

func newEmbedding() *embedding {
	return &embedding{retry5.New(retry5.Attempts(7), retry5.Delay(time.Millisecond), retry5.MaxJitter(time.Millisecond))}
}

func (e *embedding) promotedMethod() error {
	return e.Do(ping) // want "RE-3: 7 attempts" // site "attempts=7"
}

func optionsPlusThoseOfCaller(op func() error, opts ...retry.Option) error {
	return retry.Do(op, append([]retry.Option{retry.Attempts(3), retry.Delay(time.Millisecond)}, opts...)...) // site "mechanism=library"
}

func addsNoOption() error {
	return optionsPlusThoseOfCaller(ping) // site "attempts=3 mechanism=wrapper"
}

func addsTooMany() error {
	return optionsPlusThoseOfCaller(ping, retry.Attempts(10)) // want "RE-3: 10 attempts" // site "attempts=10 mechanism=wrapper"
}

// The zero value is replaced where it would be used.
type settings struct {
	tries uint
	pause time.Duration
}

func (s *settings) setDefaults() {
	if s.tries == 0 {
		s.tries = 12
	}
	if s.pause <= 0 {
		s.pause = time.Millisecond
	}
}

func defaultsForZeroValue() error {
	var s settings
	s.setDefaults()
	return retry.Do(ping, retry.Attempts(s.tries), retry.Delay(s.pause), retry.MaxJitter(time.Millisecond)) // want "RE-3: 12 attempts" // site "attempts=12"
}

func defaultsLeaveWhatIsSet() error {
	s := settings{tries: 3}
	s.setDefaults()
	return retry.Do(ping, retry.Attempts(s.tries), retry.Delay(s.pause)) // site "attempts=3"
}

func defaultInPlace() error {
	s := &settings{}
	if s.tries == 0 {
		s.tries = 12
	}
	return retry.Do(ping, retry.Attempts(s.tries), retry.Delay(time.Millisecond), retry.MaxJitter(time.Millisecond)) // want "RE-3: 12 attempts" // site "attempts=12"
}

var (
	once   sync.Once
	lazily *retry5.Retrier
)

func madeOnce() error {
	once.Do(func() { lazily = retry5.New(retry5.Attempts(3)) })
	return lazily.Do(ping) // site "attempts=3"
}

func namedResult() (opts []retry.Option) {
	opts = append(opts, retry.Attempts(3))
	opts = append(opts, retry.LastErrorOnly(true))
	return
}

func optionsFromNamedResult() error {
	return retry.Do(ping, namedResult()...) // site "attempts=3"
}

func optionsByKind(kind string) []retry.Option {
	switch kind {
	case "pay":
		return []retry.Option{retry.Attempts(3)}
	case "refund":
		return []retry.Option{retry.Attempts(5)}
	}
	return nil
}

func optionsOfEveryKind(kind string) error {
	return retry.Do(ping, optionsByKind(kind)...) // site "attempts=3-10"
}

func curried(n uint) func(func() error) error {
	return func(op func() error) error {
		return retry.Do(op, retry.Attempts(n), retry.Delay(time.Millisecond)) // site "backoff=exponential+jitter"
	}
}

func callsCurried() error {
	return curried(3)(ping) // site "attempts=3 mechanism=wrapper"
}

type handler func(context.Context) error

func decorated(next handler) handler {
	return func(ctx context.Context) error {
		return retry.Do(func() error { return next(ctx) }, retry.Attempts(3)) // site "attempts=3 mechanism=library"
	}
}

func usesDecorator(ctx context.Context) error {
	return decorated(func(context.Context) error { return ping() })(ctx) // site "attempts=3 mechanism=wrapper"
}

func methodExpression(g *gateway) error {
	f := (*gateway).confirm
	return retry.Do(func() error { return f(g) }, retry.Attempts(3)) // site "attempts=3"
}

func inGoroutinesOfLoop(ids []string) error {
	var wg sync.WaitGroup
	errs := make([]error, len(ids))
	for i := range ids {
		wg.Go(func() {
			errs[i] = retry.Do(ping, retry.Attempts(3)) // site "attempts=3"
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func jitterOfOurOwn() error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(time.Duration(rand.Intn(100))*time.Millisecond)) // site "attempts=3 sleep=unknown"
}

func lengthOfArray() error {
	hosts := [...]string{"a", "b", "c"}
	return retry.Do(ping, retry.Attempts(uint(len(hosts)))) // site "attempts=3"
}

type base struct{ tries uint }

type derived struct {
	base
	name string
}

func newDerived() *derived { return &derived{base: base{tries: 3}, name: "pay"} }

func (d *derived) fieldOfEmbeddedStruct() error {
	return retry.Do(ping, retry.Attempts(d.tries)) // site "attempts=3"
}

func structByValue() settings { return settings{tries: 4, pause: time.Millisecond} }

func fieldOfStructByValue() error {
	s := structByValue()
	return retry.Do(ping, retry.Attempts(s.tries), retry.Delay(s.pause)) // site "attempts=4"
}

func modifiedCopy() error {
	s := structByValue()
	c := s
	c.tries = 9
	return retry.Do(ping, retry.Attempts(s.tries), retry.Delay(c.pause)) // site "attempts=4"
}

func policyOnEitherPath(patient bool) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 2 * time.Second
	if patient {
		b = backoff.NewExponentialBackOff()
		b.MaxElapsedTime = 3 * time.Second
	}
	return backoff.Retry(ping, b) // site "attempts=3-4 sleep=3s"
}

func policiesInSlice() error {
	policies := []failsafe.Policy[any]{
		retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build(),
		circuitbreaker.NewWithDefaults[any](),
	}
	return failsafe.With(policies...).Run(ping) // site "attempts=3 breaker=inside"
}

func composedUnderCondition(guarded bool) error {
	retry := retrypolicy.NewBuilder[any]().WithBackoff(100*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	e := failsafe.With(retry) // site "attempts=3 breaker=unknown"
	if guarded {
		e = e.Compose(circuitbreaker.NewWithDefaults[any]())
	}
	return e.Run(ping)
}

var sharedClient = retryablehttp.NewClient() // site "attempts=4" // want "RE-2: "

func init() { sharedClient.RetryMax = 3 }

var chainedClient = resty.New().SetRetryCount(2) // site "attempts=3 mechanism=builtin"

func settingOfVariable() {
	chainedClient.SetTimeout(time.Second)
}

// The variable's only write is the chain that starts from it.
func chainOfCapturedVariable() func() *resty.Client {
	var own *resty.Client
	get := func() *resty.Client { return own }
	own = own.SetTimeout(time.Second).SetRetryCount(2) // site "attempts=unknown"
	return get
}

type api struct{ *resty.Client }

func newAPI() *api {
	a := &api{resty.New()} // site "attempts=3 mechanism=builtin"
	a.SetRetryCount(2)
	return a
}

func requestOfClient() error {
	c := resty.New().SetRetryCount(2)                                     // site "attempts=3 sleep=300ms"
	_, err := c.R().SetHeader("a", "b").Get("https://pay.example/status") // site "attempts=3 mechanism=builtin"
	return err
}

func clientWithUnknownCount(n int) *resty.Client {
	return resty.New().SetRetryCount(n) // site "attempts=unknown"
}
