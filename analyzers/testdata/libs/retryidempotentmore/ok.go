package retryidempotentmore

import (
	"context"
	"net/http"

	"github.com/avast/retry-go/v4"
	"github.com/go-resty/resty/v2"
)

func (c *cards) find(ctx context.Context, id string) error {
	return retry.Do(func() error { // site "effect=read"
		return c.do(ctx, http.MethodGet, "/cards/"+id, "")
	}, retry.Attempts(3))
}

func (c *cards) removeWithKey(ctx context.Context, id, key string) error {
	return retry.Do(func() error { // site "attempts=3"
		return c.do(ctx, http.MethodDelete, "/cards/"+id, "remove-"+key)
	}, retry.Attempts(3))
}

func (c *cards) removeOnce(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/cards/"+id, "") // nosite
}

func (c *cards) findThenRemoveOnce(ctx context.Context, id string) error {
	if err := retry.Do(func() error { // site "effect=read"
		return c.do(ctx, http.MethodHead, "/cards/"+id, "")
	}, retry.Attempts(3)); err != nil {
		return err
	}
	return c.do(ctx, http.MethodDelete, "/cards/"+id, "")
}

func (c *cards) methodOfAFlag(ctx context.Context, remove bool) error {
	method := http.MethodOptions
	if remove {
		method = http.MethodDelete
	}
	return retry.Do(func() error { // site "effect=unknown"
		return c.do(ctx, method, "/cards", "")
	}, retry.Attempts(3))
}

func callsRetryingToRead(ctx context.Context, c *cards) error {
	return c.retrying(ctx, http.MethodGet, "/cards/all") // site "attempts=3"
}

func restySentOnce() error {
	_, err := resty.New().R().Delete("https://cards.example/cards/3") // nosite
	return err
}

func restyKeyedDelete(key string) error {
	c := resty.New().SetRetryCount(1)                                                         // site "attempts=2"
	_, err := c.R().SetHeader("Idempotency-Key", key).Delete("https://cards.example/cards/4") // site "effect=keyed"
	return err
}
