// Package shop has what the configuration makes of retried writes.
package shop

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/google/uuid"

	"github.com/resilint/resilint/analyzers/testdata/systems/bank"
	"github.com/resilint/resilint/analyzers/testdata/systems/post"
	"github.com/resilint/resilint/analyzers/testdata/systems/sms"
)

type shop struct {
	bank *bank.Client
}

type command struct{ Key, ID string }

func do(req *http.Request) error {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The system is found by the package that sends.
func ignoredKey(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^RE-1: POST /letters may be applied up to 3 times: post does not deduplicate by the key \\(ignoredKey -> post.Send -> post.send -> http.Client.Do\\)$" // site "attempts=3 effect=keyed"
		return post.Send(ctx, http.MethodPost, "/letters", cmd.Key)
	}, retry.Attempts(3))
}

// The system is found by its host.
func ignoredByHost(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^RE-1: DELETE /letters/\\* may be applied up to 3 times: post does not deduplicate by the key" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodDelete, "https://user@POST.example:8443/letters/"+cmd.ID, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", cmd.Key)
		return do(req)
	}, retry.Attempts(3))
}

// No key helps there.
func withoutKey(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: POST /letters may be applied up to 3 times: no idempotency key" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://post.example/letters", nil)
		if err != nil {
			return err
		}
		return do(req)
	}, retry.Attempts(3))
}

// The pauses alone outlast the key: 31s, 62s.
func (s *shop) forgottenKey(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^RE-1: POST /payments may be sent again for up to 1m33s: bank remembers its key for 1m \\(forgottenKey -> bank.Client.Send -> http.Client.Do\\)$" "RE-4: " "RE-2: " // site "attempts=3 sleep=1m33s"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	}, retry.Attempts(3), retry.Delay(31*time.Second), retry.DelayType(retry.BackOffDelay))
}

// Nothing ends it.
func (s *shop) endless(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^RE-1: POST /payments may be sent again without end: bank remembers its key for 1m" "RE-3: " // site "attempts=unbounded"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	}, retry.Attempts(0), retry.Context(ctx))
}

// Attempts of 30s count, too.
func (s *shop) slowAttempts(ctx context.Context, cmd command) error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(500*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(policy, timeout.New[any](30*time.Second)).Run(func() error { // want "^RE-1: POST /payments may be sent again for up to 1m31.6s: bank remembers its key for 1m " "RE-4: " // site "attempts=3 total=1m31.6s"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	})
}

// A system of which no promise is known.
func unpromised(cmd command) error {
	return retry.Do(func() error { // want "^RE-1: POST /sms may be applied up to 3 times: nothing written says that sms deduplicates by the key" // site "attempts=3"
		return sms.Send("/sms", cmd.Key)
	}, retry.Attempts(3))
}

// A system that nobody has named. The package that sends knows many hosts: the
// one in the code decides.
func unnamed(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^RE-1: POST /orders may be applied up to 3 times: nothing written says that the other side deduplicates by the key" // site "attempts=3"
		return post.Elsewhere(ctx, http.MethodPost, "https://shop.example/orders", cmd.Key)
	}, retry.Attempts(3))
}

// Another system's header, and one that is no key here although its name is one
// elsewhere.
func otherHeaders(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^X1: POST /orders may be applied up to 3 times: no idempotency key" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://shop.example/orders", nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-Bank-Operation", cmd.Key)
		req.Header.Set("X-Client-Token", cmd.Key)
		return do(req)
	}, retry.Attempts(3))
}

// The user's own carrier is judged as every other: made anew.
func unstable(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: each of 3 attempts of POST /payments gets another idempotency key: uuid.NewString runs inside the retry$" // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.bank.example/payments", nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-Bank-Operation", uuid.NewString())
		return do(req)
	}, retry.Attempts(3))
}

// What only reads is said of a system, not of others.
func (s *shop) otherReads(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: POST /status may be applied up to 3 times: no idempotency key" // site "attempts=3 effect=write"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://shop.example/status", nil)
		if err != nil {
			return err
		}
		return do(req)
	}, retry.Attempts(3))
}

// A path of which only a part is known may be another.
func (s *shop) otherPath(ctx context.Context, kind string) error {
	return retry.Do(func() error { // want "^X1: POST /reports/\\*/sign may be applied up to 3 times: no idempotency key" // site "attempts=3 effect=write"
		return s.bank.Plain(ctx, http.MethodPost, "/reports/"+kind+"/sign")
	}, retry.Attempts(3))
}
