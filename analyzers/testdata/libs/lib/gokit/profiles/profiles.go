// Package profiles is a service of go-kit, its endpoints and its transport.
package profiles

import (
	"context"
	"net/http"
	"net/url"

	"github.com/go-kit/kit/endpoint"
	httptransport "github.com/go-kit/kit/transport/http"
)

type Service interface {
	Post(ctx context.Context, p string) error
	Get(ctx context.Context, id string) error
	Pay(ctx context.Context, key string) error
}

// Endpoints is the service by its endpoints.
type Endpoints struct{ PostEndpoint, GetEndpoint, PayEndpoint endpoint.Endpoint }

func (e Endpoints) Post(ctx context.Context, p string) error {
	_, err := e.PostEndpoint(ctx, p)
	return err
}

func (e Endpoints) Get(ctx context.Context, id string) error {
	_, err := e.GetEndpoint(ctx, id)
	return err
}

func (e Endpoints) Pay(ctx context.Context, key string) error {
	_, err := e.PayEndpoint(ctx, key)
	return err
}

// logging is the service with something around it.
type logging struct{ next Service }

func (l logging) Post(ctx context.Context, p string) error  { return l.next.Post(ctx, p) }
func (l logging) Get(ctx context.Context, id string) error  { return l.next.Get(ctx, id) }
func (l logging) Pay(ctx context.Context, key string) error { return l.next.Pay(ctx, key) }

func MakePost(s Service) endpoint.Endpoint {
	return func(ctx context.Context, request interface{}) (interface{}, error) {
		return nil, s.Post(ctx, request.(string))
	}
}

func MakeGet(s Service) endpoint.Endpoint {
	return func(ctx context.Context, request interface{}) (interface{}, error) {
		return nil, s.Get(ctx, request.(string))
	}
}

func MakePay(s Service) endpoint.Endpoint {
	return func(ctx context.Context, request interface{}) (interface{}, error) {
		return nil, s.Pay(ctx, request.(string))
	}
}

// MakeClient makes the endpoints of a remote instance.
func MakeClient(instance string) (Endpoints, error) {
	u, err := url.Parse(instance)
	if err != nil {
		return Endpoints{}, err
	}
	options := []httptransport.ClientOption{}
	return Endpoints{
		PostEndpoint: httptransport.NewClient("POST", u, encode, decode, options...).Endpoint(),
		GetEndpoint:  httptransport.NewClient("GET", u, encode, decode, options...).Endpoint(),
		PayEndpoint:  httptransport.NewClient("POST", u, encodeWithKey, decode, options...).Endpoint(),
	}, nil
}

func encode(_ context.Context, req *http.Request, request interface{}) error {
	req.URL.Path = "/profiles/"
	return nil
}

func encodeWithKey(_ context.Context, req *http.Request, request interface{}) error {
	req.Header.Set("Idempotency-Key", request.(string))
	return nil
}

func decode(context.Context, *http.Response) (interface{}, error) { return nil, nil }
