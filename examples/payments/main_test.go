package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/resilint/resilint/examples/payments/customer"
	"github.com/resilint/resilint/examples/payments/notify"
	"github.com/resilint/resilint/examples/payments/sber"
)

// On a good day a payment is one request to each system after the other.
func TestPay(t *testing.T) {
	var requests []string
	world := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method+" "+r.URL.Path)
		if r.URL.Path == "/payments/register" {
			io.WriteString(w, `{"id":"p1"}`)
		}
	}))
	defer world.Close()
	s := &service{
		bank:      sber.New(world.URL, world.Client()),
		customers: customer.New(world.URL),
		sms:       notify.New(world.URL),
	}
	answer := httptest.NewRecorder()
	s.pay(answer, httptest.NewRequest("POST", "/pay", strings.NewReader(`{"order_id":"7","customer_id":"c1","phone":"+7900","amount":100}`)))
	if got, want := fmt.Sprint(answer.Code, " ", answer.Body), "200 {\"id\":\"p1\"}\n"; got != want {
		t.Errorf("answer %q, want %q", got, want)
	}
	want := []string{"POST /payments/register", "POST /payments/p1/confirm", "PATCH /customers/c1", "POST /messages"}
	if !slices.Equal(requests, want) {
		t.Errorf("requests %q, want %q", requests, want)
	}
}
