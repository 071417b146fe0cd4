package durable_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/durable"
	"github.com/resilint/resilint/policy/durable/postgres"
	"github.com/resilint/resilint/policy/durable/sqlite"
)

// env is a database of a test's own.
type env[TTx any] struct {
	db    durable.Database[TTx]
	dsn   string // for other processes
	exec  func(ctx context.Context, tx TTx, query string) error
	count func(ctx context.Context, tx TTx, query string) (int, error)
}

// onEach runs a test on SQLite, and on PostgreSQL where there is one.
func onEach(t *testing.T, onSQLite func(*testing.T, env[*sql.Tx]), onPostgres func(*testing.T, env[pgx.Tx])) {
	t.Run("sqlite", func(t *testing.T) { onSQLite(t, sqliteEnv(t)) })
	t.Run("postgres", func(t *testing.T) { onPostgres(t, postgresEnv(t)) })
}

func sqliteEnv(t *testing.T) env[*sql.Tx] {
	file := filepath.Join(t.TempDir(), "tasks.db")
	e := openSQLite(t, file)
	if err := durable.Migrate(t.Context(), e.db); err != nil {
		t.Fatal(err)
	}
	return e
}

func openSQLite(t testing.TB, file string) env[*sql.Tx] {
	db, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return env[*sql.Tx]{
		db: sqlite.New(db), dsn: file,
		exec: func(ctx context.Context, tx *sql.Tx, query string) error {
			_, err := tx.ExecContext(ctx, query)
			return err
		},
		count: func(ctx context.Context, tx *sql.Tx, query string) (n int, err error) {
			return n, tx.QueryRowContext(ctx, query).Scan(&n)
		},
	}
}

// postgresEnv makes a schema of its own in the database that RESILINT_POSTGRES names.
func postgresEnv(t *testing.T) env[pgx.Tx] {
	dsn := os.Getenv("RESILINT_POSTGRES")
	if dsn == "" {
		t.Skip("RESILINT_POSTGRES is not set; ./test-postgres.sh starts a server and sets it")
	}
	schema := "t" + strings.ToLower(rand.Text())
	admin := openPostgres(t, dsn)
	run := func(query string) {
		if err := admin.db.InTx(context.Background(), func(tx pgx.Tx) error { return admin.exec(context.Background(), tx, query) }); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE SCHEMA " + schema)
	t.Cleanup(func() { run("DROP SCHEMA " + schema + " CASCADE") })
	e := openPostgres(t, dsn+" search_path="+schema)
	if err := durable.Migrate(t.Context(), e.db); err != nil {
		t.Fatal(err)
	}
	return e
}

func openPostgres(t testing.TB, dsn string) env[pgx.Tx] {
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return env[pgx.Tx]{
		db: postgres.New(pool), dsn: dsn,
		exec: func(ctx context.Context, tx pgx.Tx, query string) error {
			_, err := tx.Exec(ctx, query)
			return err
		},
		count: func(ctx context.Context, tx pgx.Tx, query string) (n int, err error) {
			return n, tx.QueryRow(ctx, query).Scan(&n)
		},
	}
}

func (e env[TTx]) countNow(t testing.TB, query string) (n int) {
	t.Helper()
	err := e.db.InTx(context.Background(), func(tx TTx) (err error) {
		n, err = e.count(context.Background(), tx, query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Confirm is the kind of task that the tests use.
type Confirm struct {
	OrderID int `json:"order_id"`
}

func (Confirm) Kind() string { return "order_confirmation" }

func newPolicy(t testing.TB, keeps time.Duration) *policy.Policy {
	t.Helper()
	s := policy.Settings{System: "sber", Bulkhead: 100}
	if keeps > 0 {
		s.Writes = policy.Dedup{KeepsKeysFor: keeps, Contract: "test"}
	}
	p, err := policy.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// alerts remembers whom people were told of.
type alerts struct {
	mu   sync.Mutex
	told []durable.Failed
}

func (a *alerts) add(f durable.Failed) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.told = append(a.told, f)
}

func (a *alerts) all() []durable.Failed {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]durable.Failed(nil), a.told...)
}

// start runs a hurried queue with one kind until the test ends.
func start[TTx any](t testing.TB, e env[TTx], s durable.Settings[TTx], k durable.Kind[Confirm]) *durable.Tasks[Confirm, TTx] {
	t.Helper()
	s.Database = e.db
	s.PollEvery = 20 * time.Millisecond
	s.Logger = slog.New(slog.DiscardHandler)
	q, err := durable.New(s)
	if err != nil {
		t.Fatal(err)
	}
	durable.Hurry(q, 5*time.Millisecond, time.Second)
	if k.Policy == nil {
		k.Policy = newPolicy(t, 24*time.Hour)
	}
	tasks, err := durable.Register(q, k)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return tasks
}

func enqueue[TTx any](t testing.TB, e env[TTx], tasks *durable.Tasks[Confirm, TTx], key policy.Key, order int) (id int64) {
	t.Helper()
	err := e.db.InTx(context.Background(), func(tx TTx) (err error) {
		id, err = tasks.Enqueue(context.Background(), tx, key, Confirm{order})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// earlier is the statement that moves a time of all tasks some days back.
func (e env[TTx]) earlier(column string, days int) string {
	if strings.HasSuffix(e.dsn, ".db") {
		return fmt.Sprintf("UPDATE river_job SET %s = datetime(%[1]s, '-%d days')", column, days)
	}
	return fmt.Sprintf("UPDATE river_job SET %s = %[1]s - interval '%d days'", column, days)
}

// job is River's view of a task.
func job[TTx any](t testing.TB, e env[TTx], id int64) *rivertype.JobRow {
	t.Helper()
	client, err := river.NewClient(e.db.Driver(), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	row, err := client.JobGet(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// eventually waits for what other goroutines and processes bring about.
func eventually(t testing.TB, what string, limit time.Duration, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %v still not: %s", limit, what)
		}
	}
}
