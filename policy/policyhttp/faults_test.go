package policyhttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyhttp"
)

// The number of faults each run injects, at least.
const faults = 10_000

// bank is a server that fails in every way it can, before and after it has
// applied what it was asked to.
type bank struct {
	dedups bool

	mu       sync.Mutex
	injected int
	received map[string]int  // times an operation arrived, by its ID
	applied  map[string]int  // times it was applied
	known    map[string]bool // keys that were applied
	open     map[net.Conn]bool
}

func newBank(dedups bool) *bank {
	return &bank{dedups: dedups, received: map[string]int{}, applied: map[string]int{}, known: map[string]bool{}, open: map[net.Conn]bool{}}
}

func (b *bank) apply(r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if b.dedups && key != "" && b.known[key] {
		return
	}
	b.known[key] = true
	b.applied[r.Header.Get("X-Operation")]++
}

func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	b.mu.Lock()
	b.received[r.Header.Get("X-Operation")]++
	b.mu.Unlock()
	if r.Method != "GET" && (err != nil || string(body) != "amount=100") {
		http.Error(w, "wrong body", http.StatusBadRequest)
		return
	}
	fault := rand.IntN(15)
	if fault < 13 {
		b.mu.Lock()
		b.injected++
		b.mu.Unlock()
	}
	switch fault {
	case 0: // hangs up before
		hangUp(w, false)
	case 1: // resets before
		hangUp(w, true)
	case 2: // applies, the answer is lost
		b.apply(r)
		hangUp(w, false)
	case 3: // applies, then resets
		b.apply(r)
		hangUp(w, true)
	case 4:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	case 5: // applies, but fails to say so
		b.apply(r)
		http.Error(w, strings.Repeat("stack trace\n", 100), http.StatusInternalServerError)
	case 6:
		b.apply(r)
		http.Error(w, "gateway", http.StatusBadGateway)
	case 7:
		http.Error(w, "no", http.StatusUnprocessableEntity)
	case 8:
		w.Header().Set("Retry-After", "3600")
		http.Error(w, "later", http.StatusTooManyRequests)
	case 9: // slow, yet in time
		time.Sleep(5 * time.Millisecond)
		b.apply(r)
	case 10: // too slow, but applies
		if rand.IntN(4) == 0 {
			time.Sleep(250 * time.Millisecond)
		}
		b.apply(r)
	case 11: // hangs
		if rand.IntN(4) == 0 {
			<-r.Context().Done()
			return
		}
		b.apply(r)
	case 12: // breaks off within the header
		b.apply(r)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
			conn.Close()
		}
	default:
		b.apply(r)
	}
}

func hangUp(w http.ResponseWriter, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}

func (b *bank) track(c net.Conn, s http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s == http.StateNew {
		b.open[c] = true
	}
	if s == http.StateClosed {
		delete(b.open, c)
	}
	if s == http.StateHijacked {
		delete(b.open, c)
	}
}

func (b *bank) faulty() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.injected
}

// run sends operations from many goroutines until the bank has injected enough
// faults, and calls check with how each ended.
func run(t *testing.T, b *bank, writes policy.Dedup, check func(operation, method string, keyed bool, err error)) {
	before := runtime.NumGoroutine()
	server := httptest.NewUnstartedServer(b)
	server.Config.ConnState = b.track
	server.Start()
	p, err := policy.New(policy.Settings{
		System: "bank", FirstPause: time.Millisecond, Timeout: 100 * time.Millisecond, Bulkhead: 100,
		Breaker: policy.Breaker{Calls: 1000, FailureRatio: 1}, // this is about faults, not about the breaker
		Writes:  writes, RetryThrottled: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	client := policyhttp.New(p, nil)
	var group sync.WaitGroup
	for worker := range 48 {
		group.Go(func() {
			for n := 0; b.faulty() < faults; n++ {
				operation := fmt.Sprintf("%d/%d", worker, n)
				method := []string{"GET", "POST", "POST", "PUT", "DELETE"}[rand.IntN(5)]
				keyed := method != "GET" && rand.IntN(4) > 0
				check(operation, method, keyed, do(client, server.URL, operation, method, keyed))
			}
		})
	}
	group.Wait()
	client.CloseIdleConnections()
	server.Close() // waits for handlers that are still at it
	b.mu.Lock()
	if len(b.open) > 0 {
		t.Errorf("%d connections left open", len(b.open))
	}
	b.mu.Unlock()
	if s := p.State(); s.Running != 0 {
		t.Errorf("%d attempts left running", s.Running)
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func do(client *policyhttp.Client, url, operation, method string, keyed bool) error {
	var body io.Reader
	if method != "GET" {
		body = strings.NewReader("amount=100")
	}
	req, err := http.NewRequestWithContext(context.Background(), method, url+"/payments", body)
	if err != nil {
		return err
	}
	req.Header.Set("X-Operation", operation)
	if keyed {
		req.Header.Set("Idempotency-Key", policy.DeriveKey("test", operation).String())
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return policy.CheckStatus(resp)
}

// With a bank that recognises keys, no keyed write is applied twice, an error
// that says "not applied" is true, and so is a success.
func TestFaultsWithDedup(t *testing.T) {
	b := newBank(true)
	var mu sync.Mutex
	outcomes := map[string]error{}
	kinds := map[string]bool{}
	run(t, b, policy.Dedup{KeepsKeysFor: time.Hour, Contract: "test bank"}, func(operation, method string, keyed bool, err error) {
		mu.Lock()
		defer mu.Unlock()
		if method != "GET" {
			outcomes[operation] = err
			kinds[operation] = keyed
		}
	})
	succeeded, lost, repeated := 0, 0, 0
	for operation, err := range outcomes {
		applied := b.applied[operation]
		switch {
		case applied > 1:
			t.Errorf("%s was applied %d times (keyed %v)", operation, applied, kinds[operation])
		case err == nil && applied != 1:
			t.Errorf("%s succeeded, but was not applied", operation)
		case err != nil && !policy.MayBeApplied(err) && applied > 0:
			t.Errorf("%s was applied, although %v", operation, err)
		}
		if !kinds[operation] && b.received[operation] > 1 {
			t.Errorf("%s has no key, yet was sent %d times", operation, b.received[operation])
		}
		if err == nil {
			succeeded++
		} else if applied == 1 {
			lost++
		}
		if b.received[operation] > 1 {
			repeated++
		}
	}
	t.Logf("%d faults, %d writes: %d succeeded, %d repeated, %d applied with their answer lost", b.injected, len(outcomes), succeeded, repeated, lost)
	if repeated == 0 || lost == 0 || succeeded == 0 {
		t.Error("the faults have tested nothing")
	}
}

// With a bank that promises nothing, nothing but reads arrives twice: not from
// the policy, and not from net/http, which by itself repeats requests that carry
// an Idempotency-Key.
func TestFaultsWithoutDedup(t *testing.T) {
	b := newBank(false)
	var mu sync.Mutex
	methods := map[string]string{}
	run(t, b, policy.Dedup{}, func(operation, method string, _ bool, err error) {
		mu.Lock()
		defer mu.Unlock()
		methods[operation] = method
		var exhausted *policy.ExhaustedError
		if method != "GET" && errors.As(err, &exhausted) && exhausted.Attempts != 1 {
			t.Errorf("%s %s: %v", method, operation, err)
		}
	})
	reads := 0
	for operation, method := range methods {
		switch n := b.received[operation]; {
		case method == "GET":
			reads += n - 1
		case n > 1:
			t.Errorf("%s %s was sent %d times", method, operation, n)
		}
	}
	t.Logf("%d faults, %d operations, reads repeated %d times", b.injected, len(methods), reads)
	if reads <= 0 {
		t.Error("not even reads were repeated")
	}
}
