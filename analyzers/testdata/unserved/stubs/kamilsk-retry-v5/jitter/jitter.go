// Package jitter has the signatures of github.com/kamilsk/retry/v5/jitter.
package jitter

import (
	"math/rand"
	"time"
)

func Full(generator *rand.Rand) func(duration time.Duration) time.Duration { panic("a stub") }
