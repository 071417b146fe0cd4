package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// watch reports failed tasks until ctx ends. It looks for them in the database
// rather than waiting for their worker to tell, since that may be dead: a task
// whose last attempt was killed fails without anybody running it.
func (q *Queue[TTx]) watch(ctx context.Context, client *river.Client[TTx]) {
	tick := time.NewTicker(q.settings.PollEvery)
	defer tick.Stop()
	for {
		q.reportAll(ctx, client)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// reportAll reports each task that has failed since. One whose alert fails does not
// keep the others waiting; its turn comes again.
func (q *Queue[TTx]) reportAll(ctx context.Context, client *river.Client[TTx]) {
	for after := int64(0); ctx.Err() == nil; {
		id, err := q.reportNext(ctx, client, after)
		if err != nil && ctx.Err() == nil {
			q.settings.Logger.ErrorContext(ctx, "durable: failed task not reported", slog.Int64("task", id), slog.Any("error", err))
		}
		if id == 0 {
			return
		}
		after = id
	}
}

// reportNext reports the next failed task after the given ID, and returns its ID, or
// 0 when there is none.
func (q *Queue[TTx]) reportNext(ctx context.Context, client *river.Client[TTx], after int64) (id int64, err error) {
	db := q.settings.Database
	err = db.InTx(ctx, func(tx TTx) error {
		var err error
		id, err = db.NextFailed(ctx, tx, q.kinds, after)
		if err != nil || id == 0 {
			return err
		}
		job, err := client.JobGetTx(ctx, tx, id)
		if err != nil {
			return err
		}
		failed, err := describe(job)
		if err != nil {
			return err
		}
		if err := q.settings.Alert(ctx, tx, failed); err != nil {
			return err
		}
		return db.MarkReported(ctx, tx, id)
	})
	return id, err
}

func describe(job *rivertype.JobRow) (Failed, error) {
	f := Failed{ID: job.ID, Kind: job.Kind, Attempts: job.Attempt, EnqueuedAt: job.CreatedAt}
	var args struct {
		Key  json.RawMessage `json:"key"`
		Args json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
		return f, fmt.Errorf("task %d: %w", job.ID, err)
	}
	if err := json.Unmarshal(args.Key, &f.Key); err != nil {
		return f, fmt.Errorf("key of task %d: %w", job.ID, err)
	}
	f.Args = args.Args
	for _, e := range job.Errors {
		f.Errors = append(f.Errors, e.Error)
	}
	return f, nil
}
