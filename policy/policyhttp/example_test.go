package policyhttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyhttp"
)

// Payments is the form of an adapter: the policy, the client, nothing else.
type Payments struct {
	bank *policyhttp.Client
	url  string
}

func NewPayments(url string) (*Payments, error) {
	p, err := policy.New(policy.Settings{
		System: "sber",
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	if err != nil {
		return nil, err
	}
	return &Payments{policyhttp.New(p, nil), url}, nil
}

// Register is repeated with the key that is stored with the order.
func (a *Payments) Register(ctx context.Context, key policy.Key, payment string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/payments", strings.NewReader(payment))
	if err != nil {
		return "", err
	}
	req.Header.Set("Idempotency-Key", key.String())
	resp, err := a.bank.Do(req)
	if err != nil {
		return "", err // *policy.UnavailableError: nothing was sent
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("register payment: %s", resp.Status)
	}
	ref, err := io.ReadAll(resp.Body)
	return string(ref), err
}

// flaky fails the first request, and prints what arrives.
func flaky() *httptest.Server {
	first := true
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Method, r.URL.Path, body, r.Header.Get("Idempotency-Key"))))
		if first {
			first = false
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, "ref-7")
	}))
}

func ExampleClient_Do() {
	server := flaky()
	defer server.Close()
	payments, err := NewPayments(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	key := policy.DeriveKey("shop/register-payment", "order-42")
	fmt.Println(payments.Register(context.Background(), key, "amount=100"))
	// Output:
	// POST /payments amount=100 9726fb91-2eae-513d-bea0-061427777374
	// POST /payments amount=100 9726fb91-2eae-513d-bea0-061427777374
	// ref-7 <nil>
}

func ExampleNew() {
	server := flaky()
	defer server.Close()
	p, _ := policy.New(policy.Settings{System: "sms"})
	// A client of your own, for its cookies, proxy or certificates.
	sms := policyhttp.New(p, &http.Client{Transport: policyhttp.DefaultTransport(p)})
	req, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, server.URL+"/sms", strings.NewReader("hello"))
	_, err := sms.Do(req) // no key: sent once
	fmt.Println(policy.MayBeApplied(err))
	// Output:
	// POST /sms hello
	// true
}

func ExampleTransport() {
	server := flaky()
	defer server.Close()
	p, _ := policy.New(policy.Settings{System: "rates"})
	// For a library that takes no other client than *http.Client.
	client := &http.Client{Transport: &policyhttp.Transport{Policy: p, Base: policyhttp.DefaultTransport(p)}}
	resp, err := client.Get(server.URL + "/rates")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode)
	// Output:
	// GET /rates
	// GET /rates
	// 200
}

// registerPayment stands for a method of a generated client, which takes request
// editors.
func registerPayment(ctx context.Context, doer interface {
	Do(*http.Request) (*http.Response, error)
}, url string, editors ...func(context.Context, *http.Request) error) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/payments", strings.NewReader("amount=100"))
	if err != nil {
		return nil, err
	}
	for _, edit := range editors {
		if err := edit(ctx, req); err != nil {
			return nil, err
		}
	}
	return doer.Do(req)
}

func ExampleSetKey() {
	server := flaky()
	defer server.Close()
	p, _ := policy.New(policy.Settings{
		System: "sber",
		Writes: policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	})
	client := policyhttp.New(p, nil)
	key := policy.DeriveKey("shop/register-payment", "order-42")
	ref, err := policy.Keyed(context.Background(), p, key, func(ctx context.Context, _ policy.Key) (string, error) {
		resp, err := registerPayment(ctx, client, server.URL, policyhttp.SetKey)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		ref, err := io.ReadAll(resp.Body)
		return string(ref), err
	})
	fmt.Println(ref, err)
	// Output:
	// POST /payments amount=100 9726fb91-2eae-513d-bea0-061427777374
	// POST /payments amount=100 9726fb91-2eae-513d-bea0-061427777374
	// ref-7 <nil>
}

func ExampleDefaultTransport() {
	p, err := policy.New(policy.Settings{System: "sber"}) // 5s for an attempt
	if err != nil {
		fmt.Println(err)
		return
	}
	transport := policyhttp.DefaultTransport(p)
	fmt.Println("TLS handshake:", transport.TLSHandshakeTimeout)
	fmt.Println("answer's header:", transport.ResponseHeaderTimeout)
	fmt.Println("connections:", transport.MaxIdleConnsPerHost)
	// Output:
	// TLS handshake: 1s
	// answer's header: 4s
	// connections: 8
}
