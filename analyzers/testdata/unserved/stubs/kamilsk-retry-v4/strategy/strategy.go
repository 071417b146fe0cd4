// Package strategy has the signatures of github.com/kamilsk/retry/v4/strategy.
package strategy

import "time"

type Strategy func(attempt uint, err error) bool

func Limit(attemptLimit uint) Strategy { panic("a stub") }

func Wait(durations ...time.Duration) Strategy { panic("a stub") }
