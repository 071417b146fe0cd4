package durable_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/durable"
)

func noAlert[TTx any](t testing.TB) func(context.Context, TTx, durable.Failed) error {
	return func(_ context.Context, _ TTx, f durable.Failed) error {
		t.Errorf("alert of task %d: %s", f.ID, f.LastError())
		return nil
	}
}

func TestTaskSucceedsAfterAnOutage(t *testing.T) {
	onEach(t, taskSucceedsAfterAnOutage, taskSucceedsAfterAnOutage)
}

func taskSucceedsAfterAnOutage[TTx any](t *testing.T, e env[TTx]) {
	key := policy.DeriveKey("shop/confirm", "order-42")
	var mu sync.Mutex
	var seen []string
	tasks := start(t, e, durable.Settings[TTx]{Alert: noAlert[TTx](t)}, durable.Kind[Confirm]{
		Run: func(_ context.Context, task durable.Task[Confirm]) error {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, fmt.Sprint(task.Key, task.Args, task.Attempt))
			if len(seen) < 4 {
				return fmt.Errorf("down, %d", len(seen))
			}
			return nil
		},
	})
	id := enqueue(t, e, tasks, key, 42)
	eventually(t, "completed", 20*time.Second, func() bool { return job(t, e, id).State == rivertype.JobStateCompleted })
	for i, got := range seen {
		if want := fmt.Sprint(key, Confirm{42}, i+1); got != want {
			t.Errorf("attempt %d was %s, want %s", i+1, got, want)
		}
	}
	row := job(t, e, id)
	if len(seen) != 4 || len(row.Errors) != 3 || row.Errors[2].Error != "down, 3" {
		t.Errorf("%d attempts, errors %+v", len(seen), row.Errors)
	}
}

func TestTaskFailsForGood(t *testing.T) { onEach(t, taskFailsForGood, taskFailsForGood) }

func taskFailsForGood[TTx any](t *testing.T, e env[TTx]) {
	var told alerts
	var attempts atomic.Int64
	settings := durable.Settings[TTx]{Alert: func(_ context.Context, _ TTx, f durable.Failed) error { told.add(f); return nil }}
	kind := durable.Kind[Confirm]{Run: func(_ context.Context, task durable.Task[Confirm]) error {
		attempts.Add(1)
		return fmt.Errorf("down at attempt %d", task.Attempt)
	}}
	tasks := start(t, e, settings, kind)
	start(t, e, settings, kind) // a second process: no second alert
	key := policy.DeriveKey("shop/confirm", "order-42")
	id := enqueue(t, e, tasks, key, 42)
	eventually(t, "alert", 30*time.Second, func() bool { return len(told.all()) > 0 })
	time.Sleep(300 * time.Millisecond) // many polls of both
	all := told.all()
	if len(all) != 1 {
		t.Fatalf("%d alerts, want 1", len(all))
	}
	f := all[0]
	if f.ID != id || f.Kind != "order_confirmation" || f.Key != key || strings.ReplaceAll(string(f.Args), " ", "") != `{"order_id":42}` || f.Attempts != 10 || len(f.Errors) != 10 || f.LastError() != "down at attempt 10" {
		t.Errorf("told of %+v", f)
	}
	if attempts.Load() != 10 || job(t, e, id).State != rivertype.JobStateDiscarded {
		t.Errorf("%d attempts, state %s, want 10, discarded", attempts.Load(), job(t, e, id).State)
	}
}

// An alert that fails is undone and made again, and does not hold up the others.
func TestAlertFails(t *testing.T) { onEach(t, alertFails, alertFails) }

func alertFails[TTx any](t *testing.T, e env[TTx]) {
	if err := e.db.InTx(t.Context(), func(tx TTx) error {
		return e.exec(t.Context(), tx, "CREATE TABLE outbox (task integer)")
	}); err != nil {
		t.Fatal(err)
	}
	var refusals atomic.Int64
	var told alerts
	tasks := start(t, e, durable.Settings[TTx]{Alert: func(ctx context.Context, tx TTx, f durable.Failed) error {
		if err := e.exec(ctx, tx, fmt.Sprintf("INSERT INTO outbox VALUES (%d)", f.ID)); err != nil {
			return err
		}
		if strings.Contains(string(f.Args), "1") && len(told.all()) == 0 {
			refusals.Add(1)
			return errors.New("the pager is down")
		}
		told.add(f)
		return nil
	}}, durable.Kind[Confirm]{Run: func(context.Context, durable.Task[Confirm]) error {
		return policy.Permanent(errors.New("no such order"))
	}})
	enqueue(t, e, tasks, policy.NewKey(), 1)
	eventually(t, "failed alert", 20*time.Second, func() bool { return refusals.Load() > 1 })
	enqueue(t, e, tasks, policy.NewKey(), 2)
	eventually(t, "both alerts", 20*time.Second, func() bool { return len(told.all()) == 2 })
	time.Sleep(200 * time.Millisecond)
	if n := e.countNow(t, "SELECT count(*) FROM outbox"); n != 2 || len(told.all()) != 2 {
		t.Errorf("%d rows in the outbox, %d alerts, want 2 each", n, len(told.all()))
	}
	if f := told.all()[0]; !strings.Contains(string(f.Args), "2") || f.Attempts != 1 {
		t.Errorf("told first of %s after %d attempts, want order 2 after 1", f.Args, f.Attempts)
	}
}

// A task that an operator cancels has not failed.
func TestCanceledByAnOperator(t *testing.T) { onEach(t, canceledByAnOperator, canceledByAnOperator) }

func canceledByAnOperator[TTx any](t *testing.T, e env[TTx]) {
	began := make(chan struct{})
	tasks := start(t, e, durable.Settings[TTx]{Alert: noAlert[TTx](t)}, durable.Kind[Confirm]{
		Run: func(ctx context.Context, _ durable.Task[Confirm]) error { close(began); <-ctx.Done(); return ctx.Err() },
	})
	id := enqueue(t, e, tasks, policy.NewKey(), 1)
	<-began
	client, err := river.NewClient(e.db.Driver(), &river.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.JobCancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	eventually(t, "cancelled", 20*time.Second, func() bool { return job(t, e, id).State == rivertype.JobStateCancelled })
	time.Sleep(200 * time.Millisecond)
}

func TestEnqueueBelongsToTheTransaction(t *testing.T) {
	onEach(t, enqueueBelongsToTheTransaction, enqueueBelongsToTheTransaction)
}

func enqueueBelongsToTheTransaction[TTx any](t *testing.T, e env[TTx]) {
	ran := make(chan int, 10)
	tasks := start(t, e, durable.Settings[TTx]{Alert: noAlert[TTx](t)}, durable.Kind[Confirm]{
		Run: func(_ context.Context, task durable.Task[Confirm]) error { ran <- task.Args.OrderID; return nil },
	})
	changedMyMind := errors.New("rolled back")
	err := e.db.InTx(t.Context(), func(tx TTx) error {
		if _, err := tasks.Enqueue(t.Context(), tx, policy.NewKey(), Confirm{1}); err != nil {
			return err
		}
		return changedMyMind
	})
	if !errors.Is(err, changedMyMind) {
		t.Fatal(err)
	}
	enqueue(t, e, tasks, policy.NewKey(), 2)
	if got := <-ran; got != 2 {
		t.Errorf("order %d was confirmed, whose transaction was rolled back", got)
	}
	if n := e.countNow(t, "SELECT count(*) FROM river_job"); n != 1 {
		t.Errorf("%d tasks stored, want 1", n)
	}
}

func TestOneTaskPerKey(t *testing.T) { onEach(t, oneTaskPerKey, oneTaskPerKey) }

func oneTaskPerKey[TTx any](t *testing.T, e env[TTx]) {
	var runs atomic.Int64
	tasks := start(t, e, durable.Settings[TTx]{Alert: noAlert[TTx](t)}, durable.Kind[Confirm]{
		Run: func(context.Context, durable.Task[Confirm]) error { runs.Add(1); return nil },
	})
	key := policy.DeriveKey("shop/confirm", "order-1")
	first := enqueue(t, e, tasks, key, 1)
	eventually(t, "completed", 20*time.Second, func() bool { return job(t, e, first).State == rivertype.JobStateCompleted })
	if again := enqueue(t, e, tasks, key, 1); again != first {
		t.Errorf("the same task got ID %d, want %d", again, first)
	}
	err := e.db.InTx(t.Context(), func(tx TTx) error {
		_, err := tasks.Enqueue(t.Context(), tx, key, Confirm{2})
		return err
	})
	if !errors.Is(err, durable.ErrKeyUsed) {
		t.Errorf("another task under the same key: %v, want ErrKeyUsed", err)
	}
	other := enqueue(t, e, tasks, policy.DeriveKey("shop/confirm", "order-2"), 2)
	eventually(t, "the other completed", 20*time.Second, func() bool { return job(t, e, other).State == rivertype.JobStateCompleted })
	if runs.Load() != 2 {
		t.Errorf("%d runs, want 2", runs.Load())
	}
	err = e.db.InTx(t.Context(), func(tx TTx) error {
		_, err := tasks.Enqueue(t.Context(), tx, policy.Key{}, Confirm{3})
		return err
	})
	if !errors.Is(err, policy.ErrEmptyKey) {
		t.Errorf("without a key: %v, want ErrEmptyKey", err)
	}
}

// A failed task keeps its key: nobody sends it again under the name of another.
func TestKeyOfAFailedTask(t *testing.T) { onEach(t, keyOfAFailedTask, keyOfAFailedTask) }

func keyOfAFailedTask[TTx any](t *testing.T, e env[TTx]) {
	var attempts atomic.Int64
	var told alerts
	tasks := start(t, e, durable.Settings[TTx]{Alert: func(_ context.Context, _ TTx, f durable.Failed) error { told.add(f); return nil }}, durable.Kind[Confirm]{
		Run: func(context.Context, durable.Task[Confirm]) error {
			attempts.Add(1)
			return policy.Permanent(errors.New("refused"))
		},
	})
	key := policy.NewKey()
	id := enqueue(t, e, tasks, key, 1)
	eventually(t, "alert", 20*time.Second, func() bool { return len(told.all()) == 1 })
	if again := enqueue(t, e, tasks, key, 1); again != id {
		t.Errorf("task %d, want that which failed, %d", again, id)
	}
	err := e.db.InTx(t.Context(), func(tx TTx) error {
		_, err := tasks.Enqueue(t.Context(), tx, key, Confirm{2})
		return err
	})
	if !errors.Is(err, durable.ErrKeyUsed) {
		t.Errorf("other arguments: %v, want ErrKeyUsed", err)
	}
	time.Sleep(200 * time.Millisecond)
	if attempts.Load() != 1 || len(told.all()) != 1 {
		t.Errorf("%d attempts, %d alerts, want one of each", attempts.Load(), len(told.all()))
	}
}

// An alert that fails for longer than River would keep the task reaches someone
// all the same.
func TestAlertFailsForDays(t *testing.T) {
	refused := policy.Permanent(errors.New("refused"))
	t.Run("permanent", func(t *testing.T) { onEach(t, alertFailsForDays[*sql.Tx](refused), alertFailsForDays[pgx.Tx](refused)) })
	down := errors.New("down") // ten times
	t.Run("used up", func(t *testing.T) { onEach(t, alertFailsForDays[*sql.Tx](down), alertFailsForDays[pgx.Tx](down)) })
}

func alertFailsForDays[TTx any](err error) func(*testing.T, env[TTx]) {
	return func(t *testing.T, e env[TTx]) { failForDays(t, e, err) }
}

func failForDays[TTx any](t *testing.T, e env[TTx], failure error) {
	var works atomic.Bool
	var tries atomic.Int64
	var told alerts
	s := durable.Settings[TTx]{Alert: func(_ context.Context, _ TTx, f durable.Failed) error {
		tries.Add(1)
		if !works.Load() {
			return errors.New("pager down")
		}
		told.add(f)
		return nil
	}}
	k := durable.Kind[Confirm]{Run: func(context.Context, durable.Task[Confirm]) error { return failure }}
	var id int64
	t.Run("fails", func(t *testing.T) { // and the workers stop
		id = enqueue(t, e, start(t, e, s, k), policy.NewKey(), 1)
		eventually(t, "tried to tell", 20*time.Second, func() bool { return tries.Load() > 0 })
	})
	month := e.earlier("finalized_at", 30)
	if err := e.db.InTx(t.Context(), func(tx TTx) error { return e.exec(t.Context(), tx, month) }); err != nil {
		t.Fatal(err)
	}
	start(t, e, s, k)
	time.Sleep(4 * time.Second) // its cleaner runs in the meantime
	works.Store(true)
	eventually(t, "told", 20*time.Second, func() bool { return len(told.all()) == 1 })
	if told.all()[0].ID != id {
		t.Errorf("told of %d, want %d", told.all()[0].ID, id)
	}
}

// Nor is the first attempt made when the call that gave up may have sent the key
// too long ago.
func TestForgottenKeyOfTheFirstAttempt(t *testing.T) {
	onEach(t, forgottenKeyOfTheFirstAttempt, forgottenKeyOfTheFirstAttempt)
}

func forgottenKeyOfTheFirstAttempt[TTx any](t *testing.T, e env[TTx]) {
	var attempts atomic.Int64
	var told alerts
	tasks := start(t, e, durable.Settings[TTx]{Alert: func(_ context.Context, _ TTx, f durable.Failed) error { told.add(f); return nil }}, durable.Kind[Confirm]{
		Policy: newPolicy(t, time.Hour),
		Run:    func(context.Context, durable.Task[Confirm]) error { attempts.Add(1); return nil },
	})
	day := e.earlier("created_at", 1)
	err := e.db.InTx(t.Context(), func(tx TTx) error {
		if _, err := tasks.Enqueue(t.Context(), tx, policy.NewKey(), Confirm{1}); err != nil {
			return err
		}
		return e.exec(t.Context(), tx, day) // before any worker sees it
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "alert", 20*time.Second, func() bool { return len(told.all()) == 1 })
	if attempts.Load() != 0 {
		t.Errorf("%d attempts, want none", attempts.Load())
	}
}

// What Register accepts is attempted: a policy may make one long attempt.
func TestFreshTaskOfALongAttempt(t *testing.T) {
	onEach(t, freshTaskOfALongAttempt, freshTaskOfALongAttempt)
}

func freshTaskOfALongAttempt[TTx any](t *testing.T, e env[TTx]) {
	long := func(keeps time.Duration) *policy.Policy {
		p, err := policy.New(policy.Settings{
			System: "bank", Attempts: 1, Timeout: time.Hour, Writes: policy.Dedup{KeepsKeysFor: keeps, Contract: "terms"},
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	q, err := durable.New(durable.Settings[TTx]{Database: e.db, Alert: noAlert[TTx](t)})
	if err != nil {
		t.Fatal(err)
	}
	run := func(context.Context, durable.Task[Confirm]) error { return nil }
	if _, err := durable.Register(q, durable.Kind[Confirm]{Policy: long(90 * time.Minute), Run: run}); err == nil {
		t.Error("accepted a system that forgets keys before a first attempt is over")
	}
	ran := make(chan bool, 1)
	tasks := start(t, e, durable.Settings[TTx]{Alert: noAlert[TTx](t)}, durable.Kind[Confirm]{
		Policy: long(2*time.Hour + 20*time.Minute),
		Run:    func(context.Context, durable.Task[Confirm]) error { ran <- true; return nil },
	})
	enqueue(t, e, tasks, policy.NewKey(), 1)
	select {
	case <-ran:
	case <-time.After(20 * time.Second):
		t.Error("a fresh task was not attempted")
	}
}

// Workers that were down for longer than the system remembers keys don't send the
// key again, and a person is told.
func TestForgottenKey(t *testing.T) { onEach(t, forgottenKey, forgottenKey) }

func forgottenKey[TTx any](t *testing.T, e env[TTx]) {
	var attempts atomic.Int64
	var told alerts
	release := make(chan struct{})
	tasks := start(t, e, durable.Settings[TTx]{Alert: func(_ context.Context, _ TTx, f durable.Failed) error { told.add(f); return nil }}, durable.Kind[Confirm]{
		Policy: newPolicy(t, time.Hour),
		Run: func(context.Context, durable.Task[Confirm]) error {
			attempts.Add(1)
			<-release
			return errors.New("down")
		},
	})
	enqueue(t, e, tasks, policy.NewKey(), 1)
	eventually(t, "first attempt", 20*time.Second, func() bool { return attempts.Load() == 1 })
	// A day passes.
	day := e.earlier("created_at", 1)
	if err := e.db.InTx(t.Context(), func(tx TTx) error { return e.exec(t.Context(), tx, day) }); err != nil {
		t.Fatal(err)
	}
	close(release)
	eventually(t, "alert", 20*time.Second, func() bool { return len(told.all()) == 1 })
	if f := told.all()[0]; attempts.Load() != 1 || !strings.Contains(f.LastError(), policy.ErrKeyForgotten.Error()) {
		t.Errorf("%d attempts, told of %q", attempts.Load(), f.LastError())
	}
}

type late struct{}

func (late) Kind() string { return "late" }

func TestRefusals(t *testing.T) {
	e := sqliteEnv(t)
	_, err := durable.New(durable.Settings[any]{PollEvery: -1, Batch: -1, Timeout: -1})
	want := "durable: Database: is missing\n" +
		"durable: Alert: is missing; a task that fails for good has to reach a person (R-RES-RE-5)\n" +
		"durable: PollEvery: is negative\ndurable: Batch: is negative\ndurable: Timeout: is negative"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	run := func(context.Context, durable.Task[Confirm]) error { return nil }
	q, err := durable.New(durable.Settings[*sql.Tx]{Database: e.db, Alert: func(context.Context, *sql.Tx, durable.Failed) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		want string
		kind durable.Kind[Confirm]
	}{
		{"Policy: is missing; the calls of a task need a breaker too (R-RES-RE-X4)", durable.Kind[Confirm]{Run: run}},
		{"Run: is missing", durable.Kind[Confirm]{Policy: newPolicy(t, time.Hour)}},
		{"a task runs again after a crash, and sber has not promised to recognise repeated writes (R-RES-RE-1)", durable.Kind[Confirm]{Policy: newPolicy(t, 0), Run: run}},
		{"sber keeps keys for 17m35s, and a task may send one again after 17m35s (R-RES-RE-1)", durable.Kind[Confirm]{Policy: newPolicy(t, 1055*time.Second), Run: run}},
	} {
		_, err := durable.Register(q, test.kind)
		if want := `durable: tasks "order_confirmation": ` + test.want; fmt.Sprint(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for name, k := range map[string]durable.Kind[Confirm]{
		"keys are kept just long enough": {Policy: newPolicy(t, 1055*time.Second+1), Run: run},
		"reads need no promise":          {Policy: newPolicy(t, 0), Reads: true, Run: run},
	} {
		q, err := durable.New(durable.Settings[*sql.Tx]{Database: e.db, Alert: noAlert[*sql.Tx](t)})
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := durable.Register(q, k)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := durable.Register(q, k); err == nil {
			t.Error("registered twice")
		}
		enqueue(t, e, tasks, policy.NewKey(), 1)
		if _, err := durable.Register(q, durable.Kind[late]{Policy: k.Policy, Reads: true, Run: func(context.Context, durable.Task[late]) error { return nil }}); err == nil {
			t.Error("registered after the first use")
		}
	}
}
