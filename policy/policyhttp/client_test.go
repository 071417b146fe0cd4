package policyhttp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyhttp"
)

var promise = policy.Dedup{KeepsKeysFor: time.Hour, Contract: "test"}

func newPolicy(t testing.TB, change ...func(*policy.Settings)) *policy.Policy {
	t.Helper()
	s := policy.Settings{System: "bank", FirstPause: time.Millisecond, Writes: promise}
	for _, f := range change {
		f(&s)
	}
	p, err := policy.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serve starts a server whose answer depends on how many requests came before.
func serve(t testing.TB, handle func(n int, w http.ResponseWriter, r *http.Request)) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(int(requests.Add(1)), w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func newClient(t testing.TB, p *policy.Policy) *policyhttp.Client {
	client := policyhttp.New(p, nil)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func request(t testing.TB, method, url string, body io.Reader, key string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return req
}

func TestWhatIsRepeated(t *testing.T) {
	stream := func() io.Reader { return struct{ io.Reader }{strings.NewReader("pay")} } // no GetBody
	text := func() io.Reader { return strings.NewReader("pay") }
	none := func() io.Reader { return nil }
	for _, test := range []struct {
		name, method string
		body         func() io.Reader
		key          string
		writes       policy.Dedup
		want         int64
	}{
		{"GET", "GET", none, "", policy.Dedup{}, 3},
		{"HEAD", "HEAD", none, "", policy.Dedup{}, 3},
		{"OPTIONS", "OPTIONS", none, "", policy.Dedup{}, 3},
		{"POST", "POST", text, "", promise, 1},
		{"PUT", "PUT", text, "", promise, 1},
		{"PATCH", "PATCH", text, "", promise, 1},
		{"DELETE", "DELETE", none, "", promise, 1},
		{"unknown method", "BREW", none, "", promise, 1},
		{"POST with key", "POST", text, "k1", promise, 3},
		{"DELETE with key", "DELETE", none, "k1", promise, 3},
		{"POST with key, no promise", "POST", text, "k1", policy.Dedup{}, 1},
		{"POST with key, no promise, no body", "POST", none, "k1", policy.Dedup{}, 1},
		{"POST with key in another header", "POST", text, "k1", policy.Dedup{Header: "X-Key", KeepsKeysFor: time.Hour, Contract: "test"}, 1},
		{"POST of a stream with key", "POST", stream, "k1", promise, 1},
		{"GET with a stream", "GET", stream, "", promise, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, requests := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
				if body, _ := io.ReadAll(r.Body); test.body() != nil && string(body) != "pay" {
					t.Errorf("body %q, want pay", body)
				}
				if got := r.Header.Get("Idempotency-Key"); got != test.key {
					t.Errorf("key %q, want %q", got, test.key)
				}
				w.WriteHeader(503)
			})
			p := newPolicy(t, func(s *policy.Settings) { s.Writes = test.writes })
			_, err := newClient(t, p).Do(request(t, test.method, url+"/pay", test.body(), test.key))
			var exhausted *policy.ExhaustedError
			var status *policy.StatusError
			if !errors.As(err, &exhausted) || !errors.As(err, &status) || status.StatusCode != 503 || status.Method != test.method {
				t.Fatalf("%v, want *ExhaustedError with 503", err)
			}
			if got := requests.Load(); got != test.want || exhausted.Attempts != int(test.want) {
				t.Errorf("sent %d times, %d reported, want %d", got, exhausted.Attempts, test.want)
			}
			if isRead := test.want == 3 && test.key == ""; policy.MayBeApplied(err) == isRead && test.name != "GET with a stream" {
				t.Errorf("may be applied: %v", policy.MayBeApplied(err))
			}
		})
	}
}

// On a new connection nothing but GetBody brings the body back.
func TestBodyIsRewound(t *testing.T) {
	url, requests := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		if body, err := io.ReadAll(r.Body); string(body) != "pay" || err != nil {
			t.Errorf("attempt %d: body %q, %v", n, body, err)
		}
		if n < 3 {
			w.WriteHeader(503)
		}
	})
	resp, err := newClient(t, newPolicy(t)).Do(request(t, "POST", url, strings.NewReader("pay"), "k1"))
	if err != nil || requests.Load() != 3 {
		t.Fatalf("%v after %d requests, want success after 3", err, requests.Load())
	}
	resp.Body.Close()
}

func TestBodyThatCantBeRewound(t *testing.T) {
	url, requests := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	req := request(t, "POST", url, strings.NewReader("pay"), "k1")
	lost := errors.New("the file is gone")
	req.GetBody = func() (io.ReadCloser, error) { return nil, lost }
	_, err := newClient(t, newPolicy(t)).Do(req)
	if !errors.Is(err, lost) || requests.Load() != 1 || !policy.MayBeApplied(err) {
		t.Errorf("%v after %d requests, want the cause after one, maybe applied", err, requests.Load())
	}
}

// An answer that comes after the time limit can't be read any more.
func TestLateAnswer(t *testing.T) {
	body := &trackedBody{Reader: strings.NewReader("late")}
	p := newPolicy(t, func(s *policy.Settings) { s.Timeout = 10 * time.Millisecond })
	client := policyhttp.New(p, &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
		time.Sleep(30 * time.Millisecond) // deaf
		return &http.Response{StatusCode: 200, Body: body, Request: req}, nil
	})})
	_, err := client.Do(request(t, "POST", "http://bank.example", nil, ""))
	if !errors.Is(err, policy.ErrTimeout) || !body.closed || !policy.MayBeApplied(err) {
		t.Errorf("%v, body closed %v, want ErrTimeout, closed, maybe applied", err, body.closed)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestBadKeySendsNothing(t *testing.T) {
	url, requests := serve(t, func(int, http.ResponseWriter, *http.Request) {})
	for name, values := range map[string][]string{"empty": {""}, "two": {"a", "b"}, "with a space": {"a b"}} {
		body := &trackedBody{Reader: strings.NewReader("pay")}
		req := request(t, "POST", url, body, "")
		req.Header["Idempotency-Key"] = values
		if _, err := newClient(t, newPolicy(t)).Do(req); err == nil || requests.Load() != 0 {
			t.Errorf("%s: %v after %d requests, want an error before any", name, err, requests.Load())
		} else if name == "empty" && !errors.Is(err, policy.ErrEmptyKey) {
			t.Errorf("%s: %v, want ErrEmptyKey", name, err)
		}
		if !body.closed {
			t.Errorf("%s: the body was left open", name)
		}
	}
}

type trackedBody struct {
	io.Reader
	closed bool
}

func (b *trackedBody) Close() error { b.closed = true; return nil }

func TestRefusedRequestClosesItsBody(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := &trackedBody{Reader: strings.NewReader("pay")}
	req := request(t, "POST", "http://bank.invalid", body, "").WithContext(ctx)
	if _, err := newClient(t, newPolicy(t)).Do(req); !errors.Is(err, policy.ErrUnavailable) || !body.closed {
		t.Errorf("%v, closed %v, want ErrUnavailable and a closed body", err, body.closed)
	}
}

// 4xx is the system's word: untouched, sent once, and no failure for the breaker.
func TestClientErrorsAreUntouched(t *testing.T) {
	url, requests := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Reason", "limit")
		w.WriteHeader(422)
		_, _ = io.WriteString(w, "too much")
	})
	p := newPolicy(t, func(s *policy.Settings) { s.Breaker.Calls = 2 })
	client := newClient(t, p)
	for range 5 {
		resp, err := client.Do(request(t, "POST", url, strings.NewReader("pay"), "k1"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 422 || string(body) != "too much" || err != nil || resp.Header.Get("X-Reason") != "limit" {
			t.Errorf("%d %q %v", resp.StatusCode, body, err)
		}
	}
	if requests.Load() != 5 || p.State().Breaker != policy.Closed {
		t.Errorf("%d requests, breaker %s, want 5, closed", requests.Load(), p.State().Breaker)
	}
}

// A 4xx to the repetition does not undo what the first attempt may have done.
func TestClientErrorAfterALostWrite(t *testing.T) {
	for method, want := range map[string]bool{"POST": true, "GET": false} {
		url, _ := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 1 {
				w.WriteHeader(500)
			} else {
				w.WriteHeader(401)
			}
		})
		resp, err := newClient(t, newPolicy(t)).Do(request(t, method, url, nil, "k1"))
		if want {
			var status *policy.StatusError
			if !policy.MayBeApplied(err) || !errors.As(err, &status) || status.StatusCode != 401 {
				t.Errorf("%s: %v, want a 401 after which the write may be applied", method, err)
			}
		} else if err != nil || resp.StatusCode != 401 {
			t.Errorf("%s: %v, want the answer 401", method, err)
		} else {
			resp.Body.Close()
		}
	}
}

func TestThrottling(t *testing.T) {
	url, requests := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n%2 == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		}
	})
	resp, err := newClient(t, newPolicy(t)).Do(request(t, "GET", url, nil, ""))
	if err != nil || resp.StatusCode != 429 || requests.Load() != 1 {
		t.Fatalf("%v after %d requests, want 429 untouched after one", err, requests.Load())
	}
	resp.Body.Close()
	requests.Store(0)
	p := newPolicy(t, func(s *policy.Settings) { s.RetryThrottled = true })
	start := time.Now()
	resp, err = newClient(t, p).Do(request(t, "GET", url, nil, ""))
	if err != nil || resp.StatusCode != 200 || requests.Load() != 2 || time.Since(start) < time.Second {
		t.Fatalf("%v after %d requests in %v, want 200 after two and the second asked for", err, requests.Load(), time.Since(start))
	}
	resp.Body.Close()
}

// Failed attempts are drained and closed: all of them share one connection.
func TestFailedAttemptsFreeTheirConnection(t *testing.T) {
	var mu sync.Mutex
	connections := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = w.Write(make([]byte, 100<<10))
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			mu.Lock()
			connections++
			mu.Unlock()
		}
	}
	server.Start()
	defer server.Close()
	client := newClient(t, newPolicy(t, func(s *policy.Settings) { s.Breaker.Calls = 1e6 }))
	for range 20 {
		_, _ = client.Do(request(t, "GET", server.URL, nil, ""))
	}
	if connections != 1 {
		t.Errorf("60 failed attempts used %d connections, want 1", connections)
	}
}

func TestRedirects(t *testing.T) {
	var seen []string
	mux := http.NewServeMux()
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %s %s", r.Method, body, r.Header.Get("Idempotency-Key")))
		if len(seen) == 1 {
			w.WriteHeader(503)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	resp, err := newClient(t, newPolicy(t)).Do(request(t, "POST", server.URL+"/old", strings.NewReader("pay"), "k1"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if len(seen) != 2 || seen[0] != "POST pay k1" || seen[1] != seen[0] || resp.Request.URL.Path != "/new" {
		t.Errorf("arrived as %q at %s", seen, resp.Request.URL)
	}

	asIs := policyhttp.New(newPolicy(t), &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }})
	defer asIs.CloseIdleConnections()
	resp, err = asIs.Do(request(t, "GET", server.URL+"/old", nil, ""))
	if err != nil || resp.StatusCode != 307 {
		t.Fatalf("%v, want the redirect itself", err)
	}
	resp.Body.Close()
}

// The body outlives the attempt's time limit, and ends with the caller's context.
// A write that was answered by a redirect has been applied, whatever becomes of
// the request that follows it.
func TestRedirectThatLeadsNowhere(t *testing.T) {
	dead := httptest.NewServer(nil)
	nowhere := dead.URL
	dead.Close()
	url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/nowhere":
			http.Redirect(w, r, nowhere, http.StatusSeeOther)
		default:
			http.Redirect(w, r, "/down", http.StatusSeeOther)
		}
	})
	for _, path := range []string{"/nowhere", "/down"} {
		for _, key := range []string{"", "order-1"} {
			p := newPolicy(t, func(s *policy.Settings) { s.FirstPause = time.Millisecond })
			_, err := newClient(t, p).Do(request(t, http.MethodPost, url+path, strings.NewReader("pay"), key))
			if !policy.MayBeApplied(err) {
				t.Errorf("%s, key %q: %v, want one that may be applied", path, key, err)
			}
			transport := policyhttp.DefaultTransport(p)
			t.Cleanup(transport.CloseIdleConnections)
			client := &http.Client{Transport: &policyhttp.Transport{Policy: p, Base: transport}}
			_, err = client.Do(request(t, http.MethodPost, url+path, strings.NewReader("pay"), key))
			if !policy.MayBeApplied(err) {
				t.Errorf("%s, key %q, by transport: %v, want one that may be applied", path, key, err)
			}
		}
	}
}

func TestStream(t *testing.T) {
	url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		for i := range 1000 {
			if _, err := fmt.Fprintf(w, "event %d\n", i); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	})
	p := newPolicy(t, func(s *policy.Settings) { s.Timeout = 60 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	start := time.Now()
	resp, err := newClient(t, p).Do(request(t, "GET", url, nil, "").WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := bufio.NewScanner(resp.Body)
	for n := 0; n < 10 && events.Scan(); n++ {
	}
	if err := events.Err(); err != nil || time.Since(start) < 150*time.Millisecond {
		t.Errorf("%v after %v, want ten events that take longer than an attempt", err, time.Since(start))
	}
	cancel()
	for events.Scan() {
	}
	if err := events.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller's cancellation: %v", err)
	}
}

func TestClosingTheBodyEndsTheStream(t *testing.T) {
	gone := make(chan struct{})
	url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	resp, err := newClient(t, newPolicy(t)).Do(request(t, "GET", url, nil, ""))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("the server still streams")
	}
}

func TestHangingServerTimesOut(t *testing.T) {
	url, requests := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	p := newPolicy(t, func(s *policy.Settings) { s.Timeout = 50 * time.Millisecond })
	client := policyhttp.New(p, &http.Client{Transport: &http.Transport{}})
	defer client.CloseIdleConnections()
	_, err := client.Do(request(t, "GET", url, nil, ""))
	if !errors.Is(err, policy.ErrTimeout) || errors.Is(err, context.Canceled) || requests.Load() != 3 {
		t.Errorf("%v after %d requests, want ErrTimeout after 3", err, requests.Load())
	}
}

func TestUpgrade(t *testing.T) {
	url, _ := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Upgrade", "echo")
		w.Header().Set("Connection", "Upgrade")
		w.WriteHeader(http.StatusSwitchingProtocols)
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		line, _ := buffered.ReadString('\n')
		_, _ = io.WriteString(conn, line)
		conn.Close()
	})
	req := request(t, "GET", url, nil, "")
	req.Header.Set("Upgrade", "echo")
	req.Header.Set("Connection", "Upgrade")
	resp, err := newClient(t, newPolicy(t)).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	stream, ok := resp.Body.(io.ReadWriter)
	if !ok {
		t.Fatal("the stream of an upgraded connection can't be written to")
	}
	_, _ = io.WriteString(stream, "hello\n")
	if back, err := io.ReadAll(stream); string(back) != "hello\n" || err != nil {
		t.Errorf("%q, %v", back, err)
	}
}

// http.Client adds the jar's cookies to the header of the request it gets.
func TestCookiesAreSentOnce(t *testing.T) {
	target, _ := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Cookie"); got != "session=1" {
			t.Errorf("attempt %d has cookies %q", n, got)
		}
		if n < 3 {
			w.WriteHeader(503)
		}
	})
	jar, _ := cookiejar.New(nil)
	u, _ := url.Parse(target)
	jar.SetCookies(u, []*http.Cookie{{Name: "session", Value: "1"}})
	client := policyhttp.New(newPolicy(t), &http.Client{Jar: jar, Transport: &http.Transport{}})
	defer client.CloseIdleConnections()
	resp, err := client.Do(request(t, "GET", target, nil, ""))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func TestTransport(t *testing.T) {
	url, requests := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n%3 != 0 {
			w.WriteHeader(503)
		}
		_, _ = io.Copy(w, r.Body)
	})
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	client := &http.Client{Transport: &policyhttp.Transport{Policy: newPolicy(t), Base: base}}
	resp, err := client.Do(request(t, "POST", url, strings.NewReader("pay"), "k1"))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "pay" || requests.Load() != 3 || resp.Request.Header.Get("Idempotency-Key") != "k1" {
		t.Errorf("%q after %d requests, want pay after 3", body, requests.Load())
	}
	requests.Store(0)
	_, err = client.Do(request(t, "POST", url, strings.NewReader("pay"), ""))
	var exhausted *policy.ExhaustedError
	if !errors.As(err, &exhausted) || exhausted.Attempts != 1 || requests.Load() != 1 {
		t.Errorf("%v after %d requests, want one attempt", err, requests.Load())
	}
}

func TestSetKey(t *testing.T) {
	key := policy.DeriveKey("test", "1")
	p := newPolicy(t, func(s *policy.Settings) { s.Writes.Header = "X-Bank-Key" })
	req := httptest.NewRequest("POST", "/pay", nil)
	if err := policyhttp.SetKey(t.Context(), req); err != nil || len(req.Header) != 0 {
		t.Errorf("outside of a call: %v, header %v", err, req.Header)
	}
	set := func() error {
		_, err := policy.Keyed(t.Context(), p, key, func(ctx context.Context, _ policy.Key) (int, error) { return 0, policyhttp.SetKey(ctx, req) })
		return err
	}
	for range 2 {
		if err := set(); err != nil || req.Header.Get("X-Bank-Key") != key.String() || len(req.Header) != 1 {
			t.Errorf("%v, header %v", err, req.Header)
		}
	}
	req.Header.Set("X-Bank-Key", "other")
	if err := set(); err == nil || req.Header.Get("X-Bank-Key") != "other" {
		t.Errorf("%v: another key was replaced by %v", err, req.Header)
	}
}

// A generated client inside of Keyed, sending through a client of the same
// policy: three attempts, not nine.
func TestClientInsideKeyed(t *testing.T) {
	url, requests := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) })
	p := newPolicy(t)
	client := newClient(t, p)
	_, err := policy.Keyed(t.Context(), p, policy.DeriveKey("test", "1"), func(ctx context.Context, _ policy.Key) (*http.Response, error) {
		req := request(t, "POST", url, strings.NewReader("pay"), "").WithContext(ctx)
		if err := policyhttp.SetKey(ctx, req); err != nil {
			return nil, err
		}
		return client.Do(req)
	})
	var exhausted *policy.ExhaustedError
	if !errors.As(err, &exhausted) || exhausted.Attempts != 3 || requests.Load() != 3 {
		t.Errorf("%v after %d requests, want 3", err, requests.Load())
	}
}

func TestDefaultTransport(t *testing.T) {
	limit := 5 * time.Second
	tr := policyhttp.DefaultTransport(newPolicy(t))
	for name, d := range map[string]time.Duration{"TLS": tr.TLSHandshakeTimeout, "header": tr.ResponseHeaderTimeout, "idle": tr.IdleConnTimeout} {
		if d <= 0 || d >= limit {
			t.Errorf("%s timeout %v is not under %v", name, d, limit)
		}
	}
	if tr.MaxIdleConnsPerHost != 8 {
		t.Errorf("keeps %d connections, want the bulkhead's 8", tr.MaxIdleConnsPerHost)
	}
}
