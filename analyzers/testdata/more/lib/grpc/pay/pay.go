// Package pay has a client as protoc-gen-go-grpc generates it.
package pay

import (
	"context"

	"google.golang.org/grpc"
)

type Payment struct {
	Amount int64
	ID     string
}

type Keyed struct {
	Amount         int64
	IdempotencyKey string
}

type Told struct{ RequestId string }

type PaymentsClient interface {
	CreatePayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error)
	GetPayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error)
	UpdatePayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error)
	CalculateFee(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error)
	CreateKeyed(ctx context.Context, in *Keyed, opts ...grpc.CallOption) (*Payment, error)
	SendTold(ctx context.Context, in *Told, opts ...grpc.CallOption) (*Payment, error)
}

type paymentsClient struct{ cc grpc.ClientConnInterface }

func NewPaymentsClient(cc grpc.ClientConnInterface) PaymentsClient { return &paymentsClient{cc} }

func (c *paymentsClient) invoke(ctx context.Context, method string, in any, opts []grpc.CallOption) (*Payment, error) {
	out := new(Payment)
	if err := c.cc.Invoke(ctx, method, in, out, opts...); err != nil {
		return nil, err
	}
	return out, nil
}

func (c *paymentsClient) CreatePayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/CreatePayment", in, opts)
}

func (c *paymentsClient) GetPayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/GetPayment", in, opts)
}

func (c *paymentsClient) UpdatePayment(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/UpdatePayment", in, opts)
}

func (c *paymentsClient) CalculateFee(ctx context.Context, in *Payment, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/CalculateFee", in, opts)
}

func (c *paymentsClient) CreateKeyed(ctx context.Context, in *Keyed, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/CreateKeyed", in, opts)
}

func (c *paymentsClient) SendTold(ctx context.Context, in *Told, opts ...grpc.CallOption) (*Payment, error) {
	return c.invoke(ctx, "/pay.Payments/SendTold", in, opts)
}
