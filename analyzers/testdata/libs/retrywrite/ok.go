package retrywrite

import (
	"context"
	"net/http"

	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
	"github.com/hashicorp/go-retryablehttp"
)

// A read may be repeated.
func (a *adapter) findOrder(ctx context.Context, id string) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, http.MethodGet, "/orders/"+id, "", nil)
	}, retry.Attempts(3))
}

// The key comes from the command. It may be empty, for all this code says, so
// nothing is claimed.
func (a *adapter) registerPayment(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/payments/register", cmd.Key, nil)
	}, retry.Attempts(3))
}

// The key is derived from what stays the same.
func (a *adapter) derivedKey(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		key := uuid.NewSHA1(uuid.NameSpaceOID, []byte(cmd.ID+"/register")).String()
		return a.bank.Do(ctx, http.MethodPost, "/payments/register", key, nil)
	}, retry.Attempts(3))
}

// The key is set on the request itself, from the command.
func (a *adapter) keyOnRequest(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/payments", nil)
		if err != nil {
			return err
		}
		req.Header.Set("X-Idempotency-Key", cmd.Key)
		return a.roundtrip(req)
	}, retry.Attempts(3))
}

// The key is written into the header map.
func (a *adapter) keyInMap(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/payments", nil)
		if err != nil {
			return err
		}
		req.Header["Idempotency-Key"] = []string{cmd.Key}
		return a.roundtrip(req)
	}, retry.Attempts(3))
}

func (a *adapter) roundtrip(req *http.Request) error {
	resp, err := a.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The key is in the headers that the helper sets in a loop.
func (a *adapter) keyInHeaders(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.With(ctx, http.MethodPost, "/payments", map[string]string{"Idempotency-Key": cmd.Key})
	}, retry.Attempts(3))
}

// Headers that only the caller of this function knows.
func (a *adapter) unknownHeaders(ctx context.Context, headers map[string]string) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.With(ctx, http.MethodPost, "/payments", headers)
	}, retry.Attempts(3))
}

// An editor sets the key.
func (a *adapter) editor(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Edited(ctx, http.MethodPost, "/payments", func(req *http.Request) {
			req.Header.Set("Idempotency-Key", cmd.Key)
		})
	}, retry.Attempts(3))
}

// An editor that is not seen through may set it.
func (a *adapter) unknownEditor(ctx context.Context, sign func(*http.Request)) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Signed(ctx, http.MethodPost, "/payments", sign)
	}, retry.Attempts(3))
}

// A method that is not known.
func (a *adapter) unknownMethod(ctx context.Context, method string) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, method, "/payments", "", nil)
	}, retry.Attempts(3))
}

// A method that may read.
func (a *adapter) mixedMethod(ctx context.Context, write bool) error {
	method := http.MethodGet
	if write {
		method = http.MethodPost
	}
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, method, "/payments", "", nil)
	}, retry.Attempts(3))
}

// A search is read by POST.
func (a *adapter) search(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/orders/_search", "", nil)
	}, retry.Attempts(3))
}

// A token that is issued twice is used once.
func (a *adapter) token(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.bank.Do(ctx, http.MethodPost, "/oauth2/token", "", nil)
	}, retry.Attempts(3))
}

// The wrapper is given a read.
func (a *adapter) readThroughWrapper(ctx context.Context) error {
	return withRetry(4, func() error { // site "attempts=4 mechanism=wrapper"
		return a.bank.Do(ctx, http.MethodGet, "/payments", "", nil)
	})
}

// One attempt is no retry.
func (a *adapter) once(ctx context.Context) error {
	return retry.Do(func() error { // nosite
		return a.bank.Do(ctx, http.MethodPost, "/payments", "", nil)
	}, retry.Attempts(1))
}

// A retrying client that reads.
func (a *adapter) builtinRead() error {
	_, err := a.resty.R().Get("https://sms.example/messages") // site "attempts=3 mechanism=builtin"
	return err
}

// A retrying client whose request carries the key.
func (a *adapter) builtinKeyed(cmd command) error {
	_, err := a.resty.R().SetHeader("Idempotency-Key", cmd.Key).Post("https://sms.example/messages") // site "attempts=3 mechanism=builtin"
	return err
}

func retryableRead() error {
	c := retryablehttp.NewClient() // site "attempts=2 mechanism=builtin" // want "RE-2: "
	c.RetryMax = 1
	resp, err := c.Get("https://bank.example/orders") // site "attempts=2 mechanism=builtin"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
