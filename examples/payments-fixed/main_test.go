package main

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/resilint/resilint/examples/payments-fixed/customer"
	"github.com/resilint/resilint/examples/payments-fixed/internal/world"
	"github.com/resilint/resilint/examples/payments-fixed/notify"
	"github.com/resilint/resilint/examples/payments-fixed/sber"
)

func TestPay(t *testing.T) {
	systems := &world.System{Answers: []world.Answer{
		{Status: 200, Body: `{"id":"p1"}`}, {Status: 200}, {Status: 200, Body: `{}`}, {Status: 200}, {Status: 200},
	}}
	bank, err := sber.New("http://bank", systems)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{
		bank:      bank,
		customers: customer.New("http://crm", systems),
		sms:       notify.New("http://sms", systems),
	}
	answer := httptest.NewRecorder()
	s.pay(answer, httptest.NewRequest("POST", "/pay", strings.NewReader(`{"order_id":"7","customer_id":"c1","phone":"+7900","amount":100}`)))
	if got, want := fmt.Sprint(answer.Code, " ", answer.Body), "200 {\"id\":\"p1\"}\n"; got != want {
		t.Errorf("answer %q, want %q", got, want)
	}
	var requests []string
	for _, r := range systems.Requests {
		requests = append(requests, r.Method+" "+r.Path)
	}
	want := []string{"POST /payments/register", "POST /payments/p1/confirm", "GET /customers/c1", "PATCH /customers/c1", "POST /messages"}
	if !slices.Equal(requests, want) {
		t.Errorf("requests %q, want %q", requests, want)
	}
}
