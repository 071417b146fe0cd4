// Package heimdall has the ways to configure gojek/heimdall.
package heimdall

import (
	"time"

	"github.com/gojek/heimdall/v7"
	"github.com/gojek/heimdall/v7/httpclient"
)

func withoutRetrier() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithRetryCount(2)) // want "X3: 3 attempts without a pause: all are spent" // want "RE-4: lasts up to 1m30s .3 attempts of up to 30s each.: the timeout of an attempt is what to lower" // site "attempts=3 backoff=none sleep=0s total=1m30s predicate=status:500-599 mechanism=builtin"
}

func constant() *httpclient.Client {
	return httpclient.NewClient( // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s total=11s"
		httpclient.WithRetryCount(3),
		httpclient.WithHTTPTimeout(2*time.Second),
		httpclient.WithRetrier(heimdall.NewRetrier(heimdall.NewConstantBackoff(time.Second, 0))),
	)
}

func exponential() *httpclient.Client {
	backoff := heimdall.NewExponentialBackoff(500*time.Millisecond, 5*time.Second, 2, 100*time.Millisecond)
	return httpclient.NewClient( // site "attempts=3 backoff=exponential+jitter sleep=1.7s total=7.7s"
		httpclient.WithRetryCount(2),
		httpclient.WithHTTPTimeout(2*time.Second),
		httpclient.WithRetrier(heimdall.NewRetrier(backoff)),
	)
}

func noRetries() *httpclient.Client {
	return httpclient.NewClient(httpclient.WithHTTPTimeout(time.Second)) // nosite
}
