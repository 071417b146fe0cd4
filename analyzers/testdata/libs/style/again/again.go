// Package again has helpers as in-house packages have them; package style calls
// them.
package again

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

// MaxAttempts is a variable that nobody changes.
var MaxAttempts uint = 6

// Policy is the policy of all clients.
var Policy = []retry.Option{retry.Attempts(4), retry.Delay(100 * time.Millisecond)}

// Options make a policy of n attempts.
func Options(n uint) []retry.Option {
	return []retry.Option{retry.Attempts(n), retry.LastErrorOnly(true)}
}

// Backoff makes a policy of three attempts.
func Backoff() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = 100 * time.Millisecond
	return backoff.WithMaxRetries(b, 2)
}

// Patient makes a policy of too many attempts.
func Patient() backoff.BackOff {
	return backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 9)
}

// Do retries op with a policy that it fixes.
func Do(ctx context.Context, op func() error) error {
	return retry.Do(op, retry.Attempts(8), retry.Delay(time.Millisecond), retry.Context(ctx)) // want "RE-3: 8 attempts over" // site "attempts=8 mechanism=library"
}

// Times retries op as often as the caller says.
func Times(n uint, op func() error) error {
	return retry.Do(op, retry.Attempts(n), retry.Delay(time.Millisecond)) // site "attempts=unknown mechanism=library"
}

// Get is generic.
func Get[T any](op func() (T, error)) (T, error) {
	return retry.DoWithData(op, retry.Attempts(3)) // site "attempts=3 mechanism=library"
}

// A Group retries what it runs.
type Group struct {
	opts []retry.Option
}

// NewGroup makes a group with a policy.
func NewGroup(opts ...retry.Option) *Group { return &Group{opts: opts} }

// Go runs op.
func (g *Group) Go(op func() error) error {
	return retry.Do(op, g.opts...) // site "attempts=unknown mechanism=library"
}

// A Client has its policy in an exported field.
type Client struct {
	Attempts uint
	Wait     time.Duration
}

// Run retries op.
func (c *Client) Run(op func() error) error {
	return retry.Do(op, retry.Attempts(c.Attempts), retry.Delay(c.Wait)) // site "attempts=unknown mechanism=library"
}
