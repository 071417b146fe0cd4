package tasktable

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/resilint/resilint/policy"
)

// open makes a schema with the table in the database that RESILINT_POSTGRES names.
func open(t *testing.T) *pgxpool.Pool {
	t.Helper()
	dsn := os.Getenv("RESILINT_POSTGRES")
	if dsn == "" {
		t.Skip("RESILINT_POSTGRES is not set; ../test-postgres.sh starts a server and sets it")
	}
	admin, err := pgxpool.New(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)
	schema := "t" + strings.ToLower(rand.Text())
	if _, err := admin.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	pool, err := pgxpool.New(t.Context(), dsn+" search_path="+schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		pool.Close()
		_, _ = admin.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
	})
	if _, err := pool.Exec(t.Context(), Schema()); err != nil {
		t.Fatal(err)
	}
	return pool
}

func enqueue(t *testing.T, pool *pgxpool.Pool, order int64) policy.Key {
	t.Helper()
	key := policy.DeriveKey("shop/confirm", fmt.Sprint(order))
	if err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return Enqueue(t.Context(), tx, order, key) }); err != nil {
		t.Fatal(err)
	}
	return key
}

type row struct {
	status  string
	retries int
	due     time.Duration // from now
	err     string
}

func state(t *testing.T, pool *pgxpool.Pool, order int64) (r row) {
	t.Helper()
	var due time.Time
	err := pool.QueryRow(t.Context(), `SELECT status, retry_count, next_attempt_at, coalesce(last_error, '') FROM order_confirmation_task WHERE order_id = $1`, order).
		Scan(&r.status, &r.retries, &due, &r.err)
	if err != nil {
		t.Fatal(err)
	}
	r.due = time.Until(due)
	return r
}

// pass makes what is due later due now.
func pass(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), `UPDATE order_confirmation_task SET next_attempt_at = now() - interval '1 s' WHERE status = 'IN_PROGRESS'`); err != nil {
		t.Fatal(err)
	}
}

func noAlert(t *testing.T) func(context.Context, pgx.Tx, Task, string) error {
	return func(_ context.Context, _ pgx.Tx, task Task, lastError string) error {
		t.Errorf("alert of %+v: %s", task, lastError)
		return nil
	}
}

func TestPauses(t *testing.T) {
	var horizon time.Duration
	for n := 1; n < maxAttempts; n++ {
		longest := time.Duration(1<<n) * time.Second
		horizon += longest
		for range 100 {
			if pause := pauseAfter(n); pause < longest/2 || pause > longest {
				t.Fatalf("pause %d is %v, want between %v and %v", n, pause, longest/2, longest)
			}
		}
	}
	if horizon != 1022*time.Second {
		t.Errorf("horizon %v, want 1022s", horizon)
	}
}

func TestSuccessAfterAFailure(t *testing.T) {
	pool := open(t)
	key := enqueue(t, pool, 42)
	enqueue(t, pool, 42) // the same task
	var attempts []Task
	p := &Poller{Pool: pool, Alert: noAlert(t), Confirm: func(_ context.Context, task Task) error {
		if r := state(t, pool, 42); r.due < 14*time.Minute {
			t.Errorf("leased for %v only", r.due)
		}
		if attempts = append(attempts, task); len(attempts) == 1 {
			return errors.New("down")
		}
		return nil
	}}
	run := func() {
		t.Helper()
		if err := p.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if r := state(t, pool, 42); r.status != "IN_PROGRESS" || r.retries != 1 || r.err != "down" || r.due > 2*time.Second || r.due < 500*time.Millisecond {
		t.Errorf("after a failure: %+v, want one retry in 1s to 2s", r)
	}
	run() // nothing is due
	pass(t, pool)
	run()
	if r := state(t, pool, 42); r.status != "COMPLETED" || r.retries != 2 {
		t.Errorf("after the success: %+v", r)
	}
	pass(t, pool)
	run()
	if len(attempts) != 2 || attempts[0].Key != key || attempts[1].Key != key || attempts[1].Attempt != 2 {
		t.Errorf("attempts %+v, want two with key %s", attempts, key)
	}
}

func TestFailsAfterTenAttempts(t *testing.T) {
	pool := open(t)
	enqueue(t, pool, 1)
	told := 0
	attempts := 0
	p := &Poller{Pool: pool, Confirm: func(context.Context, Task) error { attempts++; return fmt.Errorf("down, %d", attempts) },
		Alert: func(_ context.Context, _ pgx.Tx, task Task, lastError string) error {
			if told++; told == 1 {
				return errors.New("the pager is down")
			}
			if task.OrderID != 1 || task.Attempt != 10 || !strings.Contains(lastError, "down, 10") && !strings.Contains(lastError, "did not end") {
				t.Errorf("told of %+v: %s", task, lastError)
			}
			return nil
		}}
	failed := 0
	for range 15 {
		if err := p.RunDue(t.Context()); err != nil {
			failed++
		}
		pass(t, pool)
	}
	if r := state(t, pool, 1); r.status != "FAILED" || attempts != 10 {
		t.Errorf("%+v after %d attempts, want FAILED after 10", r, attempts)
	}
	if told != 2 || failed != 1 {
		t.Errorf("alert called %d times with %d failures, want once more after its own failure", told, failed)
	}
}

func TestPermanentErrorFailsAtOnce(t *testing.T) {
	pool := open(t)
	enqueue(t, pool, 1)
	told := 0
	p := &Poller{Pool: pool, Confirm: func(context.Context, Task) error { return policy.Permanent(errors.New("no such order")) },
		Alert: func(context.Context, pgx.Tx, Task, string) error { told++; return nil }}
	if err := p.RunDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := state(t, pool, 1); r.status != "FAILED" || r.err != "no such order" || told != 1 {
		t.Errorf("%+v, %d alerts", r, told)
	}
}

// A poller dies in its tenth attempt: the task fails, and somebody is told.
func TestPollerDiesInTheLastAttempt(t *testing.T) {
	pool := open(t)
	enqueue(t, pool, 1)
	dead := &Poller{Pool: pool}
	for range maxAttempts {
		pass(t, pool)
		if tasks, err := dead.claim(t.Context()); err != nil || len(tasks) != 1 {
			t.Fatalf("%d tasks, %v", len(tasks), err)
		}
	}
	told := 0
	p := &Poller{Pool: pool, Confirm: func(context.Context, Task) error { t.Error("an eleventh attempt"); return nil },
		Alert: func(context.Context, pgx.Tx, Task, string) error { told++; return nil }}
	for range 3 {
		pass(t, pool)
		if err := p.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if r := state(t, pool, 1); r.status != "FAILED" || r.err != "the last attempt did not end" || told != 1 {
		t.Errorf("%+v, %d alerts", r, told)
	}
}

// A poller whose lease has run out changes nothing: the task is another's.
func TestLateOutcomeIsDropped(t *testing.T) {
	pool := open(t)
	enqueue(t, pool, 1)
	p := &Poller{Pool: pool, Alert: noAlert(t)}
	p.Confirm = func(ctx context.Context, _ Task) error {
		pass(t, pool) // the lease ends
		next := &Poller{Pool: pool, Alert: noAlert(t), Confirm: func(context.Context, Task) error { return nil }}
		if err := next.RunDue(ctx); err != nil {
			t.Error(err)
		}
		return errors.New("too late")
	}
	if err := p.RunDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := state(t, pool, 1); r.status != "COMPLETED" || r.err != "" {
		t.Errorf("%+v, want what the second poller stored", r)
	}
}

// Many pollers at once: every task is attempted by one of them, 50 at a time.
func TestManyPollers(t *testing.T) {
	pool := open(t)
	const tasks = 300
	for order := range tasks {
		enqueue(t, pool, int64(order))
	}
	var mu sync.Mutex
	confirmed := map[int64]int{}
	var group sync.WaitGroup
	for range 8 {
		p := &Poller{Pool: pool, Alert: noAlert(t), Confirm: func(_ context.Context, task Task) error {
			mu.Lock()
			defer mu.Unlock()
			confirmed[task.OrderID]++
			return nil
		}}
		group.Go(func() {
			for range 5 {
				if err := p.RunDue(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if len(confirmed) != tasks {
		t.Errorf("%d tasks confirmed, want %d", len(confirmed), tasks)
	}
	for order, n := range confirmed {
		if n != 1 {
			t.Errorf("order %d confirmed %d times", order, n)
		}
	}
}

func TestBatchOfFifty(t *testing.T) {
	pool := open(t)
	for order := range 60 {
		enqueue(t, pool, int64(order))
	}
	tasks, err := (&Poller{Pool: pool}).claim(t.Context())
	if err != nil || len(tasks) != 50 {
		t.Errorf("took %d, %v, want 50", len(tasks), err)
	}
}

// A poller that is stopped gives back what it has not begun.
func TestStopGivesBack(t *testing.T) {
	pool := open(t)
	for order := range 3 {
		enqueue(t, pool, int64(order))
	}
	ctx, cancel := context.WithCancel(t.Context())
	begun := int64(-1)
	p := &Poller{Pool: pool, Alert: noAlert(t), Confirm: func(ctx context.Context, task Task) error {
		begun = task.OrderID
		cancel()
		return ctx.Err()
	}}
	if err := p.RunDue(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for order := range int64(3) {
		r := state(t, pool, order)
		if order == begun && (r.retries != 1 || r.due < time.Minute) {
			t.Errorf("the task in work: %+v, want it left to its lease", r)
		}
		if order != begun && (r.retries != 0 || r.due > 0) {
			t.Errorf("a task that was not begun: %+v, want it due", r)
		}
	}
}

// The look for due tasks uses the partial index.
func TestIndexIsUsed(t *testing.T) {
	pool := open(t)
	if _, err := pool.Exec(t.Context(), `
		INSERT INTO order_confirmation_task (order_id, idempotency_key, status)
		SELECT n, n::text, CASE WHEN n % 1000 = 0 THEN 'IN_PROGRESS' ELSE 'COMPLETED' END FROM generate_series(1, 20000) n`); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `ANALYZE order_confirmation_task`); err != nil {
		t.Fatal(err)
	}
	rows, err := pool.Query(t.Context(), `EXPLAIN SELECT task_id FROM order_confirmation_task
		WHERE status = 'IN_PROGRESS' AND next_attempt_at <= now() AND retry_count < 10 ORDER BY next_attempt_at LIMIT 50 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || !strings.Contains(strings.Join(plan, "\n"), "order_confirmation_task_due") {
		t.Errorf("%v\n%s", err, strings.Join(plan, "\n"))
	}
}

func TestEmptyKey(t *testing.T) {
	if err := Enqueue(t.Context(), nil, 1, policy.Key{}); !errors.Is(err, policy.ErrEmptyKey) {
		t.Errorf("%v, want ErrEmptyKey", err)
	}
}
