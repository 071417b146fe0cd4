package notify_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/resilint/resilint/examples/payments-fixed/internal/world"
	"github.com/resilint/resilint/examples/payments-fixed/notify"
)

func TestSend(t *testing.T) {
	sent := world.Request{Method: "POST", Path: "/messages", Key: "paid-p1", Body: `{"phone":"+7900","text":"paid"}`}
	for _, test := range []struct {
		name    string
		answers []world.Answer
		want    []world.Request
		fails   bool
	}{
		{"good day", []world.Answer{{Status: 200}}, []world.Request{sent}, false},
		{"a restart", []world.Answer{{Status: 503}, {Status: 503}, {Status: 200}}, []world.Request{sent, sent, sent}, false},
		{"down", []world.Answer{{Status: 503}}, []world.Request{sent, sent, sent}, true},
		{"no such phone", []world.Answer{{Status: 400}}, []world.Request{sent}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gateway := &world.System{Answers: test.answers}
				err := notify.New("http://sms", gateway).Send(t.Context(), notify.Message{ID: "paid-p1", Phone: "+7900", Text: "paid"})
				if (err != nil) != test.fails {
					t.Error(err)
				}
				if !slices.Equal(gateway.Requests, test.want) {
					t.Errorf("requests %+v, want %+v", gateway.Requests, test.want)
				}
			})
		})
	}
}
