// Package retrylost has operations that say whether they are done, and what they
// tell of their failures.
package retrylost

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type node struct{ http *http.Client }

func (n *node) get(ctx context.Context, name string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://nodes.example/"+name, nil)
	if err != nil {
		return "", err
	}
	resp, err := n.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	return resp.Status, nil
}

var backoff = wait.Backoff{Steps: 3, Duration: 500 * time.Millisecond, Factor: 2, Jitter: 0.1}

// terway, daemon/builder.go: that the attempts are over is all that is told.
func swallowed(ctx context.Context, n *node, name string) error {
	err := wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // want "^RSL-LOST: when the attempts are over nobody learns why they failed: the operation drops its error$" // site "attempts=3"
		if _, err := n.get(ctx, name); err != nil {
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("get %s: %w", name, err)
	}
	return nil
}

// The one that was tried first is told, the other is not.
func secondSwallowed(ctx context.Context, n *node, name string) error {
	return wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // want "^RSL-LOST: " // site "attempts=3"
		if _, err := n.get(ctx, name); err != nil {
			log.Print(err)
			return false, nil
		}
		if _, err := n.get(ctx, name+"/status"); err != nil {
			return false, nil
		}
		return true, nil
	})
}

// The variable tells it.
func kept(ctx context.Context, n *node, name string) error {
	var last error
	err := wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // site "attempts=3"
		if _, last = n.get(ctx, name); last != nil {
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}

func logged(ctx context.Context, n *node, name string) error {
	return wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // site "attempts=3"
		if _, err := n.get(ctx, name); err != nil {
			log.Print(err)
			return false, nil
		}
		return true, nil
	})
}

// A failure ends it.
func ends(ctx context.Context, n *node, name string) error {
	return wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // nosite
		status, err := n.get(ctx, name)
		if err != nil {
			return false, err
		}
		return status == "ready", nil
	})
}

// A wait for a state: that there is no answer yet is one of the answers.
func polls(ctx context.Context, n *node, name string) error {
	return wait.ExponentialBackoffWithContext(ctx, backoff, func(ctx context.Context) (bool, error) { // site "attempts=3"
		status, err := n.get(ctx, name)
		if err != nil {
			return false, nil
		}
		if status != "ready" {
			return false, nil
		}
		return true, nil
	})
}
