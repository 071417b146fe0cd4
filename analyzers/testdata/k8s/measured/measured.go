// Package measured has what numbers of steps and caps come to: measured with a
// condition that never holds. The test of this package runs the same calls.
package measured

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

func stepsOf0(op wait.ConditionFunc) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 0, Duration: time.Second, Factor: 2}, op) // nosite
}

func stepsOf1(op wait.ConditionFunc) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 1, Duration: time.Second, Factor: 2}, op) // nosite
}

func stepsOf3(op wait.ConditionFunc) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 3, Duration: time.Second, Factor: 2}, op) // site "attempts=3 sleep=3s" // want "RE-2: "
}

// The wait after which the next would exceed the cap is the last, and no attempt
// follows it.
func capOf3s(op wait.ConditionFunc) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 10, Duration: time.Second, Factor: 2, Cap: 3 * time.Second}, op) // site "attempts=2 sleep=3s" // want "RE-2: "
}

func capOf4s(op wait.ConditionFunc) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 10, Duration: time.Second, Factor: 2, Cap: 4 * time.Second}, op) // site "attempts=3 sleep=7s" // want "RE-2: "
}
