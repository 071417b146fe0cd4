// Package wait has the ways to retry with the Kubernetes packages, and those to
// poll, which are no retries.
package wait

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

func always(error) bool { return true }

func defaultRetry() error {
	return retry.OnError(retry.DefaultRetry, always, ping) // want "X3: 5 attempts up to 11ms apart, with jitter but without growth" // site "attempts=5 backoff=constant+jitter sleep=44ms predicate=catch-all mechanism=library"
}

func defaultBackoff(transient func(error) bool) error {
	return retry.OnError(retry.DefaultBackoff, transient, ping) // site "attempts=4 backoff=exponential+jitter sleep=341ms predicate=unknown"
}

func literal(transient func(error) bool) error {
	return retry.OnError(wait.Backoff{Steps: 4, Duration: 100 * time.Millisecond, Factor: 2}, transient, ping) // want "RE-2: exponential without jitter .100ms, 200ms, 400ms." // site "attempts=4 backoff=exponential sleep=700ms"
}

func fieldsOfLocal(transient func(error) bool) error {
	b := retry.DefaultBackoff
	b.Steps = 7
	return retry.OnError(b, transient, ping) // want "RE-3: 7 attempts over" "RE-4: waits up to 42.9s in memory .7 attempts.: a restart loses it" // site "attempts=7 backoff=exponential+jitter sleep=42.9s"
}

func condition() (bool, error) { return ping() == nil, nil }

func exponentialBackoff() error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3, Duration: time.Second, Factor: 2, Jitter: 0.5}, condition) // site "attempts=3 backoff=exponential+jitter sleep=4.5s"
}

var backoff = wait.Backoff{Steps: 3, Duration: 500 * time.Millisecond, Factor: 2, Jitter: 0.1}

func packageVariable(ctx context.Context) error {
	return wait.ExponentialBackoffWithContext(ctx, backoff, func(context.Context) (bool, error) { return condition() }) // site "attempts=3 backoff=exponential+jitter sleep=1.65s"
}

func withoutFactor(ctx context.Context) error {
	return wait.ExponentialBackoffWithContext(ctx, wait.Backoff{Steps: 3, Duration: time.Second}, func(context.Context) (bool, error) { return condition() }) // want "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant sleep=2s"
}

func oneStep() error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 1, Duration: time.Second}, condition) // nosite
}

func noSteps() error {
	return wait.ExponentialBackoff(wait.Backoff{Duration: time.Second}, condition) // nosite
}

// Reading again what another writer changed is the protocol.
func onConflict() error {
	return retry.RetryOnConflict(retry.DefaultRetry, ping) // nosite
}

func pollUntilTimeout(ctx context.Context) error {
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(context.Context) (bool, error) { return condition() }) // nosite
}

func pollUntilCancel(ctx context.Context) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) { return condition() }) // nosite
}

func workerLoop(stop <-chan struct{}) {
	wait.Until(func() { _ = ping() }, time.Second, stop) // nosite
}

func jitteredWorkerLoop(ctx context.Context) {
	wait.JitterUntilWithContext(ctx, func(context.Context) { _ = ping() }, time.Second, 0.1, true) // nosite
}

// cloudnative-pg, instance_controller.go: a failure ends it, a state is waited for.
func untilAState() error {
	return wait.ExponentialBackoff(backoff, func() (done bool, err error) { // nosite
		active, err := isActive()
		if err != nil {
			return true, err
		}
		if !active {
			return true, nil
		}
		return false, nil
	})
}

// A failure is what it asks again for.
func untilItAnswers() error {
	return wait.ExponentialBackoff(backoff, func() (bool, error) { // want "RSL-LOST: " // site "attempts=3"
		if _, err := isActive(); err != nil {
			return false, nil
		}
		return true, nil
	})
}

func isActive() (bool, error) {
	if err := ping(); err != nil {
		return false, err
	}
	return true, nil
}

// terway, pkg/aliyun/client: so it does when the policy is not known.
func untilAStateByAnyPolicy(given func() wait.Backoff) error {
	return wait.ExponentialBackoff(given(), func() (bool, error) { // nosite
		d, err := describe()
		if err != nil {
			return false, nil
		}
		if d.Status != "InUse" {
			return false, nil
		}
		return true, nil
	})
}

type device struct{ Status string }

func describe() (*device, error) {
	if err := ping(); err != nil {
		return nil, err
	}
	return &device{}, nil
}
