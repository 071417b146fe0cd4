package policy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
)

// promise is a system that recognises repeated writes.
var promise = policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "API terms 4.2"}

func newPolicy(t testing.TB, change ...func(*policy.Settings)) *policy.Policy {
	t.Helper()
	s := policy.Settings{System: "sber", Writes: promise}
	for _, f := range change {
		f(&s)
	}
	p, err := policy.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func unavailable() error {
	return &policy.StatusError{StatusCode: 503, Method: "GET", Path: "/orders/1"}
}

// failing returns a function that fails with err, and counts.
func failing(err error) (fn func(context.Context) (int, error), calls *int) {
	calls = new(int)
	return func(context.Context) (int, error) { *calls++; return 0, err }, calls
}

func exhausted(t testing.TB, err error) *policy.ExhaustedError {
	t.Helper()
	var e *policy.ExhaustedError
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want *ExhaustedError", err, err)
	}
	return e
}
