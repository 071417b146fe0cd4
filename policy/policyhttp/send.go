package policyhttp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/resilint/resilint/policy"
)

type doFunc = func(*http.Request) (*http.Response, error)

// send makes the attempts of one request with do.
func send(p *policy.Policy, req *http.Request, do doFunc) (*http.Response, error) {
	resp, err := repeat(p, req, do)
	if err != nil && followsWrite(req) {
		err = &answeredError{err}
	}
	return resp, err
}

// followsWrite tells a request that a client makes because a write was answered
// by a redirect: whatever becomes of it, the write was applied before.
func followsWrite(req *http.Request) bool {
	for from := req.Response; from != nil && from.Request != nil; from = from.Request.Response {
		if !reads(from.Request.Method) {
			return true
		}
	}
	return false
}

// answeredError is a failure after the system has answered a write.
type answeredError struct{ err error }

func (e *answeredError) Error() string { return e.err.Error() }
func (e *answeredError) Unwrap() error { return e.err }

// MayBeApplied implements what policy.MayBeApplied asks for.
func (e *answeredError) MayBeApplied() bool { return true }

func repeat(p *policy.Policy, req *http.Request, do doFunc) (*http.Response, error) {
	settings := p.Settings()
	s := sender{req: req, do: do, throttled: settings.RetryThrottled}
	defer s.closeBody()
	key, keyed, err := keyOf(req, settings.Writes.Header)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: nothing was sent: %w", settings.System, err)
	case !rewindable(req):
		return policy.NoRetry(req.Context(), p, s.attempt)
	case reads(req.Method):
		s.repeats = true
		return policy.Read(req.Context(), p, s.attempt)
	case keyed:
		s.repeats = settings.Writes.Promised()
		return policy.Keyed(req.Context(), p, key, func(ctx context.Context, _ policy.Key) (*http.Response, error) {
			return s.attempt(ctx)
		})
	}
	return policy.NoRetry(req.Context(), p, s.attempt)
}

func reads(method string) bool {
	switch method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	return false
}

func rewindable(req *http.Request) bool {
	return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
}

// keyOf returns the key that the request carries, if it carries one.
func keyOf(req *http.Request, header string) (key policy.Key, keyed bool, err error) {
	values, keyed := req.Header[header]
	switch len(values) {
	case 0:
		return policy.Key{}, false, nil
	case 1:
		key, err = policy.ParseKey(values[0])
	default:
		err = fmt.Errorf("%d keys", len(values))
	}
	if err != nil {
		return policy.Key{}, false, fmt.Errorf("header %s: %w", header, err)
	}
	return key, keyed, nil
}

// sender makes the attempts of one request, one after the other.
type sender struct {
	req       *http.Request
	do        doFunc
	repeats   bool
	throttled bool // 429 is a failure to repeat
	sent      bool
	lost      bool // an attempt may have been applied without our knowing
}

// closeBody keeps http.Client's promise that the body is closed in any case.
func (s *sender) closeBody() {
	if !s.sent && s.req.Body != nil {
		_ = s.req.Body.Close()
	}
}

// attempt sends the request once, and remembers what it may have done.
func (s *sender) attempt(ctx context.Context) (*http.Response, error) {
	resp, err := s.sendOnce(ctx)
	s.lost = s.lost || !reads(s.req.Method) && policy.MayBeApplied(err)
	return resp, err
}

// sendOnce sends the request once, and judges the answer.
func (s *sender) sendOnce(ctx context.Context) (*http.Response, error) {
	// The body may be read long after the attempt, so the request's context
	// lasts until the body is closed, and the attempt's only until the header.
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	endAttempt := context.AfterFunc(ctx, cancel)
	var answered atomic.Bool
	if !reads(s.req.Method) {
		detached = noReplay(detached)
		// An answer that leads elsewhere, where nobody can be reached, is an
		// answer all the same.
		detached = httptrace.WithClientTrace(detached, &httptrace.ClientTrace{GotFirstResponseByte: func() { answered.Store(true) }})
	}
	req, err := s.request(detached)
	if err != nil {
		endAttempt()
		cancel()
		return nil, err
	}
	resp, err := s.do(req)
	if err != nil {
		endAttempt()
		cancel()
		if answered.Load() {
			err = &answeredError{err}
		}
		return nil, err
	}
	if s.failed(resp) {
		err := policy.CheckStatus(resp)
		endAttempt()
		cancel()
		return nil, err
	}
	if !endAttempt() { // too late: the context has ended, and the body with it
		cancel()
		_ = resp.Body.Close()
		return nil, ctx.Err()
	}
	// From here on the caller's context alone limits the answer.
	endCall := context.AfterFunc(s.req.Context(), cancel)
	resp.Body = releaseOnClose(resp.Body, func() { endCall(); cancel() })
	return resp, nil
}

// request returns the request as this attempt sends it.
func (s *sender) request(ctx context.Context) (*http.Request, error) {
	req := s.req.Clone(ctx) // http.Client adds cookies to the header it gets
	if s.sent && s.req.GetBody != nil {
		body, err := s.req.GetBody()
		if err != nil {
			return nil, policy.Permanent(fmt.Errorf("rewind the request's body: %w", err))
		}
		req.Body = body
	}
	s.sent = true
	return req, nil
}

// failed tells which answers are failures rather than the system's word. A 4xx
// to a repeated write speaks of the repetition alone: taken for the system's word
// it would deny the payment that the lost attempt has made.
func (s *sender) failed(resp *http.Response) bool {
	switch {
	case resp.StatusCode >= 500, resp.StatusCode >= 400 && s.lost:
		return true
	}
	return resp.StatusCode == http.StatusTooManyRequests && s.repeats && s.throttled
}

// releaseOnClose calls release when nothing more will come of the body.
func releaseOnClose(body io.ReadCloser, release func()) io.ReadCloser {
	if body == http.NoBody {
		release()
		return body
	}
	b := &responseBody{body, release}
	if stream, ok := body.(io.Writer); ok { // 101 Switching Protocols
		return struct {
			*responseBody
			io.Writer
		}{b, stream}
	}
	return b
}

type responseBody struct {
	io.ReadCloser
	release func()
}

func (b *responseBody) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}
