package policygrpc

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/resilint/resilint/policy"
)

var errSeveralKeys = errors.New("several idempotency keys")

func refuseKey(p *policy.Policy, err error) error {
	return fmt.Errorf("%s: nothing was sent: %w", p.Settings().System, err)
}

// callError tells a policy what a gRPC status means.
type callError struct {
	err  error
	code codes.Code
}

func judge(err error) error {
	if err == nil {
		return nil
	}
	return &callError{err, status.Code(err)}
}

func (e *callError) Error() string { return e.err.Error() }

// Unwrap leads to the status.
func (e *callError) Unwrap() error { return e.err }

// Transient implements what policy.IsTransient asks for. A deadline is the
// attempt's: a policy looks at the caller's first.
func (e *callError) Transient() bool {
	return e.code == codes.Unavailable || e.code == codes.DeadlineExceeded
}

// MayBeApplied implements what policy.MayBeApplied asks for. These codes say that
// the server has refused; the others that it failed, or that nobody knows.
// ALREADY_EXISTS may be the echo of an attempt that got lost. The client itself
// makes RESOURCE_EXHAUSTED of an answer that is too large, and UNIMPLEMENTED of
// one that it can't decompress.
func (e *callError) MayBeApplied() bool {
	switch e.code {
	case codes.InvalidArgument, codes.NotFound, codes.PermissionDenied, codes.Unauthenticated,
		codes.FailedPrecondition, codes.OutOfRange:
		return false
	}
	return true
}
