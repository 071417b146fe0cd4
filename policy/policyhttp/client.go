package policyhttp

import (
	"net/http"

	"github.com/resilint/resilint/policy"
)

// Client sends requests through a policy. It has the method that generated
// clients ask of an HTTP client, Do. It is safe for concurrent use.
type Client struct {
	policy *policy.Policy
	client *http.Client
}

// New returns a client for the system that p protects. A nil client means one
// with DefaultTransport. The client is copied, and should have no Timeout: the
// policy limits each attempt, and the request's context the call.
func New(p *policy.Policy, client *http.Client) *Client {
	own := http.Client{Transport: DefaultTransport(p)}
	if client != nil {
		own = *client
	}
	own.Transport = noReplayTransport{orDefault(own.Transport)}
	return &Client{p, &own}
}

// Do sends the request, as often as its policy and its nature allow; the package
// comment says what comes back. Its errors are those of policy.Read.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	return send(c.policy, req, c.client.Do)
}

// CloseIdleConnections closes the connections that no request is using.
func (c *Client) CloseIdleConnections() { c.client.CloseIdleConnections() }

// Transport sends requests through a policy, for clients that let only their
// transport be replaced. Prefer New where you can:
//
//   - http.Client.Timeout limits all attempts and pauses together, and is
//     usually chosen for one;
//   - every redirect is a call of its own, with attempts of its own;
//   - an answer from 500 on becomes an error, where a client expects every
//     answer from its transport, and may have a type for this one.
//
// It is safe for concurrent use, as Base is.
type Transport struct {
	// Policy protects the one system that the client talks to.
	Policy *policy.Policy
	// Base sends the attempts. Nil means http.DefaultTransport.
	Base http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return send(t.Policy, req, noReplayTransport{orDefault(t.Base)}.RoundTrip)
}

func orDefault(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		return http.DefaultTransport
	}
	return base
}
