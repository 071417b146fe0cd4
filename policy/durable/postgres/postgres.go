// Package postgres keeps durable tasks in PostgreSQL, where any number of
// processes work on them.
package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/resilint/resilint/policy/durable"
)

// Database is a durable.Database. It is safe for concurrent use.
type Database struct{ pool *pgxpool.Pool }

var _ durable.Database[pgx.Tx] = (*Database)(nil)

// New returns the database of a pool, which stays the caller's to close.
func New(pool *pgxpool.Pool) *Database { return &Database{pool} }

// Driver implements durable.Database.
func (d *Database) Driver() riverdriver.Driver[pgx.Tx] { return riverpgxv5.New(d.pool) }

// InTx implements durable.Database.
func (d *Database) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, d.pool, fn)
}

// NextFailed implements durable.Database. A task that an operator canceled has not
// failed. The lock keeps other processes from reporting the same task, and they
// pass it by.
func (d *Database) NextFailed(ctx context.Context, tx pgx.Tx, kinds []string, after int64) (id int64, err error) {
	err = tx.QueryRow(ctx, `
		SELECT id FROM river_job
		WHERE id > $1 AND kind = ANY($2)
		  AND (state = 'discarded' OR state = 'cancelled' AND NOT metadata ? 'cancel_attempted_at')
		  AND NOT metadata ? 'alerted_at'
		ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`, after, kinds).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// MarkReported implements durable.Database.
func (d *Database) MarkReported(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := tx.Exec(ctx, `UPDATE river_job SET metadata = jsonb_set(metadata, '{alerted_at}', to_jsonb(now())) WHERE id = $1`, id)
	return err
}
