// Package backoff has the signatures of github.com/kamilsk/retry/v5/backoff.
package backoff

import "time"

type Algorithm = func(attempt uint) time.Duration

func Constant(duration time.Duration) Algorithm { panic("a stub") }

func BinaryExponential(factor time.Duration) Algorithm { panic("a stub") }
