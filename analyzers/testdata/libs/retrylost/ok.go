package retrylost

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"

	avast "github.com/avast/retry-go/v4"
)

func returned(ctx context.Context, s *stock, id string) (n int64, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if n, err = s.count(ctx, id); err == nil {
			return n, nil
		}
		wait(ctx, attempt)
	}
	return 0, err
}

func wrapped(ctx context.Context, s *stock, id string) (int64, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		last = err
		wait(ctx, attempt)
	}
	return 0, fmt.Errorf("after 3 attempts: %w", last)
}

func asText(ctx context.Context, s *stock, id string) (int64, error) {
	var last string
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		last = err.Error()
		wait(ctx, attempt)
	}
	return 0, errors.New("after 3 attempts: " + last)
}

func joined(ctx context.Context, s *stock, id string) (int64, error) {
	var all []error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		all = append(all, err)
		wait(ctx, attempt)
	}
	return 0, errors.Join(append(all, errGaveUp)...)
}

func logged(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		slog.Warn("count", "attempt", attempt, "err", err)
		wait(ctx, attempt)
	}
	return 0, errGaveUp
}

// All but the last are logged.
func loggedBefore(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := 1; ; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		if attempt == 3 {
			return 0, errGaveUp
		}
		log.Printf("attempt %d: %v", attempt, err)
		wait(ctx, attempt)
	}
}

// A helper tells it.
func toldByHelper(ctx context.Context, s *stock, id string) (int64, error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		failed(attempt, err)
		wait(ctx, attempt)
	}
	return 0, errGaveUp
}

func failed(attempt int, err error) { log.Println(attempt, err) }

// alist, drivers/pcloud/util.go: what stands behind the loop is never reached.
func neverReached(ctx context.Context, s *stock, id string) (int64, error) {
	const last = 2
	for attempt := 0; attempt <= last; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		if attempt == last {
			return 0, err
		}
		wait(ctx, attempt)
	}
	return 0, errors.New("gave up")
}

// Nor is it here, when something failed.
func onlyWhenNothingFailed(ctx context.Context, s *stock, id string) (int64, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		last = fmt.Errorf("attempt %d: %w", attempt, err)
		wait(ctx, attempt)
	}
	if last != nil {
		return 0, last
	}
	return 0, errors.New("no attempt was made")
}

// It carries the cause in a type of its own.
func inAType(ctx context.Context, s *stock, id string) (int64, error) {
	var last error
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		n, err := s.count(ctx, id)
		if err == nil {
			return n, nil
		}
		last = err
		wait(ctx, attempt)
	}
	return 0, &exhausted{3, last}
}

type exhausted struct {
	attempts int
	last     error
}

func (e *exhausted) Error() string { return fmt.Sprintf("%d attempts: %v", e.attempts, e.last) }

// One cause is told from others.
func translated(ctx context.Context, s *stock, id string) error {
	err := avast.Do(func() error { // site "attempts=3"
		_, err := s.count(ctx, id)
		return err
	}, avast.Attempts(3), avast.Context(ctx))
	if errors.Is(err, context.Canceled) {
		return errUnavailable
	}
	return err
}

// It is kept for who asks later.
func keptInAField(ctx context.Context, s *watched, id string) error {
	err := avast.Do(func() error { // site "attempts=3"
		_, err := s.count(ctx, id)
		s.last = err
		return err
	}, avast.Attempts(3), avast.Context(ctx))
	if err != nil {
		return errUnavailable
	}
	return nil
}

type watched struct {
	stock
	last error
}

// The library's hook tells it.
func hooked(ctx context.Context, s *stock, id string) error {
	err := avast.Do(func() error { // site "attempts=3"
		_, err := s.count(ctx, id)
		return err
	}, avast.Attempts(3), avast.Context(ctx), avast.OnRetry(func(n uint, err error) { log.Println(n, err) }))
	if err != nil {
		return errUnavailable
	}
	return nil
}

func cancelled(ctx context.Context, s *stock, id string) (n int64, err error) {
	for attempt := 0; attempt < 3; attempt++ { // site "attempts=3"
		if n, err = s.count(ctx, id); err == nil {
			return n, nil
		}
		if ctx.Err() != nil {
			return 0, errGaveUp // because of the context, not of the attempts
		}
		wait(ctx, attempt)
	}
	return 0, err
}
