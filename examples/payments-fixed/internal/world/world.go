// Package world plays a remote system in tests: on a bad day, and in no time.
package world

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// A System answers requests in the order of its answers, the last of them for
// ever, and remembers what it was asked. It is an http.RoundTripper, so that
// time may be virtual.
type System struct {
	Answers  []Answer
	Requests []Request
}

// An Answer is a status with a body, or an error.
type Answer struct {
	Status int
	Body   string
	Err    error
}

// A Request is what tests want to know of one.
type Request struct {
	Method, Path, Key, Body string
}

func (s *System) RoundTrip(r *http.Request) (*http.Response, error) {
	var body strings.Builder
	if r.Body != nil {
		if _, err := io.Copy(&body, r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	answer := s.Answers[min(len(s.Requests), len(s.Answers)-1)]
	s.Requests = append(s.Requests, Request{r.Method, r.URL.Path, header(r, "Idempotency-Key"), strings.TrimSpace(body.String())})
	if answer.Err != nil {
		return nil, answer.Err
	}
	w := httptest.NewRecorder()
	w.WriteHeader(answer.Status)
	io.WriteString(w, answer.Body)
	return w.Result(), nil
}

// header is a header of the request as a server sees it: the names in the map
// need not be in canonical form, and on the wire their case does not matter.
func header(r *http.Request, name string) string {
	for n, values := range r.Header {
		if strings.EqualFold(n, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}
