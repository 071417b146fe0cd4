package gokit

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/go-kit/kit/sd"
	"github.com/go-kit/kit/sd/lb"
	httptransport "github.com/go-kit/kit/transport/http"
	"github.com/go-kit/log"

	"github.com/resilint/resilint/analyzers/testdata/libs/lib/gokit/profiles"
)

func factoryFor(makeEndpoint func(profiles.Service) endpoint.Endpoint) sd.Factory {
	return func(instance string) (endpoint.Endpoint, io.Closer, error) {
		service, err := profiles.MakeClient(instance)
		if err != nil {
			return nil, nil, err
		}
		return makeEndpoint(service), nil, nil
	}
}

// Each instance answers by an endpoint that sends.
func newClient(instancer sd.Instancer, logger log.Logger) (e profiles.Endpoints) {
	{
		factory := factoryFor(profiles.MakePost)
		endpointer := sd.NewEndpointer(instancer, factory, logger)
		retry := lb.Retry(3, time.Second, lb.NewRoundRobin(endpointer)) // want "^X1: POST may be applied up to 3 times: no idempotency key \\(newClient -> profiles\\.MakePost -> profiles\\.Endpoints\\.Post -> http\\.Client\\.Endpoint\\)$" "X3: 3 attempts without a pause" // site "attempts=3 effect=write"
		e.PostEndpoint = retry
	}
	{
		factory := factoryFor(profiles.MakeGet)
		endpointer := sd.NewEndpointer(instancer, factory, logger)
		e.GetEndpoint = lb.Retry(3, time.Second, lb.NewRandom(endpointer, 7)) // want "X3: 3 attempts without a pause" // site "attempts=3"
	}
	{
		factory := factoryFor(profiles.MakePay)
		endpointer := sd.NewEndpointer(instancer, factory, logger)
		e.PayEndpoint = lb.Retry(3, time.Second, lb.NewRoundRobin(endpointer)) // want "X3: 3 attempts without a pause" // site "attempts=3"
	}
	return e
}

func proxy(method string, options ...httptransport.ClientOption) sd.Factory {
	return func(instance string) (endpoint.Endpoint, io.Closer, error) {
		u, err := url.Parse("https://" + instance)
		if err != nil {
			return nil, nil, err
		}
		return httptransport.NewClient(method, u, encode, decode, options...).Endpoint(), nil, nil
	}
}

func encode(_ context.Context, req *http.Request, request interface{}) error {
	req.Header.Set("Content-Type", "application/json")
	return nil
}

func decode(context.Context, *http.Response) (interface{}, error) { return nil, nil }

func direct(instancer sd.Instancer, logger log.Logger) []endpoint.Endpoint {
	retried := func(f sd.Factory) endpoint.Endpoint {
		return lb.Retry(3, time.Second, lb.NewRoundRobin(sd.NewEndpointer(instancer, f, logger))) // want "X3: 3 attempts without a pause" // site "attempts=3"
	}
	put := sd.NewEndpointer(instancer, proxy("PUT"), logger)
	get := sd.NewEndpointer(instancer, proxy("GET"), logger)
	return []endpoint.Endpoint{
		lb.Retry(3, time.Second, lb.NewRoundRobin(put)), // want "X1: PUT may be applied up to 3 times" "X3: 3 attempts" // site "attempts=3 effect=write"
		lb.Retry(3, time.Second, lb.NewRoundRobin(get)), // want "X3: 3 attempts" // site "attempts=3 effect=read"
		retried(proxy("POST")),
	}
}

// A function of the user's is given the request before it is sent.
func before(instancer sd.Instancer, logger log.Logger, sign httptransport.RequestFunc) endpoint.Endpoint {
	signed := sd.NewEndpointer(instancer, proxy("POST", httptransport.ClientBefore(sign)), logger)
	return lb.Retry(3, time.Second, lb.NewRoundRobin(signed)) // want "X3: 3 attempts" // site "attempts=3 effect=unknown"
}

// An encoder that is not seen may add a key.
func encodedElsewhere(instancer sd.Instancer, logger log.Logger, u *url.URL) endpoint.Endpoint {
	factory := func(string) (endpoint.Endpoint, io.Closer, error) {
		return httptransport.NewClient("POST", u, httptransport.EncodeJSONRequest, decode).Endpoint(), nil, nil
	}
	return lb.Retry(3, time.Second, lb.NewRoundRobin(sd.NewEndpointer(instancer, factory, logger))) // want "X3: 3 attempts" // site "attempts=3 effect=unknown"
}

// An endpoint that is not retried sends once.
func sentOnce(u *url.URL) endpoint.Endpoint {
	return httptransport.NewClient("POST", u, httptransport.EncodeJSONRequest, decode).Endpoint()
}
