package retrywritecalls

import (
	"context"
	"time"

	"example.test/other/sdk"
	"github.com/avast/retry-go/v4"
	"github.com/aws/aws-sdk-go-v2/aws"
	gofrs "github.com/gofrs/uuid"
	"github.com/google/uuid"
	hashicorp "github.com/hashicorp/go-uuid"
	"github.com/rs/xid"
	satori "github.com/satori/go.uuid"
)

func (s *service) inAField() error {
	return retry.Do(func() error { // want "^X1: each of 3 attempts of sdk\\.Client\\.CreateZone gets another ClientToken: uuid\\.NewString runs inside the retry$" // site "attempts=3 effect=write"
		return s.client.CreateZone(&sdk.CreateInput{Name: "a", ClientToken: uuid.NewString()})
	}, retry.Attempts(3))
}

func (s *service) byAHelper() error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.BatchCreateZones gets another ClientToken: uuid.NewString"
		return s.client.BatchCreateZones(sdk.CreateInput{ClientToken: newToken()})
	}, retry.Attempts(3))
}

func (s *service) inAnInputMadeByAHelper() error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken: uuid.NewString"
		return s.with(func(c *sdk.Client) error { return c.CreateZone(input("b")) })
	}, retry.Attempts(3))
}

func (s *service) writtenLater() error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken: time.Now"
		in := &sdk.CreateInput{Name: "c"}
		in.ClientToken = ofTheClock(in.Name)
		return s.client.CreateZone(in)
	}, retry.Attempts(3))
}

func (s *service) asAnArgument(zone string) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.AddRecord gets another clientToken: uuid.NewString"
		return s.client.AddRecord(zone, newToken())
	}, retry.Attempts(3))
}

func pay(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Pay gets another idempotency_key: xid.New"
		return sdk.Pay(ctx, 7, xid.New().String())
	}, retry.Attempts(3))
}

func (s *service) behindAPointer(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.Run gets another ClientRequestToken: uuid.NewString"
		token := uuid.NewString()
		_, err := s.client.Run(ctx, &sdk.RunInput{Count: 1, ClientRequestToken: &token})
		return err
	}, retry.Attempts(3))
}

func (s *service) behindAPointerOfTheSDK(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.Run gets another ClientRequestToken: go.uuid.NewV4"
		_, err := s.client.Run(ctx, &sdk.RunInput{ClientRequestToken: aws.String(satori.NewV4().String())})
		return err
	}, retry.Attempts(3))
}

func (s *service) inAnotherHelper(ctx context.Context) error {
	return again(ctx, func() error { // want "X1: each of 4 attempts of sdk.Client.CreateZone gets another ClientToken: go-uuid.GenerateUUID"
		token, err := hashicorp.GenerateUUID()
		if err != nil {
			return err
		}
		return s.create(token)
	})
}

func (s *service) create(token string) error {
	return s.client.CreateZone(&sdk.CreateInput{ClientToken: token})
}

func throughAnInterface(z zones) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken: uuid.NewV4"
		return z.CreateZone(&sdk.CreateInput{ClientToken: gofrs.Must(gofrs.NewV4()).String()})
	}, retry.Attempts(3))
}

func (s *service) inALoop() error {
	var err error
	for range 3 { // want "X3: 3 attempts a constant" "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken: uuid.NewString"
		if err = s.client.CreateZone(&sdk.CreateInput{ClientToken: uuid.NewString()}); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *service) inALoopByAHelper() error {
	var err error
	for range 3 { // want "X3: 3 attempts a constant" "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken: uuid.NewString"
		if err = s.create(newToken()); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// One of two calls is a delete: the other counts.
func (s *service) secondOfTwo() error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of sdk.Client.CreateZone gets another ClientToken" // site "effect=mixed"
		if err := s.client.BatchDeleteZones(&sdk.CreateInput{ClientToken: newToken()}); err != nil {
			return err
		}
		return s.client.CreateZone(&sdk.CreateInput{ClientToken: newToken()})
	}, retry.Attempts(3))
}

func (s *service) oncePerCall() error {
	in := &sdk.CreateInput{Name: "d", ClientToken: uuid.NewString()}
	return retry.Do(func() error { // want "^X1: the ClientToken of sdk\\.Client\\.CreateZone is made by the call that retries \\(uuid\\.NewString\\): a caller that tries again makes another$"
		return s.client.CreateZone(in)
	}, retry.Attempts(3))
}

func (s *service) oncePerCallByAHelper() error {
	in := input("e")
	return retry.Do(func() error { // want "X1: the ClientToken of sdk.Client.CreateZone is made by the call that retries"
		return s.with(func(c *sdk.Client) error { return c.CreateZone(in) })
	}, retry.Attempts(3))
}

func (s *service) oncePerItem(names []string) error {
	for _, name := range names {
		token := uuid.NewString()
		var err error
		for range 3 { // want "X3: 3 attempts a constant" "X1: the ClientToken of sdk.Client.CreateZone is made by the call that retries"
			if err = s.client.CreateZone(&sdk.CreateInput{Name: name, ClientToken: token}); err == nil {
				break
			}
			time.Sleep(time.Second)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
