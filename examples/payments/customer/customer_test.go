package customer_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/resilint/resilint/examples/payments/customer"
)

func TestUpdateProfile(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got += r.Method + " " + r.URL.Path + " " + string(body)
	}))
	defer server.Close()
	if err := customer.New(server.URL).UpdateProfile(t.Context(), "c1", customer.Profile{LastPayment: "p1"}); err != nil {
		t.Error(err)
	}
	if want := `PATCH /customers/c1 {"last_payment":"p1"}`; got != want {
		t.Errorf("the system got %s, want %s", got, want)
	}
}
