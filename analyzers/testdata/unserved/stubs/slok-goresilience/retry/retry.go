// Package retry has the signatures of github.com/slok/goresilience/retry.
package retry

import (
	"time"

	"github.com/slok/goresilience"
)

type Config struct {
	WaitBase       time.Duration
	DisableBackoff bool
	Times          int
}

func New(cfg Config) goresilience.Runner { panic("a stub") }

func NewMiddleware(cfg Config) goresilience.Middleware { panic("a stub") }
