package policyhttp

import (
	"net"
	"net/http"

	"github.com/resilint/resilint/policy"
)

// DefaultTransport returns a transport whose time limits are under the attempt's
// (at 5 s: 1 s to connect, 1 s for the TLS handshake, 4 s until the answer's
// header), so that an attempt ends with an error that says what was slow. Idle
// connections are given up after 4/5 of the attempt's time too: most servers keep
// them longer, so that it is rarely the server that closes one while a request is
// on its way. As many are kept as the bulkhead lets run at once.
func DefaultTransport(p *policy.Policy) *http.Transport {
	s := p.Settings()
	fifth := s.Timeout / 5
	dialer := net.Dialer{Timeout: fifth}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   fifth,
		ResponseHeaderTimeout: 4 * fifth,
		IdleConnTimeout:       4 * fifth,
		MaxIdleConns:          s.Bulkhead,
		MaxIdleConnsPerHost:   s.Bulkhead,
	}
}
