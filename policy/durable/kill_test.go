package durable_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/durable"
	"github.com/resilint/resilint/policy/policyhttp"
)

// TestMain runs a worker instead of the tests in the processes that TestKill starts.
func TestMain(m *testing.M) {
	switch dsn, bank := os.Getenv("DURABLE_WORKER"), os.Getenv("DURABLE_BANK"); {
	case dsn == "":
		os.Exit(m.Run())
	case strings.HasSuffix(dsn, ".db"):
		work(openSQLite(new(outsideTest), dsn), bank)
	default:
		work(openPostgres(new(outsideTest), dsn), bank)
	}
}

// outsideTest fails a process.
type outsideTest struct{ testing.TB }

func (*outsideTest) Helper()        {}
func (*outsideTest) Cleanup(func()) {}
func (*outsideTest) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(3)
}

// work runs a worker until it is killed, or its input ends.
func work[TTx any](e env[TTx], bank string) {
	t := new(outsideTest)
	q, err := durable.New(durable.Settings[TTx]{
		Database: e.db, PollEvery: 20 * time.Millisecond, Batch: 4, Timeout: 2 * time.Second, Logger: slog.New(slog.DiscardHandler),
		Alert: func(_ context.Context, _ TTx, f durable.Failed) error {
			_, err := http.Post(bank+"/alert?task="+strconv.FormatInt(f.ID, 10), "text/plain", strings.NewReader(f.LastError()))
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	durable.Hurry(q, 10*time.Millisecond, time.Second)
	p := newPolicy(t, 24*time.Hour)
	client := policyhttp.New(p, nil)
	_, err = durable.Register(q, durable.Kind[Confirm]{Policy: p, Run: func(ctx context.Context, task durable.Task[Confirm]) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, bank+"/confirm", strings.NewReader(strconv.Itoa(task.Args.OrderID)))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", task.Key.String())
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		return policy.CheckStatus(resp)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = q.Stop(context.Background())
}

// bank confirms orders, once per key, and takes its time before it answers.
type bank struct {
	mu       sync.Mutex
	received int
	inWork   int
	known    map[string]bool
	applied  map[string]int // by order
	alerts   []string
}

func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	key := r.Header.Get("Idempotency-Key")
	b.mu.Lock()
	if r.URL.Path == "/alert" {
		b.alerts = append(b.alerts, r.URL.Query().Get("task")+": "+string(body))
		b.mu.Unlock()
		return
	}
	b.received++
	b.inWork++
	if !b.known[key] {
		b.known[key] = true
		b.applied[string(body)]++
	}
	b.mu.Unlock()
	time.Sleep(time.Duration(5+rand.IntN(30)) * time.Millisecond)
	b.mu.Lock()
	b.inWork--
	b.mu.Unlock()
	if rand.IntN(10) == 0 { // applied, but it fails to say so
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (b *bank) state() (received, inWork int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.received, b.inWork
}

// TestKill kills the worker with SIGKILL in the middle of its work, again and again:
// every task ends once. Five times by default; RESILINT_KILLS says how often.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute: a killed leader's lease has to run out")
	}
	onEach(t, kill[*sql.Tx], kill[pgx.Tx])
}

func kill[TTx any](t *testing.T, e env[TTx]) {
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("RESILINT_KILLS")); err == nil {
		kills = n
	}
	b := &bank{known: map[string]bool{}, applied: map[string]int{}}
	server := httptest.NewServer(b)
	defer server.Close()

	// All tasks are stored before any work begins; no worker is idle until the end.
	tasks := kills*4 + 20
	q, err := durable.New(durable.Settings[TTx]{Database: e.db, Alert: noAlert[TTx](t)})
	if err != nil {
		t.Fatal(err)
	}
	confirms, err := durable.Register(q, durable.Kind[Confirm]{Policy: newPolicy(t, 24*time.Hour), Run: func(context.Context, durable.Task[Confirm]) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	err = e.db.InTx(t.Context(), func(tx TTx) error {
		for order := range tasks {
			if _, err := confirms.Enqueue(t.Context(), tx, policy.DeriveKey("test/confirm", strconv.Itoa(order)), Confirm{order}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	start := func() (end func(kill bool)) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DURABLE_WORKER="+e.dsn, "DURABLE_BANK="+server.URL)
		cmd.Stderr = os.Stderr
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return func(kill bool) {
			if kill {
				_ = cmd.Process.Kill() // SIGKILL
			}
			stdin.Close()
			if err := cmd.Wait(); err != nil && !kill {
				t.Errorf("worker: %v", err)
			}
		}
	}
	inTheMiddle := 0
	for range kills {
		before, _ := b.state()
		end := start()
		eventually(t, "the worker sends", 60*time.Second, func() bool { n, _ := b.state(); return n > before })
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		if _, n := b.state(); n > 0 {
			inTheMiddle++
		}
		end(true)
	}
	end := start()
	eventually(t, "every task has ended", 4*time.Minute, func() bool {
		return e.countNow(t, "SELECT count(*) FROM river_job WHERE state NOT IN ('completed', 'discarded', 'cancelled')") == 0
	})
	end(false)

	if n := e.countNow(t, "SELECT count(*) FROM river_job WHERE state = 'completed'"); n != tasks {
		t.Errorf("%d of %d tasks completed", n, tasks)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for order := range tasks {
		if n := b.applied[strconv.Itoa(order)]; n != 1 {
			t.Errorf("order %d was confirmed %d times", order, n)
		}
	}
	if len(b.alerts) > 0 {
		t.Errorf("alerts: %v", b.alerts)
	}
	t.Logf("%d kills, %d of them while the bank was at work, %d tasks, %d requests", kills, inTheMiddle, tasks, b.received)
	if inTheMiddle == 0 {
		t.Error("no kill hit a worker in the middle")
	}
}
