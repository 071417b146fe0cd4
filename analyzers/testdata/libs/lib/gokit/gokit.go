// Package gokit has the endpoints of go-kit that retry by themselves.
package gokit

import (
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/go-kit/kit/sd/lb"
)

func five(b lb.Balancer) endpoint.Endpoint {
	return lb.Retry(5, 2*time.Second, b) // want "X3: 5 attempts without a pause" // site "attempts=5 backoff=none sleep=0s predicate=catch-all mechanism=builtin"
}

func many(b lb.Balancer) endpoint.Endpoint {
	retry := lb.Retry(10, 2*time.Second, b) // want "RE-3: 10 attempts; at most 5" "X3: 10 attempts without a pause" // site "attempts=10"
	return retry
}

func once(b lb.Balancer) endpoint.Endpoint {
	return lb.Retry(1, 2*time.Second, b) // nosite
}

// The callback decides: nothing is known here.
func callback(b lb.Balancer) endpoint.Endpoint {
	return lb.RetryWithCallback(time.Second, b, func(n int, err error) (bool, error) { return n < 3, nil }) // nosite
}

type instances struct{ retries int }

func (i *instances) endpoint(b lb.Balancer) endpoint.Endpoint {
	return lb.Retry(i.retries, time.Second, b) // nosite
}
