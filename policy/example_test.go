package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/resilint/resilint/policy"
)

// Payments is an adapter: one policy for the one system that it talks to.
type Payments struct {
	policy *policy.Policy
	client *http.Client
	url    string
}

func NewPayments(url string) (*Payments, error) {
	p, err := policy.New(policy.Settings{
		System: "sber",
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	if err != nil {
		return nil, err
	}
	return &Payments{policy: p, client: http.DefaultClient, url: url}, nil
}

type Status struct {
	State string `json:"state"`
}

// Status reads, so it may be repeated.
func (a *Payments) Status(ctx context.Context, id string) (Status, error) {
	return policy.Read(ctx, a.policy, func(ctx context.Context) (Status, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url+"/payments/"+id, nil)
		if err != nil {
			return Status{}, err
		}
		resp, err := a.client.Do(req)
		if err != nil {
			return Status{}, err
		}
		if err := policy.CheckStatus(resp); err != nil {
			return Status{}, err
		}
		defer resp.Body.Close()
		var s Status
		return s, json.NewDecoder(resp.Body).Decode(&s)
	})
}

func ExampleNew() {
	p, err := policy.New(policy.Settings{System: "sber"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p)
	// Output:
	// sber: retry 3 attempts, pauses 500ms 1s less up to half > breaker 0.5 of 50 calls, open 30s, 1 probe > bulkhead 8 > timeout 5s; pauses up to 1.5s, lasts up to 16.5s; writes run once
}

func ExampleNew_refused() {
	_, err := policy.New(policy.Settings{System: "sber", Attempts: 10, Writes: policy.Dedup{KeepsKeysFor: time.Hour}})
	fmt.Println(err)
	// Output:
	// policy "sber": Attempts: 10 is more than 5; what needs more belongs into a durable task (R-RES-RE-3)
	// policy "sber": Writes.Contract: say where the promise is written; without one a keyed write may not be repeated (R-RES-RE-1)
}

func ExampleRead() {
	restarting := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if restarting {
			restarting = false
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"state":"paid"}`)
	}))
	defer server.Close()
	payments, err := NewPayments(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(payments.Status(context.Background(), "42"))
	// Output: {paid} <nil>
}

func ExampleKeyed() {
	p, _ := policy.New(policy.Settings{
		System:     "sber",
		FirstPause: time.Millisecond, // for the example; leave it out
		Writes:     policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	key := policy.DeriveKey("shop/register-payment", "order-42")
	sent := 0
	ref, err := policy.Keyed(context.Background(), p, key, func(_ context.Context, key policy.Key) (string, error) {
		sent++
		fmt.Println("POST /payments, Idempotency-Key:", key)
		if sent == 1 {
			return "", &policy.StatusError{StatusCode: 502, Method: "POST", Path: "/payments"}
		}
		return "ref-7", nil
	})
	fmt.Println(ref, err)
	// Output:
	// POST /payments, Idempotency-Key: 9726fb91-2eae-513d-bea0-061427777374
	// POST /payments, Idempotency-Key: 9726fb91-2eae-513d-bea0-061427777374
	// ref-7 <nil>
}

func ExampleNoRetry() {
	p, _ := policy.New(policy.Settings{System: "sms"})
	_, err := policy.NoRetry(context.Background(), p, func(context.Context) (struct{}, error) {
		fmt.Println("POST /sms")
		return struct{}{}, &policy.StatusError{StatusCode: 500, Method: "POST", Path: "/sms"}
	})
	var failed *policy.ExhaustedError
	if errors.As(err, &failed) {
		fmt.Println("attempts:", failed.Attempts, "may be applied:", failed.MayBeApplied)
	}
	// Output:
	// POST /sms
	// attempts: 1 may be applied: true
}

func ExampleWithFallback() {
	p, _ := policy.New(policy.Settings{System: "rates", FirstPause: time.Millisecond})
	rate, err := policy.WithFallback(context.Background(),
		func(ctx context.Context) (float64, error) {
			return policy.Read(ctx, p, func(context.Context) (float64, error) {
				return 0, &policy.StatusError{StatusCode: 503}
			})
		},
		func(_ context.Context, err error) (float64, error) {
			if errors.Is(err, policy.ErrUnavailable) || errors.Is(err, policy.ErrExhausted) {
				return 92.5, nil // yesterday's
			}
			return 0, err
		})
	fmt.Println(rate, err)
	// Output: 92.5 <nil>
}

func ExampleMayBeApplied() {
	for _, err := range []error{
		&policy.UnavailableError{System: "sber", Reason: policy.BreakerOpen, Cause: policy.ErrBreakerOpen},
		&policy.StatusError{StatusCode: 422, Method: "POST", Path: "/payments"},
		&policy.StatusError{StatusCode: 502, Method: "POST", Path: "/payments"},
		context.DeadlineExceeded,
	} {
		fmt.Println(policy.MayBeApplied(err), err)
	}
	// Output:
	// false sber: nothing was sent: circuit breaker open
	// false POST /payments: status 422 Unprocessable Entity
	// true POST /payments: status 502 Bad Gateway
	// true context deadline exceeded
}

func ExampleIsTransient() {
	for _, err := range []error{
		&policy.StatusError{StatusCode: 503, Method: "GET", Path: "/orders"},
		&policy.StatusError{StatusCode: 404, Method: "GET", Path: "/orders"},
		policy.Permanent(context.DeadlineExceeded),
	} {
		fmt.Println(policy.IsTransient(err), err)
	}
	// Output:
	// true GET /orders: status 503 Service Unavailable
	// false GET /orders: status 404 Not Found
	// false context deadline exceeded
}

func ExamplePermanent() {
	p, _ := policy.New(policy.Settings{System: "sber"})
	attempts := 0
	_, err := policy.Read(context.Background(), p, func(context.Context) (int, error) {
		attempts++
		// This system answers 500 to what it can't parse.
		return 0, policy.Permanent(&policy.StatusError{StatusCode: 500, Method: "GET", Path: "/orders"})
	})
	fmt.Println(attempts, err)
	// Output: 1 GET /orders: status 500 Internal Server Error
}

func ExampleCheckStatus() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such order", http.StatusNotFound)
	}))
	defer server.Close()
	resp, err := http.Get(server.URL + "/orders/42")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = policy.CheckStatus(resp)
	var status *policy.StatusError
	if errors.As(err, &status) {
		fmt.Printf("%v: %s", err, status.Body)
	}
	// Output: GET /orders/42: status 404 Not Found: no such order
}

func ExampleDeriveKey() {
	// The same order gives the same key, also after a crash.
	fmt.Println(policy.DeriveKey("shop/register-payment", "order-42"))
	fmt.Println(policy.DeriveKey("shop/register-payment", "order-42"))
	fmt.Println(policy.DeriveKey("shop/refund", "order-42"))
	// Output:
	// 9726fb91-2eae-513d-bea0-061427777374
	// 9726fb91-2eae-513d-bea0-061427777374
	// abcca70b-34f1-5131-ad0f-8be3dd10f915
}

func ExampleNewKey() {
	type order struct {
		ID         string     `json:"id"`
		PaymentKey policy.Key `json:"payment_key"`
	}
	// When the user presses "pay": stored with the order, and sent from there.
	stored, _ := json.Marshal(order{"42", policy.NewKey()})
	var loaded order
	_ = json.Unmarshal(stored, &loaded)
	fmt.Println(loaded.ID, len(loaded.PaymentKey.String()))
	// Output: 42 36
}

func ExampleParseKey() {
	key, err := policy.ParseKey("client-7/pay-1")
	fmt.Println(key, err)
	_, err = policy.ParseKey("two words")
	fmt.Println(err)
	// Output:
	// client-7/pay-1 <nil>
	// idempotency key has a character at position 3 that is not visible ASCII
}

func ExampleKeyFrom() {
	p, _ := policy.New(policy.Settings{System: "sber"})
	key := policy.DeriveKey("shop/register-payment", "order-42")
	_, _ = policy.Keyed(context.Background(), p, key, func(ctx context.Context, _ policy.Key) (struct{}, error) {
		// Deep inside, where only the context arrives.
		if key, ok := policy.KeyFrom(ctx); ok {
			fmt.Println(policy.KeyHeaderFrom(ctx)+":", key)
		}
		return struct{}{}, nil
	})
	// Output: Idempotency-Key: 9726fb91-2eae-513d-bea0-061427777374
}

func ExampleReadiness() {
	p, _ := policy.New(policy.Settings{System: "sber", Breaker: policy.Breaker{Calls: 1, FailureRatio: 1}})
	mux := http.NewServeMux()
	mux.Handle("GET /ready", policy.Readiness(p))

	_, _ = policy.NoRetry(context.Background(), p, func(context.Context) (int, error) { return 0, errors.New("down") })
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/ready", nil))
	fmt.Print(w.Code, " ", w.Body)
	// Output: 200 {"ready":true,"systems":[{"system":"sber","breaker":"open","probe_in":"30s"}]}
}

func ExamplePolicy_State() {
	p, _ := policy.New(policy.Settings{System: "sber"})
	_, _ = policy.NoRetry(context.Background(), p, func(context.Context) (int, error) {
		s := p.State()
		fmt.Println(s.System, s.Breaker, s.Running, "of", s.Bulkhead)
		return 0, nil
	})
	// Output: sber closed 1 of 8
}

func ExampleIsPermanent() {
	refused := policy.Permanent(errors.New("card expired"))
	fmt.Println(policy.IsPermanent(fmt.Errorf("register: %w", refused)))
	// Output: true
}

func ExampleKeyHeaderFrom() {
	p, err := policy.New(policy.Settings{
		System: "paypal",
		Writes: policy.Dedup{Header: "PayPal-Request-Id", KeepsKeysFor: 72 * time.Hour, Contract: "REST API, idempotency"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = policy.Keyed(context.Background(), p, policy.DeriveKey("order", "17"), func(ctx context.Context, key policy.Key) (int, error) {
		fmt.Printf("%s: %v\n", policy.KeyHeaderFrom(ctx), key)
		return 201, nil
	})
	fmt.Println(err)
	// Output:
	// Paypal-Request-Id: fc7c9c63-a83c-5fec-8cb2-a49915ce4a6c
	// <nil>
}

func ExamplePolicy_Window() {
	p, err := policy.New(policy.Settings{System: "bank", Attempts: 4, Timeout: 2 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	// 0.5, 1 and 2 s of pauses, and four attempts of 2 s.
	fmt.Println(p.Window())
	// Output: 11.5s
}
