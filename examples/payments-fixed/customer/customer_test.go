package customer_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resilint/resilint/examples/payments-fixed/customer"
	"github.com/resilint/resilint/examples/payments-fixed/internal/world"
)

func TestUpdateProfile(t *testing.T) {
	read := world.Request{Method: "GET", Path: "/customers/c1"}
	change := world.Request{Method: "PATCH", Path: "/customers/c1", Body: `{"last_payment":"p1"}`}
	old := world.Answer{Status: 200, Body: `{"last_payment":"p0"}`}
	down := world.Answer{Status: 503}
	for _, test := range []struct {
		name    string
		answers []world.Answer
		want    []world.Request
		fails   bool
	}{
		{"good day", []world.Answer{old, {Status: 200}}, []world.Request{read, change}, false},
		{"changed before", []world.Answer{{Status: 200, Body: `{"last_payment":"p1"}`}}, []world.Request{read}, false},
		{"the read is sent again", []world.Answer{down, down, old, {Status: 200}}, []world.Request{read, read, read, change}, false},
		{"the change is not", []world.Answer{old, down}, []world.Request{read, change}, true},
		{"no third time", []world.Answer{down}, []world.Request{read, read, read}, true},
		{"no such customer", []world.Answer{{Status: 404}}, []world.Request{read}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				system := &world.System{Answers: test.answers}
				start := time.Now()
				err := customer.New("http://crm", system).UpdateProfile(t.Context(), "c1", customer.Profile{LastPayment: "p1"})
				if (err != nil) != test.fails {
					t.Error(err)
				}
				if !slices.Equal(system.Requests, test.want) {
					t.Errorf("requests %+v, want %+v", system.Requests, test.want)
				}
				if took := time.Since(start); took > 1500*time.Millisecond {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}
