// Package pester has the ways to configure the client of sethgrid/pester.
package pester

import (
	"net/http"

	"github.com/sethgrid/pester"
)

func packageFunction() (*http.Response, error) {
	return pester.Get("https://pay.example/status") // want "X3: 3 attempts a constant 1s apart .pester defaults, nothing set here." // site "attempts=3 backoff=constant sleep=2s mechanism=builtin default=true"
}

func fields() *pester.Client {
	c := pester.New() // site "attempts=3 backoff=exponential+jitter sleep=7.99s mechanism=builtin" // want "RE-4: waits up to 7.99s in memory .3 attempts: 2.66s, 5.33s.: callers pile up behind it"
	c.Backoff = pester.ExponentialJitterBackoff
	return c
}

func maxRetriesAreAttempts() *pester.Client {
	c := pester.New() // want "RE-3: 8 attempts over 7s; at most 5, 3 is typical" "X3: 8 attempts a constant 1s apart" // site "attempts=8 sleep=7s"
	c.MaxRetries = 8
	return c
}

func linear() *pester.Client {
	c := pester.New() // want "X3: pauses grow linearly .1s, 2s." // site "attempts=3 backoff=linear sleep=3s"
	c.Backoff = pester.LinearBackoff
	return c
}

func switchedOff() *pester.Client {
	c := pester.New() // nosite
	c.MaxRetries = 1
	return c
}

func backoffOfOurOwn(b pester.BackoffStrategy) *pester.Client {
	c := pester.New() // site "attempts=3 backoff=unknown sleep=unknown"
	c.Backoff = b
	return c
}
