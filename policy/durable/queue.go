package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"github.com/resilint/resilint/policy"
)

// Database holds the tasks: package postgres or package sqlite of this module.
// Its methods are for this package.
type Database[TTx any] interface {
	// Driver is River's.
	Driver() riverdriver.Driver[TTx]
	// InTx runs fn in a transaction, and commits when fn returns nil.
	InTx(ctx context.Context, fn func(tx TTx) error) error
	// NextFailed locks the next task of these kinds, after the given ID, that has
	// failed for good and is not marked as reported. It returns 0 when there is none.
	NextFailed(ctx context.Context, tx TTx, kinds []string, after int64) (id int64, err error)
	// MarkReported marks the task as reported.
	MarkReported(ctx context.Context, tx TTx, id int64) error
}

// Settings describe a queue. TTx is the type of the database's transactions.
type Settings[TTx any] struct {
	// Database is required.
	Database Database[TTx]

	// Alert tells people of a task that has failed for good. It is required,
	// since nobody else will see that task again.
	//
	// It is called exactly once per failed task, by one of all processes, in the
	// transaction that marks the task as reported: what it writes with tx is
	// written exactly once even when the process dies. When it returns an error,
	// or dies, the transaction is rolled back and Alert is called again, so send
	// a mail by storing it with tx rather than from here.
	Alert func(ctx context.Context, tx TTx, f Failed) error

	// PollEvery is how often workers look for due tasks. Zero means 5 s. Where
	// the database notifies, a new task does not wait for it.
	PollEvery time.Duration

	// Batch is how many tasks one process works on at once. Zero means 50.
	Batch int

	// Timeout limits one attempt of a task; a task whose worker died is attempted
	// again half a minute after it. Zero means 1 min.
	Timeout time.Duration

	// Logger gets River's logs from warnings on. Nil means slog.Default().
	Logger *slog.Logger
}

// Failed is a task that has failed for good.
type Failed struct {
	ID   int64
	Kind string
	// Key under which the system may have applied the task's write.
	Key policy.Key
	// Args as they were stored.
	Args json.RawMessage
	// Attempts that were begun.
	Attempts int
	// Errors of the attempts, oldest first. An attempt whose worker died left
	// River's note of that.
	Errors     []string
	EnqueuedAt time.Time
}

// LastError is the last attempt's error, or empty.
func (f Failed) LastError() string {
	if len(f.Errors) == 0 {
		return ""
	}
	return f.Errors[len(f.Errors)-1]
}

// Queue runs tasks. It is safe for concurrent use.
type Queue[TTx any] struct {
	settings Settings[TTx]
	workers  *river.Workers
	pause    func(attempt int) time.Duration
	rescue   time.Duration // after the timeout

	mu     sync.Mutex
	kinds  []string
	client *river.Client[TTx] // made on first use, when all kinds are known
	stop   context.CancelFunc
	alerts sync.WaitGroup
}

// New returns a queue without any kinds of tasks. Its error names the settings
// that are wrong.
func New[TTx any](s Settings[TTx]) (*Queue[TTx], error) {
	var wrong []error
	refuse := func(broken bool, text string) {
		if broken {
			wrong = append(wrong, errors.New("durable: "+text))
		}
	}
	refuse(s.Database == nil, "Database: is missing")
	refuse(s.Alert == nil, "Alert: is missing; a task that fails for good has to reach a person (R-RES-RE-5)")
	refuse(s.PollEvery < 0, "PollEvery: is negative")
	refuse(s.Batch < 0, "Batch: is negative")
	refuse(s.Timeout < 0, "Timeout: is negative")
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	setDefault(&s.PollEvery, DefaultPollEvery)
	setDefault(&s.Batch, DefaultBatch)
	setDefault(&s.Timeout, DefaultTimeout)
	if s.Logger == nil {
		s.Logger = slog.Default()
	}
	return &Queue[TTx]{settings: s, workers: river.NewWorkers(), pause: draw, rescue: 30 * time.Second}, nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// river returns the client, which knows the kinds that are registered by now.
func (q *Queue[TTx]) river() (*river.Client[TTx], error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client != nil {
		return q.client, nil
	}
	s := q.settings
	client, err := river.NewClient(s.Database.Driver(), &river.Config{
		FetchPollInterval:    s.PollEvery,
		FetchCooldown:        min(s.PollEvery, river.FetchCooldownDefault),
		FetchOnlyKnownKinds:  true, // another service's tasks are not ours to fail
		JobTimeout:           s.Timeout,
		RescueStuckJobsAfter: s.Timeout + q.rescue,
		MaxAttempts:          MaxAttempts,
		// A failed task stays until a person has decided, however long its alert
		// fails; its key stays taken.
		CancelledJobRetentionPeriod: -1,
		DiscardedJobRetentionPeriod: -1,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: s.Batch}},
		Workers:                     q.workers,
		Logger:                      slog.New(atLeast{slog.LevelWarn, s.Logger.Handler()}),
	})
	if err != nil {
		return nil, fmt.Errorf("durable: %w", err)
	}
	q.client = client
	return client, nil
}

// Start begins to work on tasks, until Stop. When ctx ends, the attempts in
// progress are canceled.
func (q *Queue[TTx]) Start(ctx context.Context) error {
	client, err := q.river()
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return fmt.Errorf("durable: %w", err)
	}
	alerting, stop := context.WithCancel(ctx)
	q.mu.Lock()
	q.stop = stop
	q.mu.Unlock()
	q.alerts.Go(func() { q.watch(alerting, client) })
	return nil
}

// Stop ends the work: no new task is begun, and those in progress are waited for
// until ctx ends, and then canceled.
func (q *Queue[TTx]) Stop(ctx context.Context) error {
	q.mu.Lock()
	client, stop := q.client, q.stop
	q.mu.Unlock()
	if stop == nil {
		return nil
	}
	stop()
	err := client.Stop(ctx)
	if err != nil {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = client.StopAndCancel(hard)
	}
	q.alerts.Wait()
	return err
}

// atLeast drops the records below a level.
type atLeast struct {
	level slog.Level
	slog.Handler
}

func (h atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}
func (h atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeast{h.level, h.Handler.WithAttrs(attrs)}
}
func (h atLeast) WithGroup(name string) slog.Handler {
	return atLeast{h.level, h.Handler.WithGroup(name)}
}
