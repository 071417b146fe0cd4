package policyhttp

import (
	"context"
	"fmt"
	"net/http"

	"github.com/resilint/resilint/policy"
)

// SetKey sets the key of the policy.Keyed call that ctx belongs to as the
// request's header. It has the form of a generated client's request editor:
//
//	policy.Keyed(ctx, p, key, func(ctx context.Context, _ policy.Key) (*bank.Payment, error) {
//		return client.RegisterPayment(ctx, body, policyhttp.SetKey)
//	})
//
// Outside of Keyed it does nothing, so reads can share the editor. A request that
// already carries another key is an error.
//
// Give the generated client this package's Client to send with, and nothing is
// repeated that the system has not promised to recognise, not even by net/http.
func SetKey(ctx context.Context, req *http.Request) error {
	key, ok := policy.KeyFrom(ctx)
	if !ok {
		return nil
	}
	header := policy.KeyHeaderFrom(ctx)
	if other := req.Header.Get(header); other != "" && other != key.String() {
		return policy.Permanent(fmt.Errorf("request already has %s %s, its call has %s", header, other, key))
	}
	req.Header.Set(header, key.String())
	return nil
}
