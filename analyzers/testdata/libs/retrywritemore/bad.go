// Package retrywritemore has more of what rule X1 reports, and of what it does not.
package retrywritemore

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	avast3 "github.com/avast/retry-go/v3"
	"github.com/avast/retry-go/v4"
	"github.com/buildkite/roko"
	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"github.com/google/uuid"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/api"
)

func (a *adapter) registerWithoutKey(ctx context.Context, body []byte) error {
	return retry.Do(func() error { // want "^X1: POST /payments/register may be applied up to 3 times: no idempotency key \\(registerWithoutKey -> \\(\\*adapter\\)\\.do -> http\\.Client\\.Do\\)$" // site "attempts=3 effect=write"
		return a.do(ctx, http.MethodPost, "/payments/register", "", body)
	}, retry.Attempts(3), retry.Context(ctx))
}

func (a *adapter) updateProfile(ctx context.Context, id string, body []byte) error {
	return retry.Do(func() error { // want "^X1: PATCH /profiles/\\* may be applied twice: no idempotency key"
		return a.do(ctx, http.MethodPatch, "/profiles/"+id, "", body)
	}, retry.Attempts(2))
}

func (a *adapter) keyPerAttempt(ctx context.Context, body []byte) error {
	return retry.Do(func() error { // want "^X1: each of 3 attempts of POST /payments gets another idempotency key: uuid\\.NewString runs inside the retry$"
		return a.do(ctx, http.MethodPost, "/payments", uuid.NewString(), body)
	}, retry.Attempts(3))
}

func (a *adapter) keyPerAttemptByHelper(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /payments/by-helper gets another idempotency key: uuid"
		return a.do(ctx, http.MethodPost, "/payments/by-helper", newKey(), nil)
	}, retry.Attempts(3))
}

func (a *adapter) keyOfTheClock(ctx context.Context, order string) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /payments/by-clock gets another idempotency key: time.Now"
		key := fmt.Sprintf("%s-%d", order, time.Now().UnixNano())
		return a.do(ctx, http.MethodPost, "/payments/by-clock", key, nil)
	}, retry.Attempts(3))
}

func (a *adapter) keyOfADice(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /payments/by-dice gets another idempotency key: rand"
		return a.do(ctx, http.MethodPost, "/payments/by-dice", strconv.Itoa(rand.Int()), nil)
	}, retry.Attempts(3))
}

func keyMadeWhereTheRequestIsMade(ctx context.Context) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /payments gets another idempotency key: uuid.New"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("X-Idempotency-Key", uuid.New().String())
		return closed(http.DefaultClient.Do(req))
	}, retry.Attempts(3))
}

func (a *adapter) constantKey(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: POST /payments always carries the same idempotency key: every later one is taken for a repeat"
		return a.do(ctx, http.MethodPost, "/payments", "register-payment", nil)
	}, retry.Attempts(3))
}

func (a *adapter) keyPerCall(ctx context.Context) error {
	key := uuid.NewString()
	return retry.Do(func() error { // want "^X1: the idempotency key of POST /payments is made by the call that retries \\(uuid\\.NewString\\): a caller that tries again makes another$"
		return a.do(ctx, http.MethodPost, "/payments", key, nil)
	}, retry.Attempts(3))
}

func (a *adapter) methodInAVariable(ctx context.Context) error {
	method := "POST"
	return retry.Do(func() error { // want "X1: POST /transfers may be applied up to 3 times"
		return a.do(ctx, method, "/transfers", "", nil)
	}, retry.Attempts(3))
}

const createMethod = http.MethodPost

func (a *adapter) methodInAConstantAndPathOfAFormat(ctx context.Context, owner string) error {
	return avast3.Do(func() error { // want "X1: POST /accounts/\\*/transfers may be applied up to 3 times"
		return a.do(ctx, createMethod, fmt.Sprintf("/accounts/%s/transfers?at=%d", owner, 7), "", nil)
	}, avast3.Attempts(3))
}

func methodLowerCase() error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest("post", paymentsURL+"?dry=false", http.NoBody)
		if err != nil {
			return err
		}
		return closed(http.DefaultClient.Do(req))
	}, retry.Attempts(3))
}

func (a *adapter) put(ctx context.Context) error {
	return retry.Do(func() error { // want "^X1: PUT /profile may be applied up to 3 times: no idempotency key"
		return a.do(ctx, http.MethodPut, "/profile", "", nil)
	}, retry.Attempts(3))
}

func headersMapNil(ctx context.Context, c *api.Client) error {
	return retry.Do(func() error { // want "X1: POST /invoices may be applied up to 3 times: no idempotency key \\(headersMapNil -> api\\.Client\\.DoHeaders -> api\\.Client\\.send -> http\\.Client\\.Do\\)$"
		return c.DoHeaders(ctx, http.MethodPost, "/invoices", nil)
	}, retry.Attempts(3))
}

func headersMapWithOthers(ctx context.Context, c *api.Client) error {
	return retry.Do(func() error { // want "X1: POST /invoices may be applied up to 3 times"
		return c.DoHeaders(ctx, http.MethodPost, "/invoices", map[string]string{"X-Request-Id": "42", "Accept": "text/plain"})
	}, retry.Attempts(3))
}

func headerLiteral(c *http.Client) error {
	return retry.Do(func() error { // want "X1: POST may be applied up to 3 times"
		u, err := url.Parse(paymentsURL)
		if err != nil {
			return err
		}
		req := &http.Request{Method: http.MethodPost, URL: u, Header: http.Header{"Content-Type": {"application/json"}}}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func cloneOfARequest(ctx context.Context, c *http.Client) error {
	template, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
	if err != nil {
		return err
	}
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		return closed(c.Do(template.Clone(ctx)))
	}, retry.Attempts(3))
}

func packageFunctionPost(body []byte) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key .packageFunctionPost -> http.Post.$"
		return closed(http.Post(paymentsURL, "application/json", bytes.NewReader(body)))
	}, retry.Attempts(3))
}

func packageFunctionPostForm(amount string) error {
	return backoff.Retry(func() error { // want "X1: POST /payments may be applied up to 3 times: no idempotency key .packageFunctionPostForm -> http.PostForm.$"
		return closed(http.PostForm(paymentsURL, url.Values{"amount": {amount}}))
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

func clientsPost(c *http.Client) error {
	return roko.NewRetrier(roko.WithMaxAttempts(3), roko.WithStrategy(roko.Exponential(2*time.Second, 0)), roko.WithJitter()).Do(func(*roko.Retrier) error { // want "X1: POST /payments may be applied up to 3 times"
		return closed(c.Post(paymentsURL, "text/plain", http.NoBody))
	})
}

func throughADoer(c doer) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func throughARoundTripper(rt http.RoundTripper) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		return closed(rt.RoundTrip(req))
	}, retry.Attempts(3))
}

// Three packages deep: built, decorated and sent by others.
func decoratedElsewhere(ctx context.Context, c *api.Client) error {
	return retry.Do(func() error { // want "X1: POST /subscriptions may be applied up to 3 times: no idempotency key .decoratedElsewhere -> api.Client.DoDecorated -> api.Client.send -> http.Client.Do.$"
		return c.DoDecorated(ctx, http.MethodPost, "/subscriptions")
	}, retry.Attempts(3))
}

func keyedElsewherePerAttempt(ctx context.Context, c *api.Client) error {
	return retry.Do(func() error { // want "X1: each of 3 attempts of POST /subscriptions gets another idempotency key: uuid.NewString"
		return c.DoKeyed(ctx, http.MethodPost, "/subscriptions", uuid.NewString())
	}, retry.Attempts(3))
}

func generatedStyleMethod(ctx context.Context, c *api.Client, id string) error {
	return retry.Do(func() error { // want "X1: POST /refunds/\\* may be applied up to 3 times"
		return c.CreateRefund(ctx, id)
	}, retry.Attempts(3))
}

func generatedWithoutEditors(ctx context.Context, g *generated) error {
	return retry.Do(func() error { // want "X1: POST /orders may be applied up to 3 times"
		return g.createOrder(ctx)
	}, retry.Attempts(3))
}

func generatedWithOtherEditor(ctx context.Context, g *generated, token string) error {
	return retry.Do(func() error { // want "X1: POST /orders may be applied up to 3 times"
		return g.createOrder(ctx, func(_ context.Context, req *http.Request) error {
			req.Header.Set("Authorization", "Bearer "+token)
			return nil
		})
	}, retry.Attempts(3))
}

func readsThenWrites(ctx context.Context, a *adapter) error {
	return retry.Do(func() error { // want "X1: POST /orders/confirm may be applied up to 3 times" // site "effect=mixed"
		if err := a.do(ctx, http.MethodGet, "/orders", "", nil); err != nil {
			return err
		}
		return a.do(ctx, http.MethodPost, "/orders/confirm", "", nil)
	}, retry.Attempts(3))
}

func gravestOfTwoWrites(ctx context.Context, a *adapter) error {
	return retry.Do(func() error { // want "X1: POST /orders may be applied up to 3 times"
		if err := a.do(ctx, http.MethodPut, "/baskets", "", nil); err != nil {
			return err
		}
		return a.do(ctx, http.MethodPost, "/orders", "", nil)
	}, retry.Attempts(3))
}

func namedOperation() error {
	return withRetry(postOnce) // want "X1: POST /payments may be applied up to 3 times"
}

func postOnce() error { return closed(http.Post(paymentsURL, "text/plain", http.NoBody)) }

func wrapperWithClosure(ctx context.Context, a *adapter) error {
	return withRetry(func() error { // want "X1: POST /withdrawals may be applied up to 3 times"
		return a.do(ctx, http.MethodPost, "/withdrawals", "", nil)
	})
}

func wrapperOfAnotherPackage(ctx context.Context, c *api.Client) error {
	return api.WithRetry(ctx, func(ctx context.Context) error { // want "X1: POST /refunds/1 may be applied up to 3 times"
		return c.CreateRefund(ctx, "1")
	})
}

// A helper retries what its callers name: they are told, once for each method
// and path.
func (a *adapter) retrying(ctx context.Context, method, path, key string) error {
	return retry.Do(func() error { // site "attempts=3"
		return a.do(ctx, method, path, key, nil)
	}, retry.Attempts(3))
}

func callsRetrying(ctx context.Context, a *adapter) error {
	return a.retrying(ctx, http.MethodPost, "/vouchers", "") // want "^X1: POST /vouchers may be applied up to 3 times: no idempotency key \\(callsRetrying -> \\(\\*adapter\\)\\.retrying -> \\(\\*adapter\\)\\.do -> http\\.Client\\.Do\\)$"
}

func callsRetryingOnceMore(ctx context.Context, a *adapter) error {
	return a.retrying(ctx, http.MethodPost, "/vouchers", "") // site "attempts=3 effect=write"
}

func callsRetryingForAnotherPath(ctx context.Context, a *adapter) error {
	return a.retrying(ctx, http.MethodPost, "/coupons", "") // want "X1: POST /coupons may be applied up to 3 times"
}

func callsRetryingOfAnotherPackage(ctx context.Context, c *api.Client) error {
	return c.Retrying(ctx, http.MethodPatch, "/limits", "") // want "X1: PATCH /limits may be applied up to 3 times"
}

func restyPost(body any) error {
	c := resty.New().SetRetryCount(2)               // site "attempts=3"
	_, err := c.R().SetBody(body).Post(paymentsURL) // want "X1: POST /payments may be applied up to 3 times"
	return err
}

func restyExecute() error {
	method := resty.MethodPatch
	_, err := resty.New().SetRetryCount(2).R().Execute(method, paymentsURL+"/1") // want "X1: PATCH /payments/1 may be applied up to 3 times"
	return err
}

func (s *service) restyField() error {
	_, err := s.rest.R().Post(paymentsURL) // want "X1: POST /payments may be applied up to 3 times"
	return err
}

func restyPackageVariable() error {
	_, err := shared.R().SetHeader("Accept", "text/plain").Post(paymentsURL) // want "X1: POST /payments may be applied up to 4 times"
	return err
}

func restyOfAnotherPackage() error {
	_, err := api.NewResty("https://pay.example").R().Post("/payments/elsewhere") // want "X1: POST /payments/elsewhere may be applied up to 3 times"
	return err
}

func restyConstantKeyOfClient() error {
	c := resty.New().SetRetryCount(2).SetHeader("Idempotency-Key", "orders-service") // site "attempts=3"
	_, err := c.R().Post(paymentsURL)                                                // want "X1: POST /payments always carries the same idempotency key"
	return err
}

func retryableDo() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	req, err := retryablehttp.NewRequest(http.MethodPost, paymentsURL, []byte("{}"))
	if err != nil {
		return err
	}
	return closed(c.Do(req)) // want "X1: POST /payments may be applied up to 3 times"
}

func retryableStandardClient() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
	if err != nil {
		return err
	}
	return closed(c.StandardClient().Do(req)) // want "X1: POST /payments may be applied up to 3 times"
}

func retryablePost() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	return closed(c.Post(paymentsURL, "text/plain", nil)) // want "X1: POST /payments may be applied up to 3 times"
}

func withBasicAuthentication(ctx context.Context, c *http.Client) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.SetBasicAuth("shop", "secret")
		return closed(c.Do(req.WithContext(ctx)))
	}, retry.Attempts(3))
}

func correlationIsNoKey(c *http.Client, id string) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("X-Correlation-Id", id)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

// The version guards a change of what is there, not what is made anew.
func postOfAVersion(c *http.Client, etag string) error {
	return retry.Do(func() error { // want "X1: POST /payments may be applied up to 3 times"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("If-Match", etag)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}
