// Package watermill has the ways to set up watermill's Retry middleware.
package watermill

import (
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
)

// As in the documentation: without a multiplier it is constant.
func documented(r *message.Router) {
	r.AddMiddleware(
		middleware.Recoverer,
		middleware.Retry{ // want "X3: 4 attempts a constant 100ms apart" // site "attempts=4 backoff=constant sleep=300ms predicate=catch-all"
			MaxRetries:      3,
			InitialInterval: 100 * time.Millisecond,
		}.Middleware,
	)
}

func exponential(r *message.Router) {
	retry := middleware.Retry{ // site "attempts=4 backoff=exponential+jitter sleep=1.05s"
		MaxRetries:          3,
		InitialInterval:     100 * time.Millisecond,
		MaxInterval:         time.Second,
		Multiplier:          2,
		RandomizationFactor: 0.5,
	}
	r.AddMiddleware(retry.Middleware)
}

func noJitter(h message.HandlerFunc) message.HandlerFunc {
	return middleware.Retry{ // want "RE-3: 11 attempts over 26.3s; at most 5" "RE-4: waits up to 26.3s in memory" "RE-2: exponential without jitter" // site "attempts=11 backoff=exponential"
		MaxRetries:      10,
		InitialInterval: 100 * time.Millisecond,
		MaxInterval:     5 * time.Second,
		Multiplier:      2,
	}.Middleware(h)
}

func withoutLimit() middleware.Retry {
	return middleware.Retry{MaxRetries: -1, InitialInterval: time.Second, MaxInterval: time.Minute, Multiplier: 2, RandomizationFactor: 0.3} // want "RE-3: retried without a limit" // site "attempts=unbounded"
}

// Without MaxRetries there is one attempt.
func off(r *message.Router) {
	r.AddMiddleware(middleware.Retry{InitialInterval: time.Second}.Middleware) // nosite
}
