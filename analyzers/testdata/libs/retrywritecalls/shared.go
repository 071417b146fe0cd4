// Package retrywritecalls has calls of an SDK whose code is not seen, with the
// keys that they are given.
package retrywritecalls

import (
	"context"
	"fmt"
	"time"

	"example.test/other/sdk"
	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
)

type service struct {
	client  *sdk.Client
	session string
}

func newService(c *sdk.Client) *service { return &service{client: c, session: uuid.NewString()} }

// with runs f with the client.
func (s *service) with(f func(*sdk.Client) error) error { return f(s.client) }

func newToken() string { return uuid.NewString() }

func input(name string) *sdk.CreateInput {
	return &sdk.CreateInput{Name: name, ClientToken: newToken()}
}

func ofTheClock(name string) string { return fmt.Sprintf("%s-%d", name, time.Now().UnixNano()) }

// again retries what it is given.
func again(ctx context.Context, f func() error) error {
	return retry.Do(f, retry.Attempts(4), retry.Context(ctx)) // site "attempts=4"
}

type zones interface {
	CreateZone(in *sdk.CreateInput) error
}
