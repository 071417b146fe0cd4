package retrywritecalls

import (
	"context"

	"example.test/other/sdk"
	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
)

func (s *service) stored(ctx context.Context, token string) error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		return s.client.CreateZone(&sdk.CreateInput{ClientToken: token})
	}, retry.Attempts(3))
}

// Made when the service was: not by an attempt.
func (s *service) ofTheService() error {
	return retry.Do(func() error { // site "attempts=3"
		return s.client.CreateZone(&sdk.CreateInput{ClientToken: s.session})
	}, retry.Attempts(3))
}

var process = uuid.NewString()

func (s *service) ofTheProcess() error {
	return retry.Do(func() error { // site "attempts=3"
		return s.client.AddRecord("zone", process)
	}, retry.Attempts(3))
}

func (s *service) filledOnce() error {
	token := ""
	return retry.Do(func() error { // site "attempts=3"
		if token == "" {
			token = uuid.NewString()
		}
		return s.client.CreateZone(&sdk.CreateInput{ClientToken: token})
	}, retry.Attempts(3))
}

func (s *service) ofOneThatThereIs(known string) error {
	return retry.Do(func() error { // site "attempts=3"
		token := known
		if token == "" {
			token = uuid.NewString()
		}
		return s.client.CreateZone(&sdk.CreateInput{ClientToken: token})
	}, retry.Attempts(3))
}

func (s *service) withoutOne() error {
	return retry.Do(func() error { // site "attempts=3 effect=unknown"
		return s.client.CreateZone(&sdk.CreateInput{Name: "a"})
	}, retry.Attempts(3))
}

func (s *service) onlyReads() error {
	return retry.Do(func() error { // site "attempts=3"
		return s.client.DescribeZone(&sdk.CreateInput{ClientToken: newToken()})
	}, retry.Attempts(3))
}

// What is gone is gone.
func (s *service) deletes() error {
	return retry.Do(func() error { // site "attempts=3"
		if err := s.client.DeleteZone(&sdk.CreateInput{ClientToken: newToken()}); err != nil {
			return err
		}
		return s.client.BatchDeleteZones(&sdk.CreateInput{ClientToken: newToken()})
	}, retry.Attempts(3))
}

// What cannot fail is no request, and what is asked of the input itself is none.
func (s *service) logs(token string) error {
	return retry.Do(func() error { // site "attempts=3"
		in := input("b")
		s.client.Log(in)
		if err := in.Validate(); err != nil {
			return err
		}
		return s.client.Next(&sdk.Page{RequestToken: []byte(token)})
	}, retry.Attempts(3))
}

func correlated(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3"
		return sdk.Charge(ctx, 7, uuid.NewString())
	}, retry.Attempts(3))
}

//resilint:idempotent a zone exists once
func (s *service) declared() error {
	return s.client.CreateZone(&sdk.CreateInput{Name: "c", ClientToken: newToken()})
}

func (s *service) callsTheDeclared() error {
	return retry.Do(s.declared, retry.Attempts(3)) // site "attempts=3"
}

// A failed write ends the retry: only the read before it is repeated.
func (s *service) permanent() error {
	return retry.Do(func() error { // site "attempts=3"
		if err := s.client.DescribeZone(&sdk.CreateInput{Name: "d"}); err != nil {
			return err
		}
		err := s.with(func(c *sdk.Client) error { return c.CreateZone(input("d")) })
		if err != nil {
			return retry.Unrecoverable(err)
		}
		return nil
	}, retry.Attempts(3))
}

// One attempt per name is no retry.
func (s *service) each(names []string) error {
	for _, name := range names {
		if err := s.client.CreateZone(input(name)); err != nil {
			return err
		}
	}
	return nil
}
