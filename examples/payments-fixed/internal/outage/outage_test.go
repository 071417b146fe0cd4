package outage_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/sony/gobreaker/v2"

	"github.com/resilint/resilint/examples/payments-fixed/internal/outage"
)

func TestBrief(t *testing.T) {
	status := func(code int) error { return &outage.StatusError{Method: "GET", Path: "/orders/1", Code: code} }
	sent := func(err error) error { return &url.Error{Op: "Get", URL: "http://bank", Err: err} }
	for _, test := range []struct {
		err  error
		want bool
	}{
		{status(503), true},
		{fmt.Errorf("order 1: %w", status(500)), true},
		{status(501), false},
		{status(404), false},
		{status(429), false},
		{sent(syscall.ECONNREFUSED), true},
		{sent(syscall.ECONNRESET), true},
		{sent(io.EOF), true},
		{sent(os.ErrDeadlineExceeded), true},
		{sent(context.Canceled), false},
		{sent(gobreaker.ErrOpenState), false},
		{sent(gobreaker.ErrTooManyRequests), false},
		{errors.New("unexpected field"), false},
	} {
		if got := outage.Brief(test.err); got != test.want {
			t.Errorf("Brief(%v) = %t", test.err, got)
		}
	}
}
