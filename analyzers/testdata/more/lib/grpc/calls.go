package grpc

import (
	"context"
	"errors"
	"time"

	tfretry "github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
	"github.com/zeromicro/go-zero/core/fx"
	"google.golang.org/grpc/metadata"

	"github.com/resilint/resilint/analyzers/testdata/more/lib/grpc/pay"
)

type payments struct{ client pay.PaymentsClient }

func (p *payments) create(ctx context.Context, in *pay.Payment) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" "^X1: pay\\.PaymentsClient\\.CreatePayment may be applied up to 3 times: no idempotency key \\(create -> pay\\.PaymentsClient\\.CreatePayment\\)$" // site "attempts=3 effect=write"
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_, err := p.client.CreatePayment(ctx, in)
		return err
	}, fx.WithRetry(3), fx.WithInterval(0))
}

func (p *payments) inALoop(ctx context.Context, in *pay.Payment) error {
	var err error
	for range 3 { // want "X3: 3 attempts a constant 1s apart" "X1: pay.PaymentsClient.CreatePayment may be applied up to 3 times" // site "attempts=3 effect=write"
		if _, err = p.client.CreatePayment(ctx, in); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (p *payments) anotherKeyEach(ctx context.Context) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" "X1: each of 3 attempts of pay.PaymentsClient.CreateKeyed gets another IdempotencyKey: time.Now"
		_, err := p.client.CreateKeyed(ctx, &pay.Keyed{IdempotencyKey: time.Now().String()})
		return err
	})
}

func (p *payments) keyed(ctx context.Context, key string) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" // site "attempts=3"
		_, err := p.client.CreateKeyed(ctx, &pay.Keyed{IdempotencyKey: key})
		return err
	})
}

// The message may tell the request from its repeat.
func (p *payments) told(ctx context.Context, in *pay.Told) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" // site "attempts=3"
		_, err := p.client.SendTold(ctx, in)
		return err
	})
}

// So may what travels with the call.
func (p *payments) keyInMetadata(ctx context.Context, key string, in *pay.Payment) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "idempotency-key", key)
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" // site "attempts=3"
		_, err := p.client.CreatePayment(ctx, in)
		return err
	})
}

func (p *payments) reads(ctx context.Context, in *pay.Payment) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" // site "attempts=3 effect=read"
		_, err := p.client.GetPayment(ctx, in)
		return err
	})
}

// What a name does not say clearly is not held against it.
func (p *payments) calculates(ctx context.Context, in *pay.Payment) error {
	return fx.DoWithRetry(func() error { // want "X3: 3 attempts without" // site "attempts=3 effect=unknown"
		if _, err := p.client.CalculateFee(ctx, in); err != nil {
			return err
		}
		_, err := p.client.UpdatePayment(ctx, in)
		return err
	})
}

// An error of the write ends the retry.
func (p *payments) once(ctx context.Context, in *pay.Payment) error {
	return tfretry.RetryContext(ctx, time.Minute, func() *tfretry.RetryError { // want "RE-3: 10 attempts" "RE-4: waits" "RE-2: exponential" // site "attempts=10"
		if _, err := p.client.GetPayment(ctx, in); err != nil {
			return tfretry.RetryableError(err)
		}
		if _, err := p.client.CreatePayment(ctx, in); err != nil {
			return tfretry.NonRetryableError(err)
		}
		return nil
	})
}

// It asks for a state until that has come: an error ends it.
func (p *payments) polls(ctx context.Context, in *pay.Payment) error {
	return tfretry.RetryContext(ctx, time.Minute, func() *tfretry.RetryError { // nosite
		fee, err := p.client.CalculateFee(ctx, in)
		if err != nil {
			return tfretry.NonRetryableError(err)
		}
		if fee.Amount == 0 {
			return tfretry.RetryableError(errors.New("not yet"))
		}
		return nil
	})
}
