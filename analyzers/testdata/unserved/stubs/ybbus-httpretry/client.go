// Package httpretry has the signatures of github.com/ybbus/httpretry.
package httpretry

import "net/http"

type Option func(*RetryRoundtripper)

type RetryRoundtripper struct {
	Next          http.RoundTripper
	MaxRetryCount int
}

func NewDefaultClient(opts ...Option) *http.Client { panic("a stub") }

func NewCustomClient(client *http.Client, opts ...Option) *http.Client { panic("a stub") }

func WithMaxRetryCount(maxRetryCount int) Option { panic("a stub") }
