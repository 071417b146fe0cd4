// Package tasktable is durable retry with a plain PostgreSQL table, to be copied: a
// task per row, a poller that leases what is due, and nothing else (R-RES-RE-5).
//
// Every 5 s a poller takes up to 50 due tasks with FOR UPDATE SKIP LOCKED, and in
// the same statement pushes their time of the next attempt beyond the time that it
// may need: a lease. So no transaction stays open while the system is called, many
// pollers share one table, and a task whose poller died comes back by itself. A
// poller that comes back late finds that its lease is another's, and changes
// nothing.
package tasktable

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/resilint/resilint/policy"
)

const (
	every       = 5 * time.Second
	batch       = 50
	maxAttempts = 10
	// lease is the time that a poller has for the tasks that it took: longer than
	// a batch at 16.5 s a task (three attempts of 5 s, and their pauses).
	lease = 15 * time.Minute
)

// Task is a row that a poller has leased.
type Task struct {
	ID      int64
	OrderID int64
	Key     policy.Key
	// Attempt is 1, 2, ... 10.
	Attempt int
	lease   time.Time // identifies the lease, too
}

// Poller carries out tasks, one after the other. Any number may run on a table.
type Poller struct {
	Pool *pgxpool.Pool
	// Confirm makes one attempt, and sends the task's key.
	Confirm func(ctx context.Context, t Task) error
	// Alert tells people of a task that has failed for good. It is called in the
	// transaction that marks the task as failed, so what it writes with tx is
	// written once; its error undoes both.
	Alert func(ctx context.Context, tx pgx.Tx, t Task, lastError string) error
	// Logger gets what keeps the poller from the table. Nil means slog.Default().
	Logger *slog.Logger
}

// Enqueue stores a task in the caller's transaction. The same key again is the same
// task.
func Enqueue(ctx context.Context, tx pgx.Tx, orderID int64, key policy.Key) error {
	if key.IsZero() {
		return policy.ErrEmptyKey
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO order_confirmation_task (order_id, idempotency_key) VALUES ($1, $2)
		ON CONFLICT (idempotency_key) DO NOTHING`, orderID, key)
	return err
}

// Run polls until ctx ends.
func (p *Poller) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := p.RunDue(ctx); err != nil && ctx.Err() == nil {
			p.logger().ErrorContext(ctx, "order confirmation tasks", slog.Any("error", err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (p *Poller) logger() *slog.Logger {
	if p.Logger != nil {
		return p.Logger
	}
	return slog.Default()
}

// RunDue carries out the tasks that are due, at most 50.
func (p *Poller) RunDue(ctx context.Context) error {
	if err := p.failAbandoned(ctx); err != nil {
		return err
	}
	tasks, err := p.claim(ctx)
	if err != nil {
		return err
	}
	for i, t := range tasks {
		if ctx.Err() != nil || time.Until(t.lease) < lease/10 {
			return p.release(ctx, tasks[i:])
		}
		if err := p.attempt(ctx, t); err != nil {
			return errors.Join(err, p.release(ctx, tasks[i+1:]))
		}
	}
	return nil
}

// release gives back tasks that there was no time for: they are due again, and their
// attempt has not been made.
func (p *Poller) release(ctx context.Context, tasks []Task) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), every)
	defer cancel()
	var failures []error
	for _, t := range tasks {
		_, err := p.Pool.Exec(ctx, `
			UPDATE order_confirmation_task
			SET retry_count = retry_count - 1, next_attempt_at = now(), updated_at = now()`+ifLeased, t.ID, t.lease)
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// claim leases due tasks. The row locks last for this statement, the lease longer.
func (p *Poller) claim(ctx context.Context) ([]Task, error) {
	rows, err := p.Pool.Query(ctx, `
		UPDATE order_confirmation_task
		SET retry_count = retry_count + 1, next_attempt_at = now() + $1, updated_at = now()
		WHERE task_id IN (
			SELECT task_id FROM order_confirmation_task
			WHERE status = 'IN_PROGRESS' AND next_attempt_at <= now() AND retry_count < $2
			ORDER BY next_attempt_at LIMIT $3
			FOR UPDATE SKIP LOCKED)
		RETURNING task_id, order_id, idempotency_key, retry_count, next_attempt_at`, lease, maxAttempts, batch)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t Task, err error) {
		return t, row.Scan(&t.ID, &t.OrderID, &t.Key, &t.Attempt, &t.lease)
	})
}

// attempt makes one attempt, and stores its outcome if the lease is still ours. An
// attempt that the poller's own end cut short is left to the lease.
func (p *Poller) attempt(ctx context.Context, t Task) error {
	limited, cancel := context.WithDeadline(ctx, t.lease)
	defer cancel()
	failure := p.Confirm(limited, t)
	switch {
	case failure == nil:
		return p.complete(ctx, t)
	case ctx.Err() != nil:
		return ctx.Err()
	case t.Attempt >= maxAttempts || policy.IsPermanent(failure):
		return p.fail(ctx, t, failure.Error())
	}
	return p.postpone(ctx, t, failure.Error())
}

// Each of the following changes the row only while it is leased to this poller.
const ifLeased = ` WHERE task_id = $1 AND status = 'IN_PROGRESS' AND next_attempt_at = $2`

func (p *Poller) complete(ctx context.Context, t Task) error {
	_, err := p.Pool.Exec(ctx, `
		UPDATE order_confirmation_task SET status = 'COMPLETED', updated_at = now()`+ifLeased, t.ID, t.lease)
	return err
}

func (p *Poller) postpone(ctx context.Context, t Task, lastError string) error {
	_, err := p.Pool.Exec(ctx, `
		UPDATE order_confirmation_task
		SET next_attempt_at = now() + $3, last_error = $4, updated_at = now()`+ifLeased, t.ID, t.lease, pauseAfter(t.Attempt), lastError)
	return err
}

func (p *Poller) fail(ctx context.Context, t Task, lastError string) error {
	return pgx.BeginFunc(ctx, p.Pool, func(tx pgx.Tx) error {
		changed, err := tx.Exec(ctx, `
			UPDATE order_confirmation_task SET status = 'FAILED', last_error = $3, updated_at = now()`+ifLeased, t.ID, t.lease, lastError)
		if err != nil || changed.RowsAffected() == 0 {
			return err
		}
		return p.Alert(ctx, tx, t, lastError)
	})
}

// failAbandoned fails the tasks whose last attempt ended with its poller.
func (p *Poller) failAbandoned(ctx context.Context) error {
	for range batch {
		found, err := p.failOneAbandoned(ctx)
		if err != nil || !found {
			return err
		}
	}
	return nil
}

func (p *Poller) failOneAbandoned(ctx context.Context) (found bool, err error) {
	err = pgx.BeginFunc(ctx, p.Pool, func(tx pgx.Tx) error {
		var t Task
		var lastError string
		err := tx.QueryRow(ctx, `
			UPDATE order_confirmation_task
			SET status = 'FAILED', last_error = coalesce(last_error || '; ', '') || 'the last attempt did not end', updated_at = now()
			WHERE task_id = (
				SELECT task_id FROM order_confirmation_task
				WHERE status = 'IN_PROGRESS' AND next_attempt_at <= now() AND retry_count >= $1
				ORDER BY next_attempt_at LIMIT 1
				FOR UPDATE SKIP LOCKED)
			RETURNING task_id, order_id, idempotency_key, retry_count, next_attempt_at, last_error`, maxAttempts).
			Scan(&t.ID, &t.OrderID, &t.Key, &t.Attempt, &t.lease, &lastError)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("fail an abandoned task: %w", err)
		}
		found = true
		return p.Alert(ctx, tx, t, lastError)
	})
	return found, err
}

// pauseAfter attempt n is 2^n s, of which jitter takes up to half.
func pauseAfter(n int) time.Duration {
	longest := time.Second << n
	return longest - rand.N(longest/2+1)
}
