package sber_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/resilint/resilint/examples/payments/sber"
)

// bank is the bank on a good day: it answers what the test wants to one
// request, and fails the test on any other.
func bank(t *testing.T, method, path, body, answer string) *sber.Adapter {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method || r.URL.Path != path {
			t.Errorf("%s %s, want %s %s", r.Method, r.URL.Path, method, path)
		}
		if got, _ := io.ReadAll(r.Body); strings.TrimSpace(string(got)) != body {
			t.Errorf("body %s, want %s", got, body)
		}
		if isPayment := path == "/payments/register"; (r.Header.Get("Idempotency-Key") != "") != isPayment {
			t.Errorf("key %q", r.Header.Get("Idempotency-Key"))
		}
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return sber.New(server.URL, server.Client())
}

func TestFind(t *testing.T) {
	a := bank(t, "GET", "/orders/7", "", `{"id":"7","status":"paid"}`)
	order, err := a.Find(t.Context(), "7")
	if want := (sber.Order{ID: "7", Status: "paid"}); err != nil || order != want {
		t.Errorf("%+v, %v", order, err)
	}
}

func TestRegister(t *testing.T) {
	a := bank(t, "POST", "/payments/register", `{"order_id":"7","customer_id":"c1","phone":"+7900","amount":100}`, `{"id":"p1"}`)
	ref, err := a.Register(t.Context(), sber.Payment{OrderID: "7", CustomerID: "c1", Phone: "+7900", Amount: 100})
	if err != nil || ref.ID != "p1" {
		t.Errorf("%+v, %v", ref, err)
	}
}

func TestConfirm(t *testing.T) {
	a := bank(t, "POST", "/payments/p1/confirm", "", "")
	if err := a.Confirm(t.Context(), sber.Ref{ID: "p1"}); err != nil {
		t.Error(err)
	}
}
