package sber_test

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
	"github.com/resilint/resilint/examples/payments-fixed/internal/world"
	"github.com/resilint/resilint/examples/payments-fixed/sber"
	"github.com/resilint/resilint/policy"
)

var payment = sber.Payment{OrderID: "7", CustomerID: "c1", Phone: "+7900", Amount: 100}

// open returns an adapter of the bank, which must not fail.
func open(t *testing.T, bank *world.System) *sber.Adapter {
	t.Helper()
	a, err := sber.New("http://bank", bank)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGoodDay(t *testing.T) {
	bank := &world.System{Answers: []world.Answer{
		{Status: 200, Body: `{"id":"p1"}`},
		{Status: 200},
		{Status: 200, Body: `{"id":"7","status":"paid"}`},
	}}
	a := open(t, bank)
	ref, err := a.Register(t.Context(), payment)
	if err != nil || ref.ID != "p1" {
		t.Errorf("Register: %+v, %v", ref, err)
	}
	if err := a.Confirm(t.Context(), ref); err != nil {
		t.Errorf("Confirm: %v", err)
	}
	order, err := a.Find(t.Context(), "7")
	if want := (sber.Order{ID: "7", Status: "paid"}); err != nil || order != want {
		t.Errorf("Find: %+v, %v", order, err)
	}
	if len(bank.Requests) != 3 {
		t.Errorf("requests %+v", bank.Requests)
	}
	for i, wantKey := range []bool{true, true, false} {
		if (bank.Requests[i].Key != "") != wantKey {
			t.Errorf("key of %+v", bank.Requests[i])
		}
	}
}

// A restart of the bank passes unnoticed, and all attempts carry one key.
func TestRegisterOutlivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &world.System{Answers: []world.Answer{
			{Err: syscall.ECONNREFUSED}, {Status: 503}, {Status: 200, Body: `{"id":"p1"}`},
		}}
		start := time.Now()
		ref, err := open(t, bank).Register(t.Context(), payment)
		if err != nil || ref.ID != "p1" {
			t.Errorf("%+v, %v", ref, err)
		}
		if took := time.Since(start); took < 750*time.Millisecond || took > 2250*time.Millisecond {
			t.Errorf("took %s", took)
		}
		if len(bank.Requests) != 3 || bank.Requests[0] != bank.Requests[1] || bank.Requests[1] != bank.Requests[2] {
			t.Errorf("requests differ: %+v", bank.Requests)
		}
	})
}

// Another process, later, sends the same key for the same order, and another
// one for another order.
func TestKeyIsTheOrders(t *testing.T) {
	bank := &world.System{Answers: []world.Answer{{Status: 200, Body: `{"id":"p1"}`}}}
	other := payment
	other.OrderID = "8"
	for _, p := range []sber.Payment{payment, payment, other} {
		if _, err := open(t, bank).Register(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	r := bank.Requests
	if r[0].Key != r[1].Key || r[1].Key == r[2].Key {
		t.Errorf("keys %s, %s, %s", r[0].Key, r[1].Key, r[2].Key)
	}
}

func TestRefusalIsNotRetried(t *testing.T) {
	bank := &world.System{Answers: []world.Answer{{Status: 422}}}
	a := open(t, bank)
	_, err := a.Register(t.Context(), payment)
	if status, ok := errors.AsType[*outage.StatusError](err); !ok || status.Code != http.StatusUnprocessableEntity {
		t.Errorf("Register: %v", err)
	}
	if _, err := a.Find(t.Context(), "7"); err == nil {
		t.Error("Find: no error")
	}
	if len(bank.Requests) != 2 {
		t.Errorf("requests %+v", bank.Requests)
	}
}

// An answer that was lost is asked for again with the same key.
func TestConfirmIsRepeatedWithItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &world.System{Answers: []world.Answer{{Err: syscall.ECONNRESET}, {Status: 200}}}
		if err := open(t, bank).Confirm(t.Context(), sber.Ref{ID: "p1"}); err != nil {
			t.Error(err)
		}
		if len(bank.Requests) != 2 || bank.Requests[0] != bank.Requests[1] || bank.Requests[0].Key == "" {
			t.Errorf("requests %+v", bank.Requests)
		}
	})
}

// The breaker counts attempts, and once it is open nothing waits for the bank.
func TestOpenBreakerEndsTheRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &world.System{Answers: []world.Answer{{Status: 503}}}
		a := open(t, bank)
		for range 20 {
			if _, err := a.Find(t.Context(), "7"); err == nil {
				t.Error("no error")
			}
		}
		if got := len(bank.Requests); got != 25 {
			t.Errorf("%d requests, want 25: the breaker opens when half of 50 attempts have failed", got)
		}
		start := time.Now()
		_, err := a.Find(t.Context(), "7")
		if took := time.Since(start); took != 0 || !errors.Is(err, policy.ErrBreakerOpen) {
			t.Errorf("%v after %s", err, took)
		}
		if _, ok := errors.AsType[*policy.UnavailableError](err); !ok {
			t.Errorf("%v does not say that nothing was sent", err)
		}
	})
}

func TestCallerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &world.System{Answers: []world.Answer{{Status: 503}}}
		a := open(t, bank)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := a.Register(ctx, payment)
		if err == nil {
			t.Error("Register: no error")
		}
		if _, err := a.Find(ctx, "7"); err == nil {
			t.Error("Find: no error")
		}
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("took %s", took)
		}
		if len(bank.Requests) != 2 {
			t.Errorf("%d requests: a pause past the caller's deadline was waited for", len(bank.Requests))
		}
	})
}
