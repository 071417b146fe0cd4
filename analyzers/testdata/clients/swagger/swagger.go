// Package swagger is as go-swagger generates clients.
package swagger

import (
	"context"

	"github.com/go-openapi/runtime"
	"github.com/go-openapi/strfmt"
)

type ClientOption func(*runtime.ClientOperation)

type ClientService interface {
	Create(params *CreateParams, opts ...ClientOption) (any, error)
	CreateKeyed(params *CreateKeyedParams, opts ...ClientOption) (any, error)
	Get(params *CreateParams, opts ...ClientOption) (any, error)
}

func New(transport runtime.ClientTransport) ClientService { return &Client{transport} }

type Client struct{ transport runtime.ClientTransport }

type CreateParams struct {
	Body    any
	Context context.Context
}

func (o *CreateParams) WriteToRequest(r runtime.ClientRequest, _ strfmt.Registry) error {
	return r.SetBodyParam(o.Body)
}

type CreateKeyedParams struct {
	XIdempotencyKey string
	Context         context.Context
}

func (o *CreateKeyedParams) WriteToRequest(r runtime.ClientRequest, _ strfmt.Registry) error {
	return r.SetHeaderParam("X-Idempotency-Key", o.XIdempotencyKey)
}

func (a *Client) Create(params *CreateParams, opts ...ClientOption) (any, error) {
	op := &runtime.ClientOperation{
		ID:          "Create",
		Method:      "POST",
		PathPattern: "/projects/{id}",
		Params:      params,
		Context:     params.Context,
	}
	for _, opt := range opts {
		opt(op)
	}
	return a.transport.Submit(op)
}

func (a *Client) CreateKeyed(params *CreateKeyedParams, opts ...ClientOption) (any, error) {
	op := &runtime.ClientOperation{
		ID:          "CreateKeyed",
		Method:      "POST",
		PathPattern: "/projects",
		Params:      params,
		Context:     params.Context,
	}
	for _, opt := range opts {
		opt(op)
	}
	return a.transport.Submit(op)
}

func (a *Client) Get(params *CreateParams, opts ...ClientOption) (any, error) {
	op := &runtime.ClientOperation{ID: "Get", Method: "GET", PathPattern: "/projects/{id}", Params: params, Context: params.Context}
	for _, opt := range opts {
		opt(op)
	}
	return a.transport.Submit(op)
}
