package policy

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxBodyKept of a failed answer is kept for whoever reads the error.
	maxBodyKept = 4 << 10
	// maxBodyDrained is read so that the connection can be used again; of a
	// longer body the rest costs more than a new connection.
	maxBodyDrained = 256 << 10
)

// StatusError is an HTTP answer that says the request failed. It is transient
// from 500 on. It is immutable.
type StatusError struct {
	StatusCode int
	// Method and Path of the request; the query is left out, it may hold
	// personal data.
	Method, Path string
	// RetryAfter is how long the system asks to be left alone, counted from
	// its answer. Zero when it does not say.
	RetryAfter time.Duration
	// Body is the answer's beginning, at most 4 KiB. Error does not print it.
	Body []byte
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s %s: status %d", e.Method, e.Path, e.StatusCode)
	if name := http.StatusText(e.StatusCode); name != "" {
		text += " " + name
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(", retry after %v", e.RetryAfter)
	}
	return text
}

// CheckStatus returns nil for an answer below 400 and leaves its body alone.
// For any other it reads up to 256 KiB of the body, closes it, and returns a
// *StatusError.
func CheckStatus(resp *http.Response) error {
	if resp.StatusCode < 400 {
		return nil
	}
	e := &StatusError{StatusCode: resp.StatusCode, RetryAfter: retryAfter(resp.Header)}
	if req := resp.Request; req != nil {
		e.Method, e.Path = req.Method, req.URL.Path
		if e.Method == "" {
			e.Method = http.MethodGet
		}
	}
	if resp.Body != nil {
		// What can't be read of a failure is not missed.
		e.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxBodyKept))
		_, _ = io.CopyN(io.Discard, resp.Body, maxBodyDrained-maxBodyKept)
		_ = resp.Body.Close()
	}
	return e
}

// retryAfter reads the header in both of its forms: seconds, and a date, which
// is taken relative to the answer's own Date so that clocks need not agree.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, at.Sub(now))
}
