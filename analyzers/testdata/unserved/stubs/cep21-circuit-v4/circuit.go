// Package circuit has the signatures of github.com/cep21/circuit/v4.
package circuit

import "context"

type Circuit struct{ _ int }

func (c *Circuit) Execute(ctx context.Context, runFunc func(context.Context) error, fallbackFunc func(context.Context, error) error) error {
	panic("a stub")
}

func (c *Circuit) Run(ctx context.Context, runFunc func(context.Context) error) error {
	panic("a stub")
}
