package durable_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/durable"
	"github.com/resilint/resilint/policy/durable/postgres"
	"github.com/resilint/resilint/policy/durable/sqlite"
)

// ConfirmOrder is the arguments of a task.
type ConfirmOrder struct {
	OrderID string `json:"order_id"`
}

// Kind names the tasks in the database.
func (ConfirmOrder) Kind() string { return "confirm_order" }

// One process, whose tasks are in a file.
func Example_sqlite() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "tasks")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Open(filepath.Join(dir, "tasks.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	database := sqlite.New(db)
	if err := durable.Migrate(ctx, database); err != nil {
		fmt.Println(err)
		return
	}
	sber, err := policy.New(policy.Settings{
		System: "sber",
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	queue, err := durable.New(durable.Settings[*sql.Tx]{
		Database:  database,
		PollEvery: 10 * time.Millisecond, // for the example; leave it out
		Alert: func(ctx context.Context, tx *sql.Tx, f durable.Failed) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO outbox (text) VALUES (?)`, f.LastError())
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan struct{})
	confirmations, err := durable.Register(queue, durable.Kind[ConfirmOrder]{
		Policy: sber,
		Run: func(ctx context.Context, t durable.Task[ConfirmOrder]) error {
			defer close(done)
			_, err := policy.Keyed(ctx, sber, t.Key, func(_ context.Context, key policy.Key) (struct{}, error) {
				fmt.Println("POST /confirm", t.Args.OrderID, key)
				return struct{}{}, nil
			})
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := queue.Start(ctx); err != nil {
		fmt.Println(err)
		return
	}

	// In the transaction that stores the order.
	err = database.InTx(ctx, func(tx *sql.Tx) error {
		_, err := confirmations.Enqueue(ctx, tx, policy.DeriveKey("shop/confirm", "order-42"), ConfirmOrder{"order-42"})
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-done
	fmt.Println(queue.Stop(ctx))
	// Output:
	// POST /confirm order-42 967c988a-918f-5ece-a1d8-cefd6edd5d47
	// <nil>
}

// Many processes, whose tasks are in PostgreSQL.
func Example_postgres() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	queue, err := durable.New(durable.Settings[pgx.Tx]{
		Database: postgres.New(pool),
		Alert: func(ctx context.Context, tx pgx.Tx, f durable.Failed) error {
			_, err := tx.Exec(ctx, `INSERT INTO outbox (text) VALUES ($1)`, f.LastError())
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Register, Start and Enqueue as with SQLite.
	_ = queue
}

func ExampleHorizon() {
	fmt.Println(durable.Horizon())
	// Output: 17m2s
}
