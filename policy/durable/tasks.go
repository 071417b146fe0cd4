package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/resilint/resilint/policy"
)

// Kind says how one kind of tasks is carried out. A holds a task's arguments; its
// method Kind names them in the database, and must not be renamed while tasks of
// that name are stored.
type Kind[A river.JobArgs] struct {
	// Policy of the system that the tasks call. Required.
	Policy *policy.Policy

	// Reads says that the tasks only read. Otherwise the system has to promise to
	// recognise keys for longer than the horizon (policy.Settings.Writes).
	Reads bool

	// Run makes one attempt. It sends t.Key with every write, such as by
	// policy.Keyed. An error is kept with the task, which is attempted again,
	// unless policy.Permanent marks the error. Required.
	Run func(ctx context.Context, t Task[A]) error
}

// Task is one task at one attempt.
type Task[A river.JobArgs] struct {
	ID int64
	// Key is the same at every attempt. It may be empty when the kind only reads.
	Key  policy.Key
	Args A
	// Attempt is 1, 2, ... 10.
	Attempt    int
	EnqueuedAt time.Time
}

// Tasks enqueues the tasks of one kind. It is safe for concurrent use.
type Tasks[A river.JobArgs, TTx any] struct {
	queue *Queue[TTx]
	kind  Kind[A]
}

// Register adds a kind of tasks to a queue that has not been used yet. It refuses a
// kind that writes to a system whose promise does not cover the horizon
// (R-RES-RE-1).
func Register[A river.JobArgs, TTx any](q *Queue[TTx], k Kind[A]) (*Tasks[A, TTx], error) {
	var args A
	name := args.Kind()
	fail := func(format string, a ...any) (*Tasks[A, TTx], error) {
		return nil, fmt.Errorf("durable: tasks %q: %s", name, fmt.Sprintf(format, a...))
	}
	switch {
	case k.Policy == nil:
		return fail("Policy: is missing; the calls of a task need a breaker too (R-RES-RE-X4)")
	case k.Run == nil:
		return fail("Run: is missing")
	}
	writes := k.Policy.Settings().Writes
	needed := keyAge(k.Policy, Horizon())
	switch {
	case k.Reads:
	case !writes.Promised():
		return fail("a task runs again after a crash, and %s has not promised to recognise repeated writes (R-RES-RE-1)", k.Policy.Settings().System)
	case writes.KeepsKeysFor <= needed:
		return fail("%s keeps keys for %v, and a task may send one again after %v (R-RES-RE-1)", k.Policy.Settings().System, writes.KeepsKeysFor, needed)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client != nil {
		return fail("registered after the queue was used")
	}
	if err := river.AddWorkerSafely(q.workers, &worker[A]{kind: k, pause: q.pause}); err != nil {
		return fail("%v", err)
	}
	q.kinds = append(q.kinds, name)
	return &Tasks[A, TTx]{q, k}, nil
}

// ErrKeyUsed: the key belongs to a task with other arguments.
var ErrKeyUsed = errors.New("idempotency key belongs to another task")

// Enqueue stores a task in the caller's transaction, and returns its ID. The task
// is attempted soon after the commit, and never if there is none.
//
// A key stands for one task: while it is stored, enqueuing the key again with the
// same arguments returns that task's ID, and with other arguments ErrKeyUsed. A
// task that succeeded is stored for a day, one that failed until someone deletes
// it. An empty key is policy.ErrEmptyKey, unless the kind only reads.
func (t *Tasks[A, TTx]) Enqueue(ctx context.Context, tx TTx, key policy.Key, args A) (int64, error) {
	if key.IsZero() && !t.kind.Reads {
		return 0, fmt.Errorf("durable: tasks %q: %w", args.Kind(), policy.ErrEmptyKey)
	}
	client, err := t.queue.river()
	if err != nil {
		return 0, err
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		return 0, fmt.Errorf("durable: tasks %q: %w", args.Kind(), err)
	}
	opts := &river.InsertOpts{}
	if !key.IsZero() {
		// In any state: by default River forgets the keys of failed tasks.
		opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: rivertype.JobStates()}
	}
	inserted, err := client.InsertTx(ctx, tx, stored[A]{Key: key, Args: encoded}, opts)
	if err != nil {
		return 0, fmt.Errorf("durable: tasks %q: %w", args.Kind(), err)
	}
	if inserted.UniqueSkippedAsDuplicate {
		var first stored[A]
		if err := json.Unmarshal(inserted.Job.EncodedArgs, &first); err != nil || !sameJSON(first.Args, encoded) {
			return 0, fmt.Errorf("durable: tasks %q: key %s: %w", args.Kind(), key, ErrKeyUsed)
		}
	}
	return inserted.Job.ID, nil
}

// stored is a task as the database has it.
type stored[A river.JobArgs] struct {
	Key  policy.Key      `json:"key" river:"unique"`
	Args json.RawMessage `json:"args"`
}

// Kind implements river.JobArgs.
func (stored[A]) Kind() string {
	var args A
	return args.Kind()
}

// sameJSON compares what databases are free to lay out differently.
func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	one, _ := json.Marshal(x)
	two, _ := json.Marshal(y)
	return bytes.Equal(one, two)
}
