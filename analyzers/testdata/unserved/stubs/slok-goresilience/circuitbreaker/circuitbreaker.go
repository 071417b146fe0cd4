// Package circuitbreaker has the signatures of
// github.com/slok/goresilience/circuitbreaker.
package circuitbreaker

import "github.com/slok/goresilience"

type Config struct{ ErrorPercentThresholdToOpen int }

func New(cfg Config) goresilience.Runner { panic("a stub") }

func NewMiddleware(cfg Config) goresilience.Middleware { panic("a stub") }
