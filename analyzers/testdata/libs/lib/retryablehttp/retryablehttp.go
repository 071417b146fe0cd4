// Package retryablehttp has the ways to configure hashicorp/go-retryablehttp.
package retryablehttp

import (
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func defaults() *http.Client {
	c := retryablehttp.NewClient() // want "RE-4: waits up to 15s in memory .go-retryablehttp defaults, 5 attempts.: callers pile up behind it" "RE-2: exponential without jitter .1s, 2s, 4s, 8s. .go-retryablehttp defaults, nothing set here." // site "attempts=5 backoff=exponential sleep=15s predicate=status:429,500,502-599 mechanism=builtin default=true"
	return c.StandardClient()
}

func fields() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter .500ms, 1s." // site "attempts=3 backoff=exponential sleep=1.5s"
	c.RetryMax = 2
	c.RetryWaitMin = 500 * time.Millisecond
	c.RetryWaitMax = 5 * time.Second
	return c
}

func switchedOff() *retryablehttp.Client {
	c := retryablehttp.NewClient() // nosite
	c.RetryMax = 0
	return c
}

func many() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "RE-3: 11 attempts over [0-9.ms]+; at most 5" "RE-4: waits up to 3m1s in memory .11 attempts.: a restart loses it" "RE-2: exponential without jitter" // site "attempts=11 sleep=3m1s"
	c.RetryMax = 10
	return c
}

func linearJitter() *retryablehttp.Client {
	c := retryablehttp.NewClient() // want "^RSL-AFTER" "X3: pauses grow linearly" // site "attempts=3 backoff=linear+jitter sleep=3s"
	c.RetryMax = 2
	c.RetryWaitMax = time.Second
	c.Backoff = retryablehttp.LinearJitterBackoff
	return c
}

func packageFunction() (*http.Response, error) {
	return retryablehttp.Get("https://pay.example/status") // want "RE-4: waits up to 15s in memory" "RE-2: exponential without jitter" // site "attempts=5 mechanism=builtin"
}
