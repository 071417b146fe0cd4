package policy_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
)

type protocolError bool

func (e protocolError) Error() string   { return "protocol" }
func (e protocolError) Transient() bool { return bool(e) }

type refusal struct{ error }

func (refusal) MayBeApplied() bool { return false }

func TestClassification(t *testing.T) {
	status := func(code int) error { return &policy.StatusError{StatusCode: code} }
	op := func(op string, err error) error { return &url.Error{Op: "Post", Err: &net.OpError{Op: op, Err: err}} }
	dns := func(e net.DNSError) error { return &net.OpError{Op: "dial", Err: &e} }
	for _, test := range []struct {
		name                    string
		err                     error
		transient, mayBeApplied bool
	}{
		{"nil", nil, false, false},
		{"unknown", errors.New("unknown"), false, true},
		{"canceled", context.Canceled, false, true},
		{"canceled request", &url.Error{Op: "Get", Err: context.Canceled}, false, true},
		{"deadline", context.DeadlineExceeded, true, true},
		{"refused", op("dial", syscall.ECONNREFUSED), true, false},
		{"dial timeout", op("dial", syscall.ETIMEDOUT), true, false},
		{"unreachable", op("dial", syscall.EHOSTUNREACH), false, false},
		{"reset", op("read", syscall.ECONNRESET), true, true},
		{"broken pipe", op("write", syscall.EPIPE), true, true},
		{"cut off", fmt.Errorf("body: %w", io.ErrUnexpectedEOF), true, true},
		{"hung up", &url.Error{Op: "Post", Err: io.EOF}, true, true},
		{"end of something", io.EOF, false, true},
		{"idle connection", &url.Error{Op: "Post", Err: errors.New("http: server closed idle connection")}, true, true},
		{"handshake timeout", &url.Error{Op: "Post", Err: errors.New("net/http: TLS handshake timeout")}, false, false},
		{"bad certificate", &tls.CertificateVerificationError{Err: errors.New("expired")}, false, false},
		{"GOAWAY", errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1"), true, true},
		{"no such host", dns(net.DNSError{IsNotFound: true, IsTemporary: true}), false, false},
		{"name server fails", dns(net.DNSError{IsTemporary: true}), true, false},
		{"name server is slow", dns(net.DNSError{IsTimeout: true}), true, false},
		{"400", status(400), false, false},
		{"401", status(401), false, false},
		{"404", status(404), false, false},
		{"408", status(408), false, true},
		{"409", status(409), false, true},
		{"422", status(422), false, false},
		{"425", status(425), false, false},
		{"429", status(429), false, false},
		{"499", status(499), false, true},
		{"500", status(500), true, true},
		{"501", status(501), true, false},
		{"503", status(503), true, true},
		{"599", status(599), true, true},
		{"wrapped 502", fmt.Errorf("pay: %w", status(502)), true, true},
		{"permanent", policy.Permanent(status(502)), false, true},
		{"permanent within", fmt.Errorf("pay: %w", policy.Permanent(syscall.ECONNRESET)), false, true},
		{"says transient", fmt.Errorf("pay: %w", protocolError(true)), true, true},
		{"says permanent", protocolError(false), false, true},
		{"says refused", fmt.Errorf("pay: %w", refusal{errors.New("protocol")}), false, false},
		{"timed out", &policy.TimeoutError{Cause: context.Canceled}, true, true},
		{"timed out, in words of its own", &policy.TimeoutError{Cause: protocolError(false)}, true, true},
		{"timed out, marked", &policy.TimeoutError{Cause: policy.Permanent(context.Canceled)}, false, true},
		{"repeated already", &policy.ExhaustedError{Last: status(502), MayBeApplied: true}, false, true},
		{"repeated, a read", &policy.ExhaustedError{Last: status(502)}, false, false},
		{"not sent", &policy.UnavailableError{Cause: policy.ErrBreakerOpen}, false, false},
		{"empty key", policy.ErrEmptyKey, false, false},
	} {
		if got := policy.IsTransient(test.err); got != test.transient {
			t.Errorf("%s: transient %v, want %v", test.name, got, test.transient)
		}
		if got := policy.MayBeApplied(test.err); got != test.mayBeApplied {
			t.Errorf("%s: may be applied %v, want %v", test.name, got, test.mayBeApplied)
		}
	}
	if !policy.IsPermanent(fmt.Errorf("pay: %w", policy.Permanent(io.EOF))) || policy.IsPermanent(io.EOF) {
		t.Error("IsPermanent does not tell marked errors")
	}
	if policy.Permanent(nil) != nil {
		t.Error("Permanent(nil) is an error")
	}
	if cause := errors.New("cause"); !errors.Is(policy.Permanent(cause), cause) || policy.Permanent(cause).Error() != "cause" {
		t.Error("Permanent hides its cause")
	}
}

// The errors that net/http really returns.
func TestRealConnections(t *testing.T) {
	for name, test := range map[string]struct {
		serve        func(net.Conn)
		mayBeApplied bool
	}{
		"closed before the answer": {func(c net.Conn) { readRequest(c); c.Close() }, true},
		"reset before the answer": {func(c net.Conn) {
			readRequest(c)
			_ = c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}, true},
		"closed within the header": {func(c net.Conn) {
			readRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
			c.Close()
		}, true},
		"closed within the body": {func(c net.Conn) {
			readRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
			c.Close()
		}, true},
		"no answer": {func(c net.Conn) { readRequest(c); _, _ = io.Copy(io.Discard, c) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					go test.serve(c)
				}
			}()
			client := http.Client{Transport: &http.Transport{}, Timeout: 300 * time.Millisecond}
			defer client.CloseIdleConnections()
			resp, err := client.Post("http://"+listener.Addr().String(), "text/plain", strings.NewReader("pay"))
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if !policy.IsTransient(err) {
				t.Errorf("%v (%T) is not transient", err, err)
			}
			if got := policy.MayBeApplied(err); got != test.mayBeApplied {
				t.Errorf("%v may be applied: %v, want %v", err, got, test.mayBeApplied)
			}
		})
	}
}

func readRequest(c net.Conn) {
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err == nil {
		_, _ = io.Copy(io.Discard, req.Body)
	}
}

func TestRealRefusal(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	_, err = (&http.Client{Transport: &http.Transport{}}).Get("http://" + listener.Addr().String())
	if !policy.IsTransient(err) || policy.MayBeApplied(err) {
		t.Errorf("%v: transient %v, may be applied %v, want true, false", err, policy.IsTransient(err), policy.MayBeApplied(err))
	}
}

func TestRealHandshakeTimeout(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // accepts in its backlog, never answers
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client := &http.Client{Transport: &http.Transport{TLSHandshakeTimeout: 50 * time.Millisecond}}
	_, err = client.Get("https://" + listener.Addr().String())
	if !policy.IsTransient(err) || policy.MayBeApplied(err) {
		t.Errorf("%v: transient %v, may be applied %v, want true, false", err, policy.IsTransient(err), policy.MayBeApplied(err))
	}
}

// net/http's own HTTP/2 stream errors, with a handler that aborts its stream.
func TestRealStreamError(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	_, err := server.Client().Get(server.URL)
	// INTERNAL_ERROR is not REFUSED_STREAM.
	if err == nil || policy.IsTransient(err) || !policy.MayBeApplied(err) {
		t.Errorf("%v: transient %v, may be applied %v, want false, true", err, policy.IsTransient(err), policy.MayBeApplied(err))
	}
}

func TestCheckStatus(t *testing.T) {
	body := &countingBody{Reader: strings.NewReader(strings.Repeat("x", 1<<20))}
	answer := func(code int, header http.Header) *http.Response {
		req := httptest.NewRequest("POST", "http://bank.example/pay?card=4111", nil)
		return &http.Response{StatusCode: code, Header: header, Body: body, Request: req}
	}
	for _, code := range []int{101, 200, 204, 302, 399} {
		if err := policy.CheckStatus(answer(code, nil)); err != nil || body.read > 0 || body.closed {
			t.Errorf("%d: %v, %d read, closed %v, want untouched", code, err, body.read, body.closed)
		}
	}
	err := policy.CheckStatus(answer(503, http.Header{"Retry-After": {"7"}}))
	var status *policy.StatusError
	if !errors.As(err, &status) || status.RetryAfter != 7*time.Second || len(status.Body) != 4096 {
		t.Fatalf("%+v, want 503 with 7s and 4096 bytes", err)
	}
	if want := "POST /pay: status 503 Service Unavailable, retry after 7s"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if body.read < 250<<10 || body.read > 300<<10 || !body.closed {
		t.Errorf("read %d, closed %v, want a bounded drain and a close", body.read, body.closed)
	}
}

func TestRetryAfterHeader(t *testing.T) {
	date := "Mon, 02 Jan 2006 15:04:05 GMT"
	for value, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"12":                            12 * time.Second,
		"-3":                            0,
		"soon":                          0,
		"99999999999999999999":          0,
		"Mon, 02 Jan 2006 15:04:35 GMT": 30 * time.Second,
		"Mon, 02 Jan 2006 15:04:00 GMT": 0,
	} {
		header := http.Header{"Retry-After": {value}, "Date": {date}}
		err := policy.CheckStatus(&http.Response{StatusCode: 429, Header: header})
		var status *policy.StatusError
		if !errors.As(err, &status) || status.RetryAfter != want {
			t.Errorf("%q: %v, want %v", value, status.RetryAfter, want)
		}
	}
}

type countingBody struct {
	io.Reader
	read   int
	closed bool
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read += n
	return n, err
}

func (b *countingBody) Close() error { b.closed = true; return nil }
