package policy

import "context"

// WithFallback returns what call returns, or what fallback makes of its error.
// The fallback sees the typed error, so it can tell a system that is down
// (*UnavailableError, *ExhaustedError) from an answer it has to pass on:
//
//	var down *policy.UnavailableError
//	if errors.As(err, &down) {
//		return cached, nil
//	}
//	return Rates{}, err
//
// It gets the caller's context, and is neither repeated nor limited.
func WithFallback[T any](ctx context.Context, call func(context.Context) (T, error), fallback func(context.Context, error) (T, error)) (T, error) {
	result, err := call(ctx)
	if err != nil {
		return fallback(ctx, err)
	}
	return result, nil
}
