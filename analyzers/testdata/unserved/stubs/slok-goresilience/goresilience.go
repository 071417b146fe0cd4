// Package goresilience has the signatures of github.com/slok/goresilience.
package goresilience

import "context"

type Func func(ctx context.Context) error

type Runner interface {
	Run(ctx context.Context, f Func) error
}

type Middleware func(Runner) Runner

func RunnerChain(middlewares ...Middleware) Runner { panic("a stub") }
