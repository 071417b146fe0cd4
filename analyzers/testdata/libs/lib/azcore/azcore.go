// Package azcore has the ways to configure retries of the Azure SDK.
package azcore

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

func many() *policy.ClientOptions {
	return &policy.ClientOptions{ // want "RE-3: 9 attempts over 3m40.8s; at most 5, 3 is typical" "RE-4: waits up to 3m59.2s in memory" // site "attempts=9 backoff=exponential+jitter sleep=3m59.2s mechanism=builtin"
		Retry: policy.RetryOptions{MaxRetries: 8},
	}
}

func few() *policy.ClientOptions {
	return &policy.ClientOptions{ // site "attempts=3 backoff=exponential+jitter sleep=2.6s"
		Retry: policy.RetryOptions{MaxRetries: 2, RetryDelay: 500 * time.Millisecond},
	}
}

func switchedOff() *policy.ClientOptions {
	return &policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}} // nosite
}
