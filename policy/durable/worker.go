package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/resilint/resilint/policy"
)

// worker carries out the tasks of one kind.
type worker[A river.JobArgs] struct {
	river.WorkerDefaults[stored[A]]
	kind  Kind[A]
	pause func(attempt int) time.Duration
}

// NextRetry implements river.Worker.
func (w *worker[A]) NextRetry(job *river.Job[stored[A]]) time.Time {
	return time.Now().Add(w.pause(job.Attempt))
}

// Work implements river.Worker.
func (w *worker[A]) Work(ctx context.Context, job *river.Job[stored[A]]) error {
	t := Task[A]{ID: job.ID, Key: job.Args.Key, Attempt: job.Attempt, EnqueuedAt: job.CreatedAt}
	if err := json.Unmarshal(job.Args.Args, &t.Args); err != nil {
		return river.JobCancel(fmt.Errorf("arguments of task %d: %w", job.ID, err))
	}
	if w.forgotten(t) {
		return river.JobCancel(fmt.Errorf("enqueued at %s: %w", t.EnqueuedAt.Format(time.RFC3339), policy.ErrKeyForgotten))
	}
	err := w.kind.Run(ctx, t)
	if policy.IsPermanent(err) {
		return river.JobCancel(err)
	}
	return err
}

// forgotten tells whether the key may have been sent so long ago that the system no
// longer knows it when this attempt arrives.
func (w *worker[A]) forgotten(t Task[A]) bool {
	if w.kind.Reads {
		return false
	}
	return keyAge(w.kind.Policy, time.Since(t.EnqueuedAt)) >= w.kind.Policy.Settings().Writes.KeepsKeysFor
}

// keyAge is how old a key may be when an attempt that begins so long after its task
// was enqueued sends it last: the call that gave up may have sent it one window
// before, and the attempt takes another.
func keyAge(p *policy.Policy, sinceEnqueued time.Duration) time.Duration {
	return sinceEnqueued + 2*p.Window()
}
