package durable

import (
	"context"
	"fmt"

	"github.com/riverqueue/river/rivermigrate"
)

// Migrate brings the queue's tables up to date. It may be called at every start,
// by any number of processes.
func Migrate[TTx any](ctx context.Context, db Database[TTx]) error {
	migrator, err := rivermigrate.New(db.Driver(), nil)
	if err != nil {
		return fmt.Errorf("durable: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("durable: %w", err)
	}
	return nil
}
