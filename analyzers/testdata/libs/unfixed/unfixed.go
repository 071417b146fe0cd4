// Package unfixed has policies whose values the code does not fix: nothing is
// reported, and each is listed with a reason.
package unfixed

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/hashicorp/go-retryablehttp"
	sethvargo "github.com/sethvargo/go-retry"
)

func Parameter(n uint) error {
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=unknown sleep=unknown"
}

func ParameterOfDuration(d time.Duration) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = d
	return backoff.Retry(ping, b) // site "attempts=unknown sleep=unknown"
}

func ParameterPolicy(b backoff.BackOff) error {
	return backoff.Retry(ping, b) // site "attempts=unknown backoff=unknown sleep=unknown"
}

func ParameterOptions(opts ...retry.Option) error {
	return retry.Do(ping, opts...) // site "attempts=unknown"
}

func ParameterMultiplied(n int) error {
	return retry.Do(ping, retry.Attempts(uint(n)*2)) // site "attempts=unknown"
}

// Config is filled from a file.
type Config struct {
	Attempts uint          `json:"attempts"`
	Wait     time.Duration `json:"wait"`
	Retry    struct {
		Max int `yaml:"max" json:"max"`
	} `json:"retry"`
}

func FieldOfConfig(cfg Config) error {
	return retry.Do(ping, retry.Attempts(cfg.Attempts), retry.Delay(cfg.Wait)) // site "attempts=unknown sleep=unknown"
}

func FieldOfConfigPointer(cfg *Config) error {
	return failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(cfg.Retry.Max).WithBackoff(time.Second, time.Minute).WithJitterFactor(0.1).Build()).Run(ping) // site "attempts=unknown backoff=exponential+jitter"
}

type Service struct{ cfg Config }

func New(cfg Config) *Service { return &Service{cfg: cfg} }

func (s *Service) FieldOfConfigInService() error {
	return retry.Do(ping, retry.Attempts(s.cfg.Attempts)) // site "attempts=unknown"
}

// A default that a file may overwrite is no fixed value.
func decoded(data []byte) error {
	cfg := Config{Attempts: 12}
	if err := json.Unmarshal(data, &cfg); err != nil {
		return err
	}
	return retry.Do(ping, retry.Attempts(cfg.Attempts)) // site "attempts=unknown"
}

func decodedInHelper(path string) error {
	cfg, err := load(path)
	if err != nil {
		return err
	}
	return retry.Do(ping, retry.Attempts(cfg.Attempts)) // site "attempts=unknown"
}

func load(path string) (*Config, error) {
	cfg := &Config{Attempts: 12}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return cfg, json.Unmarshal(data, cfg)
}

var attempts = flag.Uint("attempts", 12, "how often to try")

func flagInVariable() error {
	return retry.Do(ping, retry.Attempts(*attempts)) // site "attempts=unknown"
}

var wait time.Duration

func init() { flag.DurationVar(&wait, "wait", time.Minute, "how long to wait") }

func flagBoundToVariable() error {
	return retry.Do(ping, retry.Attempts(3), retry.Delay(wait)) // site "attempts=3 sleep=unknown"
}

func environment() error {
	n, err := strconv.ParseUint(os.Getenv("ATTEMPTS"), 10, 32)
	if err != nil {
		n = 12
	}
	return retry.Do(ping, retry.Attempts(uint(n))) // site "attempts=unknown"
}

func environmentInClient() *retryablehttp.Client {
	c := retryablehttp.NewClient() // site "attempts=unknown backoff=exponential" // want "RE-2: exponential without jitter"
	c.RetryMax, _ = strconv.Atoi(os.Getenv("RETRIES"))
	return c
}

func mapOfPolicies(kind string) error {
	byKind := map[string]uint{"pay": 12, "refund": 15}
	return retry.Do(ping, retry.Attempts(byKind[kind])) // site "attempts=unknown"
}

func channel(limits <-chan uint) error {
	return retry.Do(ping, retry.Attempts(<-limits)) // site "attempts=unknown"
}

type limits interface{ Attempts() uint }

func interfaceMethod(l limits) error {
	return retry.Do(ping, retry.Attempts(l.Attempts())) // site "attempts=unknown"
}

func functionValue(limit func() uint) error {
	return retry.Do(ping, retry.Attempts(limit())) // site "attempts=unknown"
}

func typeAssertion(v any) error {
	n, _ := v.(uint)
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=unknown"
}

func elementOfSlice(byLevel []uint, level int) error {
	return retry.Do(ping, retry.Attempts(byLevel[level])) // site "attempts=unknown"
}

func counted() error {
	n := uint(1)
	for range 3 {
		n *= 2
	}
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=unknown"
}

func listOfWaits(n int) error {
	var waits []time.Duration
	for i := range n {
		waits = append(waits, time.Duration(i)*time.Second)
	}
	return retrier.New(waits, nil).Run(ping) // site "attempts=unknown backoff=unknown"
}

// PolicyFromContext has its policy from a function in sight that reads a context.
func PolicyFromContext(ctx context.Context) error {
	return sethvargo.Do(ctx, policyOf(ctx), func(context.Context) error { return ping() }) // site "attempts=unknown backoff=unknown"
}

type key struct{}

func policyOf(ctx context.Context) sethvargo.Backoff {
	b, _ := ctx.Value(key{}).(sethvargo.Backoff)
	return b
}

// A default under a condition on the parameter: what the caller gives is not
// known.
func DefaultUnderCondition(n uint) error {
	if n == 0 {
		n = 12
	}
	return retry.Do(ping, retry.Attempts(n)) // site "attempts=unknown"
}

// The predicate, not the policy, is the caller's.
func PredicateOfTheCaller(transient func(error) bool) error {
	return retry.Do(ping, retry.Attempts(3), retry.RetryIf(transient)) // site "attempts=3 predicate=unknown"
}
