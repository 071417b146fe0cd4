// Package outage tells failures that may pass by themselves within seconds from
// those that will not: only the former are worth another attempt.
package outage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/sony/gobreaker/v2"
)

// A StatusError is an answer that is no success.
type StatusError struct {
	Method, Path string
	Code         int
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s %s: %d %s", e.Method, e.Path, e.Code, http.StatusText(e.Code))
}

// Brief reports whether the failure may pass by itself: a 5xx, a timeout, a
// connection that was refused or lost. A 4xx is about the request, an open
// breaker says that the outage is no brief one, and a caller that gave up does
// not want another attempt.
func Brief(err error) bool {
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) || errors.Is(err, context.Canceled) {
		return false
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return BriefStatus(status.Code)
	}
	if netErr, ok := errors.AsType[net.Error](err); ok && netErr.Timeout() {
		return true
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// BriefStatus reports whether an answer with the status may be another one in
// a second.
func BriefStatus(code int) bool {
	return code >= 500 && code != http.StatusNotImplemented
}
