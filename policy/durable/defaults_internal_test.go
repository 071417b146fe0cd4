package durable

import (
	"context"
	"testing"
	"time"
)

// The guide's numbers: workers look every 5 s and take 50 tasks.
func TestDefaults(t *testing.T) {
	type tx struct{}
	q, err := New(Settings[tx]{
		Database: struct{ Database[tx] }{},
		Alert:    func(context.Context, tx, Failed) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := q.settings.PollEvery; got != 5*time.Second {
		t.Errorf("polls every %v, want 5s", got)
	}
	if got := q.settings.Batch; got != 50 {
		t.Errorf("takes %d tasks, want 50", got)
	}
	if got := q.settings.Timeout; got != time.Minute {
		t.Errorf("an attempt may take %v, want 1m", got)
	}
}
