// Package sqlite keeps durable tasks in a file, where one process works on them.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/resilint/resilint/policy/durable"
)

// Open opens the file, or makes it, with the settings that a queue needs: a
// write-ahead log that survives the process, and a single connection, since SQLite
// has one writer. So whoever holds a transaction must not wait for anything else
// that uses the database.
func Open(file string) (*sql.DB, error) {
	options := url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(1)"},
		"_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := db.Ping(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", file, err), db.Close())
	}
	return db, nil
}

// Database is a durable.Database. It is safe for concurrent use.
type Database struct{ db *sql.DB }

var _ durable.Database[*sql.Tx] = (*Database)(nil)

// New returns the database of a pool that Open has opened, which stays the caller's
// to close.
func New(db *sql.DB) *Database { return &Database{db} }

// Driver implements durable.Database.
func (d *Database) Driver() riverdriver.Driver[*sql.Tx] { return riversqlite.New(d.db) }

// InTx implements durable.Database.
func (d *Database) InTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// NextFailed implements durable.Database. A task that an operator canceled has not
// failed. The transaction is the only one, so there is nothing to lock.
func (d *Database) NextFailed(ctx context.Context, tx *sql.Tx, kinds []string, after int64) (id int64, err error) {
	names, err := json.Marshal(kinds)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `
		SELECT id FROM river_job
		WHERE id > ? AND kind IN (SELECT value FROM json_each(?))
		  AND (state = 'discarded' OR state = 'cancelled' AND metadata ->> 'cancel_attempted_at' IS NULL)
		  AND metadata ->> 'alerted_at' IS NULL
		ORDER BY id LIMIT 1`, after, string(names)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// MarkReported implements durable.Database.
func (d *Database) MarkReported(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE river_job SET metadata = jsonb_set(metadata, '$.alerted_at', datetime('now')) WHERE id = ?`, id)
	return err
}
