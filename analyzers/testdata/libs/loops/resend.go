package loops

import (
	"io"
	"net/http"
	"time"
)

// terraform-provider-github, github/transport.go: whatever comes is sent again.
type blindTransport struct{ base http.RoundTripper }

func (t *blindTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want "^RSL-BODY: every request" "X1: sends every method again, POST included, up to 3 times: neither method nor key is looked at" "X3: " // site "attempts=3"
		resp, err = t.base.RoundTrip(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

type carefulTransport struct{ base http.RoundTripper }

func (t *carefulTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	if req.Method != http.MethodGet {
		return t.base.RoundTrip(req)
	}
	for i := 0; i < 3; i++ { // want "X3: " // site "attempts=3"
		resp, err = t.base.RoundTrip(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

type keyedTransport struct{ base http.RoundTripper }

func (t *keyedTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want "^RSL-BODY: every request" "X3: " // site "attempts=3"
		resp, err = t.base.RoundTrip(req)
		if err == nil || !repeatable(req) {
			return resp, err
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func repeatable(req *http.Request) bool {
	return req.Header.Get("Idempotency-Key") != ""
}

// lux, request/request.go: the method is an argument.
func Request(method, url string, body io.Reader) (resp *http.Response, err error) {
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		return nil, err
	}
	for i := 0; i < 3; i++ { // want "X1: sends every method again" "X3: " // site "attempts=3"
		resp, err = http.DefaultClient.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}
