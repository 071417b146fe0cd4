// Package resty has the ways to configure retries of resty's client.
package resty

import (
	"time"

	"github.com/go-resty/resty/v2"
	restyv3 "resty.dev/v3"
)

func chain() *resty.Client {
	return resty.New().SetRetryCount(2).SetRetryWaitTime(500 * time.Millisecond).SetRetryMaxWaitTime(2 * time.Second) // site "attempts=3 backoff=exponential+jitter sleep=1.5s mechanism=builtin"
}

func statements() *resty.Client {
	c := resty.New() // want "RE-3: 7 attempts over [0-9.ms]+; at most 5, 3 is typical" // site "attempts=7 sleep=5.1s"
	c.SetRetryCount(6)
	c.SetTimeout(time.Second)
	return c
}

func fields() *resty.Client {
	c := resty.New() // site "attempts=3 sleep=600ms"
	c.RetryCount = 2
	c.RetryWaitTime = 200 * time.Millisecond
	return c
}

func retriesOff() *resty.Client {
	return resty.New().SetTimeout(time.Second) // nosite
}

func retryCountOfZero() *resty.Client {
	return resty.New().SetRetryCount(0) // nosite
}

type gateway struct{ http *resty.Client }

func newGateway() *gateway {
	g := &gateway{http: resty.New()} // site "attempts=3 sleep=300ms"
	g.http.SetRetryCount(2)
	return g
}

func version3() *restyv3.Client {
	return restyv3.New().SetRetryCount(2).SetRetryWaitTime(100 * time.Millisecond).SetRetryMaxWaitTime(time.Second) // site "attempts=3 backoff=exponential+jitter sleep=600ms mechanism=builtin"
}

// Version 3 sends PUT again, but neither POST nor PATCH unless it is told so.
func version3post(c charge) error {
	_, err := restyv3.New().SetRetryCount(2).R().SetBody(c).Post("https://pay.example/charges") // site "attempts=3 mechanism=builtin"
	return err
}

func version3put(c charge) error {
	_, err := restyv3.New().SetRetryCount(2).R().SetBody(c).Put("https://pay.example/charges/1") // want "X1: PUT /charges/1 may be applied up to 3 times" // site "attempts=3" // site "attempts=3 mechanism=builtin"
	return err
}

func version3postAllowed(c charge) error {
	_, err := restyv3.New().SetRetryCount(2).SetRetryAllowNonIdempotent(true).R().SetBody(c).Post("https://pay.example/charges") // want "X1: POST /charges may be applied up to 3 times" // site "attempts=3" // site "attempts=3 mechanism=builtin"
	return err
}

type charge struct{ Amount int }
