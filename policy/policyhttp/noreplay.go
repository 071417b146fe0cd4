package policyhttp

import (
	"context"
	"net/http"
	"strings"
)

// noReplayTransport keeps net/http from sending a write again on its own. When
// the server closes a connection that was used before, net/http takes these two
// headers for permission to repeat any method, without asking what the system
// has promised, and without telling anyone that a first one was sent. It looks
// them up by their canonical names, so under a lower-case name, which is the same
// header to a server, they give no permission.
type noReplayTransport struct{ base http.RoundTripper }

type noReplayKey struct{}

func noReplay(ctx context.Context) context.Context {
	return context.WithValue(ctx, noReplayKey{}, true)
}

func (t noReplayTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Context().Value(noReplayKey{}) == nil || !grantsReplay(req.Header) {
		return t.base.RoundTrip(req)
	}
	hidden := req.Clone(req.Context())
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		if values, ok := hidden.Header[name]; ok {
			delete(hidden.Header, name)
			hidden.Header[strings.ToLower(name)] = values
		}
	}
	resp, err := t.base.RoundTrip(hidden)
	if resp != nil {
		resp.Request = req
	}
	return resp, err
}

func grantsReplay(h http.Header) bool {
	return h["Idempotency-Key"] != nil || h["X-Idempotency-Key"] != nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections through.
func (t noReplayTransport) CloseIdleConnections() {
	if base, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
