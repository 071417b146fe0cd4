package shop

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"

	"github.com/resilint/resilint/analyzers/testdata/systems/post"
)

// A key that the bank promised to deduplicate by; the type says that it is it.
func (s *shop) promised(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	}, retry.Attempts(3))
}

// The host says so, whatever package sends.
func promisedByHost(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return post.Elsewhere(ctx, http.MethodPost, "https://eu.pay.bank.example/payments", cmd.Key)
	}, retry.Attempts(3))
}

// A region that only the caller knows lies below the same host.
func promisedByRegion(ctx context.Context, region string, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return post.Elsewhere(ctx, http.MethodPost, "https://"+region+".pay.bank.example/payments", cmd.Key)
	}, retry.Attempts(3))
}

// The bank's own header.
func (s *shop) bankCarrier(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "X-Bank-Operation", cmd.Key)
	}, retry.Attempts(3))
}

// The user's own header, in a request whose other headers are no keys.
func (s *shop) ownCarrier(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://api.bank.example/payments/1", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("x-operation-id", cmd.Key)
		req.Header.Set("X-Client-Token", cmd.ID)
		return do(req)
	}, retry.Attempts(3))
}

// A header on one path only: nothing is claimed.
func (s *shop) maybeCarrier(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // want "^resilint: not provable: effect: whether it is safe to repeat is not known$" // site "attempts=3 effect=unknown"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.bank.example/payments", nil)
		if err != nil {
			return err
		}
		if cmd.ID != "" {
			req.Header.Set("X-Bank-Operation", cmd.Key)
		}
		return do(req)
	}, retry.Attempts(3))
}

// Attempts end before the key does.
func (s *shop) quickAttempts(ctx context.Context, cmd command) error {
	policy := retrypolicy.NewBuilder[any]().WithBackoff(500*time.Millisecond, time.Second).WithJitterFactor(0.1).Build()
	return failsafe.With(policy, timeout.New[any](5*time.Second)).Run(func() error { // site "attempts=3 total=16.6s effect=keyed"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	})
}

// How long it waits, only its caller knows.
func (s *shop) unknownPauses(ctx context.Context, pause time.Duration, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 sleep=unknown effect=keyed" // want "^resilint: not provable: window: delay: parameter pause$"
		return s.bank.Send(ctx, http.MethodPost, "/payments", "Idempotency-Key", cmd.Key)
	}, retry.Attempts(3), retry.Delay(pause))
}

// Reads by declaration: one path, one element, and all below a path.
func (s *shop) reads(ctx context.Context, kind string) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		if err := s.bank.Plain(ctx, http.MethodPost, "/status"); err != nil {
			return err
		}
		return s.bank.Plain(ctx, http.MethodPost, "/reports/"+kind)
	}, retry.Attempts(3))
}

func readsBelow(ctx context.Context, id string) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		req, err := http.NewRequestWithContext(ctx, http.MethodDelete, "https://api.bank.example/cache/cards/"+id, nil)
		if err != nil {
			return err
		}
		return do(req)
	}, retry.Attempts(3))
}

// A read needs no promise, and no key.
func readsOfPost(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		return post.Send(ctx, http.MethodGet, "/letters", cmd.Key)
	}, retry.Attempts(3))
}

// Once is no retry.
func sentOnce(ctx context.Context, cmd command) error {
	return post.Send(ctx, http.MethodPost, "/letters", cmd.Key)
}

// The code says itself that it only reads, whatever the system lists.
func declaredRead(ctx context.Context) error {
	return retry.Do(func() error { return find(ctx) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

//resilint:read the bank searches by POST
func find(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.bank.example/orders/find", nil)
	if err != nil {
		return err
	}
	return do(req)
}
