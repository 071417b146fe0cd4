// Package sdk is a cloud's client: what it sends is not seen.
package sdk

import "context"

type Client struct{ Endpoint string }

type CreateInput struct {
	Name        string
	ClientToken string
}

type RunInput struct {
	Count              int
	ClientRequestToken *string
}

type Page struct{ RequestToken []byte }

func (c *Client) CreateZone(in *CreateInput) error                       { return nil }
func (c *Client) DescribeZone(in *CreateInput) error                     { return nil }
func (c *Client) DeleteZone(in *CreateInput) error                       { return nil }
func (c *Client) BatchDeleteZones(in *CreateInput) error                 { return nil }
func (c *Client) BatchCreateZones(in CreateInput) error                  { return nil }
func (c *Client) AddRecord(zone string, clientToken string) error        { return nil }
func (c *Client) Run(ctx context.Context, in *RunInput) (string, error)  { return "", nil }
func (c *Client) Log(in *CreateInput)                                    {}
func (c *Client) Next(p *Page) error                                     { return nil }
func (in *CreateInput) Validate() error                                  { return nil }
func Pay(ctx context.Context, amount int, idempotency_key string) error  { return nil }
func Charge(ctx context.Context, amount int, correlationID string) error { return nil }
