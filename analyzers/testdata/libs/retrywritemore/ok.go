package retrywritemore

import (
	"context"
	"maps"
	"net/http"
	"strings"

	avast3 "github.com/avast/retry-go/v3"
	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"github.com/google/uuid"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/api"
	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/decor"
)

var operations = uuid.MustParse("6ba7b812-9dad-11d1-80b4-00c04fd430c8")

func (a *adapter) findOrder(ctx context.Context, id string) error {
	return retry.Do(func() error { // site "attempts=3 effect=read"
		return a.do(ctx, http.MethodGet, "/orders/"+id, "", nil)
	}, retry.Attempts(3))
}

func (a *adapter) registerPayment(ctx context.Context, cmd command, body []byte) error {
	return retry.Do(func() error { // site "attempts=3 effect=keyed"
		return a.do(ctx, http.MethodPost, "/payments/register", cmd.IdempotencyKey, body)
	}, retry.Attempts(3))
}

func (a *adapter) keyOfOrderAndOperation(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		key := uuid.NewSHA1(operations, []byte(cmd.OrderID+"/register")).String()
		return a.do(ctx, http.MethodPost, "/payments/register", key, nil)
	}, retry.Attempts(3))
}

func (a *adapter) keyOfAParameter(ctx context.Context, key string) error {
	return avast3.Do(func() error { // site "attempts=3"
		return a.do(ctx, http.MethodPost, "/payments", key, nil)
	}, avast3.Attempts(3))
}

type keyOf struct{}

func (a *adapter) keyOfTheContext(ctx context.Context) error {
	return retry.Do(func() error { // site "attempts=3"
		key, _ := ctx.Value(keyOf{}).(string)
		return a.do(ctx, http.MethodPost, "/payments", key, nil)
	}, retry.Attempts(3))
}

func (a *adapter) keyPartlyConstant(ctx context.Context, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		return a.do(ctx, http.MethodPost, "/payments", "order-"+strings.ToLower(cmd.OrderID), nil)
	}, retry.Attempts(3))
}

func (a *adapter) patchWithKey(ctx context.Context, cmd command) error {
	return backoff.Retry(func() error { // site "attempts=3 effect=keyed"
		return a.do(ctx, http.MethodPatch, "/profile", cmd.IdempotencyKey, nil)
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

func (a *adapter) putWithKey(ctx context.Context, cmd *command) error {
	return retry.Do(func() error { // site "effect=keyed"
		return a.do(ctx, http.MethodPut, "/profile", cmd.IdempotencyKey, nil)
	}, retry.Attempts(3))
}

func (a *adapter) mixedMethods(ctx context.Context, create bool) error {
	method := http.MethodGet
	if create {
		method = http.MethodPost
	}
	return retry.Do(func() error { // site "effect=unknown"
		return a.do(ctx, method, "/orders", "", nil)
	}, retry.Attempts(3))
}

func (a *adapter) mixedMethodsOfASwitch(ctx context.Context, verb string) error {
	var method string
	switch verb {
	case "list":
		method = http.MethodGet
	case "create":
		method = http.MethodPost
	case "change":
		method = http.MethodPatch
	}
	return retry.Do(func() error { // site "effect=unknown"
		return a.do(ctx, method, "/orders", "", nil)
	}, retry.Attempts(3))
}

func (a *adapter) methodFromATable(ctx context.Context, verb string) error {
	methods := map[string]string{"list": http.MethodGet, "create": http.MethodPost}
	return retry.Do(func() error { // site "effect=unknown"
		return a.do(ctx, methods[verb], "/orders", "", nil)
	}, retry.Attempts(3))
}

func (a *adapter) onlySometimesKeyed(ctx context.Context, cmd command, keyed bool) error {
	var key string
	if keyed {
		key = cmd.IdempotencyKey
	}
	return retry.Do(func() error { // site "attempts=3"
		return a.do(ctx, http.MethodPost, "/payments", key, nil)
	}, retry.Attempts(3))
}

func headersMapWithAKey(ctx context.Context, c *api.Client, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return c.DoHeaders(ctx, http.MethodPost, "/invoices", map[string]string{"Accept": "text/plain", "Idempotency-Key": cmd.IdempotencyKey})
	}, retry.Attempts(3))
}

func headersMapOfAParameter(ctx context.Context, c *api.Client, headers map[string]string) error {
	return retry.Do(func() error { // site "effect=unknown"
		return c.DoHeaders(ctx, http.MethodPost, "/invoices", headers)
	}, retry.Attempts(3))
}

func headersMapFilledLater(ctx context.Context, c *api.Client, cmd command) error {
	headers := make(map[string]string)
	headers["Accept"] = "text/plain"
	headers["idempotency-key"] = cmd.IdempotencyKey
	return retry.Do(func() error { // site "attempts=3"
		return c.DoHeaders(ctx, http.MethodPost, "/invoices", headers)
	}, retry.Attempts(3))
}

func headerLiteralWithAKey(c *http.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header = http.Header{"Accept": {"text/plain"}, "Idempotency-Key": {cmd.IdempotencyKey}}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func headerMapWrite(c *http.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header["X-Idempotency-Key"] = []string{cmd.IdempotencyKey}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func headerAdd(c *http.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		h := req.Header
		h.Add("PayPal-Request-Id", cmd.IdempotencyKey)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func cloneOfAKeyedRequest(ctx context.Context, c *http.Client, cmd command) error {
	template, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
	if err != nil {
		return err
	}
	template.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
	return retry.Do(func() error { // site "effect=keyed"
		return closed(c.Do(template.Clone(ctx)))
	}, retry.Attempts(3))
}

func cloneThatIsKeyed(ctx context.Context, c *http.Client, template *http.Request, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		req := template.Clone(ctx)
		req.Method = http.MethodPost
		req.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func packageFunctionGet() error {
	return retry.Do(func() error { // site "effect=read"
		return closed(http.Get(paymentsURL))
	}, retry.Attempts(3))
}

func packageFunctionHead(c *http.Client) error {
	return retry.Do(func() error { // site "effect=read"
		return closed(c.Head(paymentsURL))
	}, retry.Attempts(3))
}

func zeroRequestReads(c doer) error {
	return retry.Do(func() error { // site "effect=read"
		return closed(c.Do(&http.Request{Header: http.Header{}}))
	}, retry.Attempts(3))
}

// What it does to the request is out of sight.
func givenToUnseenCode(c *http.Client, sign func(*http.Request)) error {
	return retry.Do(func() error { // site "effect=unknown"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		sign(req)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

type signer interface{ Sign(req *http.Request) }

func givenToAnInterface(c *http.Client, s signer) error {
	return retry.Do(func() error { // site "effect=unknown"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		s.Sign(req)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func decoratedElsewhereWithAKey(ctx context.Context, c *api.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		return c.DoKeyed(ctx, http.MethodPost, "/subscriptions", cmd.IdempotencyKey)
	}, retry.Attempts(3))
}

func keyedByDecoratorDirectly(c doer, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		decor.Key(req, cmd.IdempotencyKey)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func generatedStyleRead(ctx context.Context, c *api.Client) error {
	return retry.Do(func() error { // site "effect=read"
		return c.Refund(ctx, "1")
	}, retry.Attempts(3))
}

func generatedStyleKeyed(ctx context.Context, c *api.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		return c.CreateKeyedRefund(ctx, cmd.OrderID, cmd.IdempotencyKey)
	}, retry.Attempts(3))
}

func generatedWithKeyEditor(ctx context.Context, g *generated, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return g.createOrder(ctx, func(_ context.Context, req *http.Request) error {
			req.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
			return nil
		})
	}, retry.Attempts(3))
}

func withKey(key string) editor {
	return func(_ context.Context, req *http.Request) error {
		req.Header.Set("Idempotency-Key", key)
		return nil
	}
}

func generatedWithMadeEditor(ctx context.Context, g *generated, cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return g.createOrder(ctx, withKey(cmd.IdempotencyKey))
	}, retry.Attempts(3))
}

func generatedWithEditorsOfTheClient(ctx context.Context, g *generated) error {
	return retry.Do(func() error { // site "effect=unknown"
		return g.createOrder(ctx, g.editors...)
	}, retry.Attempts(3))
}

func token(ctx context.Context, a *adapter) error {
	return retry.Do(func() error { // site "effect=read"
		return a.do(ctx, http.MethodPost, "/oauth2/token", "", nil)
	}, retry.Attempts(3))
}

func tokenOfAnAddress() error {
	return retry.Do(func() error { // site "effect=read"
		return closed(http.Post("https://id.example/v1/access_token?grant=client", "text/plain", http.NoBody))
	}, retry.Attempts(3))
}

func search(ctx context.Context, a *adapter, index string) error {
	return retry.Do(func() error { // site "effect=read"
		return a.do(ctx, http.MethodPost, "/"+index+"/_search?size=10", "", nil)
	}, retry.Attempts(3))
}

func behindAnInterfaceRead(ctx context.Context, s *service, id string) error {
	return retry.Do(func() error { // site "attempts=3"
		return s.pay.Status(ctx, id)
	}, retry.Attempts(3))
}

func wrapperWithRead(ctx context.Context, a *adapter) error {
	return withRetry(func() error { // site "mechanism=wrapper effect=read"
		return a.do(ctx, http.MethodGet, "/withdrawals", "", nil)
	})
}

func wrapperWithAKey(ctx context.Context, a *adapter, cmd command) error {
	return withRetry(func() error { // site "mechanism=wrapper effect=keyed"
		return a.do(ctx, http.MethodPost, "/withdrawals", cmd.IdempotencyKey, nil)
	})
}

func wrapperOfAnotherPackageRead(ctx context.Context, c *api.Client) error {
	return api.WithRetry(ctx, func(ctx context.Context) error { return c.Refund(ctx, "2") }) // site "mechanism=wrapper effect=read"
}

func retryingRead(ctx context.Context, a *adapter) error {
	return a.retrying(ctx, http.MethodGet, "/vouchers", "") // site "attempts=3"
}

func retryingWithAKey(ctx context.Context, a *adapter, cmd command) error {
	return a.retrying(ctx, http.MethodPost, "/vouchers", cmd.IdempotencyKey) // site "attempts=3"
}

func retryingOfAnotherPackageRead(ctx context.Context, c *api.Client) error {
	return c.Retrying(ctx, http.MethodGet, "/limits", "") // site "attempts=3"
}

func restyGet() error {
	_, err := resty.New().SetRetryCount(2).R().Get(paymentsURL) // site "effect=read"
	return err
}

func restyPostWithAKey(cmd command) error {
	c := resty.New().SetRetryCount(2)                                                  // site "attempts=3"
	_, err := c.R().SetHeader("Idempotency-Key", cmd.IdempotencyKey).Post(paymentsURL) // site "effect=keyed"
	return err
}

func restyHeadersWithAKey(cmd command) error {
	c := resty.New().SetRetryCount(2)                                                                      // site "attempts=3"
	_, err := c.R().SetHeaders(map[string]string{"Idempotency-Key": cmd.IdempotencyKey}).Post(paymentsURL) // site "effect=keyed"
	return err
}

func restySentOnce() error {
	_, err := resty.New().R().Post(paymentsURL) // nosite
	return err
}

func restyGivenByTheCaller(c *resty.Client) error {
	_, err := c.R().Post(paymentsURL) // nosite
	return err
}

func (s *service) restyFieldRead() error {
	_, err := s.rest.R().Get(paymentsURL) // site "effect=read"
	return err
}

func restyPackageVariableExecuteRead() error {
	_, err := shared.R().Execute(http.MethodGet, paymentsURL) // site "effect=read"
	return err
}

func retryableGet() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	return closed(c.Get(paymentsURL)) // site "effect=read"
}

func retryableStandardClientGet() error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	return closed(c.StandardClient().Get(paymentsURL)) // site "effect=read"
}

func retryableKeyed(cmd command) error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	req, err := retryablehttp.NewRequest(http.MethodPost, paymentsURL, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
	return closed(c.Do(req)) // site "effect=keyed"
}

func plainClientSendsOnce(body string) error {
	return closed(http.Post(paymentsURL, "text/plain", strings.NewReader(body))) // nosite
}

func oneAttempt(ctx context.Context, a *adapter) error {
	return retry.Do(func() error { // nosite
		return a.do(ctx, http.MethodPost, "/payments", "", nil)
	}, retry.Attempts(1))
}

func headerGivenToAFunctionValue(c *http.Client, sign func(http.Header)) error {
	return retry.Do(func() error { // site "effect=unknown"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		sign(req.Header)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

type headerSigner interface{ SignHeader(h http.Header) error }

func headerGivenToAnInterface(c *http.Client, s headerSigner) error {
	return retry.Do(func() error { // site "effect=unknown"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		if err := s.SignHeader(req.Header); err != nil {
			return err
		}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

// A call is a request under construction.
type call struct{ req *http.Request }

func newCall(method, url string) *call {
	req, _ := http.NewRequest(method, url, http.NoBody)
	return &call{req: req}
}

func (c *call) key(key string) *call {
	c.req.Header.Set("Idempotency-Key", key)
	return c
}

func (c *call) send() error { return closed(http.DefaultClient.Do(c.req)) }

func builderWithAKey(cmd command) error {
	return retry.Do(func() error { // site "attempts=3"
		return newCall(http.MethodPost, paymentsURL).key(cmd.IdempotencyKey).send()
	}, retry.Attempts(3))
}

func headersCopied(c *http.Client, headers http.Header) error {
	return retry.Do(func() error { // site "effect=unknown"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		maps.Copy(req.Header, headers)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func putOfAVersion(c *http.Client, etag string) error {
	return retry.Do(func() error { // site "attempts=3"
		req, err := http.NewRequest(http.MethodPut, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("If-Match", etag)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func patchOfAVersionInAMap(ctx context.Context, c *api.Client, etag string) error {
	return retry.Do(func() error { // site "attempts=3"
		return c.DoHeaders(ctx, http.MethodPatch, "/invoices/1", map[string]string{"if-match": etag})
	}, retry.Attempts(3))
}

type keyedTransport struct{ next http.RoundTripper }

func (t *keyedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	key, _ := req.Context().Value(keyOf{}).(string)
	req.Header.Set("Idempotency-Key", key)
	return t.next.RoundTrip(req)
}

func transportThatAddsTheKey(ctx context.Context) error {
	c := &http.Client{Transport: &keyedTransport{next: http.DefaultTransport}}
	return retry.Do(func() error { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

var keyHeader = "Idempotency-Key"

func nameOfTheHeaderInAVariable(c *http.Client, cmd command) error {
	return retry.Do(func() error { // site "effect=keyed"
		req, err := http.NewRequest(http.MethodPost, paymentsURL, http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set(keyHeader, cmd.IdempotencyKey)
		return closed(c.Do(req))
	}, retry.Attempts(3))
}

func restyHookAddsTheKey(cmd command) error {
	c := resty.New().SetRetryCount(2) // site "attempts=3"
	c.OnBeforeRequest(func(_ *resty.Client, r *resty.Request) error {
		r.SetHeader("Idempotency-Key", cmd.IdempotencyKey)
		return nil
	})
	_, err := c.R().Post(paymentsURL) // site "attempts=3"
	return err
}

func restyVerbatimHeader(cmd command) error {
	c := resty.New().SetRetryCount(2)                                                          // site "attempts=3"
	_, err := c.R().SetHeaderVerbatim("idempotency-key", cmd.IdempotencyKey).Post(paymentsURL) // site "attempts=3"
	return err
}

func restyHeaderField(cmd command) error {
	c := resty.New().SetRetryCount(2) // site "attempts=3"
	r := c.R()
	r.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
	_, err := r.Post(paymentsURL) // site "attempts=3"
	return err
}

func restySearch() error {
	_, err := resty.New().SetRetryCount(2).R().Post("https://search.example/orders/_count") // site "attempts=3"
	return err
}

func retryableHookAddsTheKey(cmd command) error {
	c := retryablehttp.NewClient() // want "RE-2: exponential without jitter" // site "attempts=3"
	c.RetryMax = 2
	c.PrepareRetry = func(req *http.Request) error {
		req.Header.Set("Idempotency-Key", cmd.IdempotencyKey)
		return nil
	}
	return closed(c.Post(paymentsURL, "text/plain", nil)) // site "attempts=3"
}

// The key is made where the caller gave none: of two values nothing is claimed.
func keyGivenOrMade(ctx context.Context, a *adapter, key string) error {
	if key == "" {
		key = uuid.NewString()
	}
	return retry.Do(func() error { // site "attempts=3"
		return a.do(ctx, http.MethodPost, "/defaulted", key, nil)
	}, retry.Attempts(3))
}
