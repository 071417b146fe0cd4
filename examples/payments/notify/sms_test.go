package notify_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/resilint/resilint/examples/payments/notify"
)

func TestSend(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got += r.Method + " " + r.URL.Path + " " + string(body)
	}))
	defer server.Close()
	if err := notify.New(server.URL).Send(t.Context(), "+7900", "paid"); err != nil {
		t.Error(err)
	}
	if want := `POST /messages {"phone":"+7900","text":"paid"}`; got != want {
		t.Errorf("the gateway got %s, want %s", got, want)
	}
}
