package policy

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

// IsTransient reports whether err is a failure that passes by itself, so that
// the same request may succeed a moment later (R-RES-RE-X2):
//
//   - a time limit: of the attempt, of dialing, of the TLS handshake, of the
//     response's headers, of http.Client.Timeout;
//   - a connection that was refused, reset or closed: ECONNREFUSED, ECONNRESET,
//     EPIPE, io.ErrUnexpectedEOF, an HTTP request ended by io.EOF, a server that
//     closed an idle connection;
//   - HTTP/2 GOAWAY and REFUSED_STREAM;
//   - a temporary DNS failure (a name that does not exist is permanent);
//   - an answer 5xx (*StatusError);
//   - an error that says so by a method Transient() bool. It is for adapters
//     of protocols that this package does not know, as policygrpc is.
//
// Everything else is permanent: answers 4xx, the caller's cancellation, what
// Permanent marks, unknown errors, and the errors of a policy, whose calls were
// repeated already. A bare context.DeadlineExceeded counts as the attempt's; a
// policy looks at the caller's context before it asks.
func IsTransient(err error) bool {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return false
	case isFinal(err):
		return false
	case as[*TimeoutError](err):
		return true // whatever the function made of it
	}
	var own interface{ Transient() bool }
	if errors.As(err, &own) {
		return own.Transient()
	}
	var status *StatusError
	if errors.As(err, &status) {
		return status.StatusCode >= 500
	}
	return isTimeout(err) || isBrokenConnection(err) || isTemporaryDNS(err) || isHTTP2Refusal(err)
}

// Permanent marks err as one that no repetition can help, whatever IsTransient
// would say of it. errors.Is and As see err through the mark; Permanent(nil) is
// nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

// IsPermanent reports whether err, or an error that it wraps, was marked by
// Permanent.
func IsPermanent(err error) bool { return as[*permanentError](err) }

// isFinal tells errors that were marked, and those of a policy that has repeated
// already.
func isFinal(err error) bool {
	var timeout *TimeoutError
	if errors.As(err, &timeout) && IsPermanent(timeout.Cause) {
		return true // it does not unwrap to every cause
	}
	return IsPermanent(err) || as[*ExhaustedError](err) || as[*UnavailableError](err)
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// MayBeApplied reports whether a write that ended with err may have been carried
// out by the system all the same. When it is true, ask the system for the state
// before anything is sent under another key.
//
// It is false only on evidence: nothing was sent (*UnavailableError, a failed
// dial, name lookup or TLS handshake, REFUSED_STREAM), or the system answered
// that it refused (4xx other than 408, 409 and 499, and 501). An *ExhaustedError
// has the answer over all of its attempts, and an error may answer for itself by
// a method MayBeApplied() bool. It is false for nil.
//
// Of joined errors, one that says that a write may have been applied decides.
func MayBeApplied(err error) bool { return err != nil && evidenceOf(err) != notApplied }

// evidence is what an error says of a write that ended with it.
type evidence int

const (
	noEvidence evidence = iota
	maybeApplied
	notApplied
)

func evidenceOf(err error) evidence {
	switch e := err.(type) {
	case *ExhaustedError:
		return evidenceIf(e.MayBeApplied)
	case *UnavailableError:
		return notApplied
	case *StatusError:
		return evidenceIf(!isRefusal(e.StatusCode))
	case interface{ MayBeApplied() bool }:
		return evidenceIf(e.MayBeApplied())
	case interface{ Unwrap() []error }:
		found := noEvidence
		for _, joined := range e.Unwrap() {
			switch evidenceOf(joined) {
			case maybeApplied:
				return maybeApplied
			case notApplied:
				found = notApplied
			}
		}
		return found
	}
	if inner := errors.Unwrap(err); inner != nil {
		if found := evidenceOf(inner); found != noEvidence {
			return found
		}
	}
	if err == ErrEmptyKey || wasNeverSent(err) {
		return notApplied
	}
	return noEvidence
}

func evidenceIf(applied bool) evidence {
	if applied {
		return maybeApplied
	}
	return notApplied
}

// isRefusal tells which answers say that the request was not carried out. 408
// and 499 are also sent by proxies that gave up on a request they had passed
// on, and 409 while the first request with the same key is still in work.
func isRefusal(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, 499:
		return false
	case http.StatusNotImplemented:
		return true
	}
	return status >= 400 && status < 500
}

func wasNeverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" ||
		as[*net.DNSError](err) ||
		errors.Is(err, syscall.ECONNREFUSED) ||
		as[*tls.CertificateVerificationError](err) ||
		isRefusedStream(err) ||
		says(err, "net/http: TLS handshake timeout")
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

func isBrokenConnection(err error) bool {
	var request *url.Error
	return errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) ||
		errors.Is(err, io.ErrUnexpectedEOF) ||
		// A server that hangs up instead of answering. Elsewhere io.EOF is the
		// regular end of something.
		errors.As(err, &request) && errors.Is(request.Err, io.EOF) ||
		says(err, "http: server closed idle connection")
}

func isTemporaryDNS(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && !dns.IsNotFound && (dns.IsTemporary || dns.IsTimeout)
}

func isHTTP2Refusal(err error) bool {
	return isRefusedStream(err) || says(err, "http2: server sent GOAWAY")
}

// isRefusedStream matches the stream error of golang.org/x/net/http2 and of
// net/http's copy of it, which converts itself to any struct of this shape.
func isRefusedStream(err error) bool {
	var stream http2StreamError
	return errors.As(err, &stream) && stream.Code == refusedStream
}

const refusedStream = 0x7 // RFC 9113, 7

type http2StreamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e http2StreamError) Error() string { return "http2: stream error" }

// says is for the errors that net/http does not export.
func says(err error, text string) bool { return strings.Contains(err.Error(), text) }

func as[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}
