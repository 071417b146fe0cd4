// Package retry has the signatures of github.com/giantswarm/retry-go.
package retry

import "time"

type RetryOption func(options *retryOptions)

type retryOptions struct{ _ int }

func Do(op func() error, retryOptions ...RetryOption) error { panic("a stub") }

func Timeout(d time.Duration) RetryOption { panic("a stub") }

func MaxTries(tries int) RetryOption { panic("a stub") }

func Sleep(d time.Duration) RetryOption { panic("a stub") }

func RetryChecker(checker func(err error) bool) RetryOption { panic("a stub") }
