package tasktable_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/durable/tasktable"
	"github.com/resilint/resilint/policy/policyhttp"
)

func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		slog.Error("database", "error", err)
		return
	}
	defer pool.Close()
	sber, err := policy.New(policy.Settings{
		System: "sber",
		// Longer than all attempts of a task together.
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	if err != nil {
		slog.Error("policy", "error", err)
		return
	}
	client := policyhttp.New(sber, nil)
	poller := tasktable.Poller{
		Pool: pool,
		Confirm: func(ctx context.Context, t tasktable.Task) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://sber.example/confirm", nil)
			if err != nil {
				return err
			}
			req.Header.Set("Idempotency-Key", t.Key.String())
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			return policy.CheckStatus(resp)
		},
		Alert: func(ctx context.Context, tx pgx.Tx, t tasktable.Task, lastError string) error {
			_, err := tx.Exec(ctx, `INSERT INTO outbox (recipient, text) VALUES ('on-call', $1)`, lastError)
			return err
		},
	}
	poller.Run(ctx)
}
