package policy

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// net/http converts its HTTP/2 stream errors to our struct: if its fields change,
// REFUSED_STREAM would silently become permanent.
func TestStreamErrorHasOurShape(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	_, err := server.Client().Get(server.URL)
	var stream http2StreamError
	if !errors.As(err, &stream) || stream.Code != 0x2 {
		t.Errorf("%v is seen as %+v, want INTERNAL_ERROR (0x2)", err, stream)
	}
	if refused := (http2StreamError{Code: 0x7}); !IsTransient(refused) || MayBeApplied(refused) {
		t.Error("REFUSED_STREAM is not transient and unapplied")
	}
}
