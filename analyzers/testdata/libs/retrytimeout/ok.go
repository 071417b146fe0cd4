package retrytimeout

import (
	"context"
	"net"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
)

func limited() error {
	client := &http.Client{Timeout: 5 * time.Second}
	return avast.Do(func() error { // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

func limitedLater(d time.Duration) error {
	client := &http.Client{}
	client.Timeout = d
	return avast.Do(func() error { // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

// The transport may have limits.
func byTransport() error {
	client := &http.Client{Transport: &http.Transport{
		DialContext:           (&net.Dialer{Timeout: time.Second}).DialContext,
		ResponseHeaderTimeout: time.Second,
	}}
	return avast.Do(func() error { // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

// The caller decides.
func callersContext(ctx context.Context) error {
	return avast.Do(func() error { // site "attempts=3"
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3), avast.Context(ctx))
}

func ownDeadline() error {
	return avast.Do(func() error { // site "attempts=3"
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

func contextLater(ctx context.Context) (err error) {
	for attempt := 0; attempt < 2; attempt++ { // site "attempts=2"
		req, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req.WithContext(ctx))
		if err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// The client comes from elsewhere.
func given(client *http.Client) error {
	return avast.Do(func() error { // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

// So does the request.
func givenRequest(req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; attempt < 2; attempt++ { // site "attempts=2"
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// Others configure the client.
func configured() error {
	client := &http.Client{}
	configure(client)
	return avast.Do(func() error { // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

func configure(c *http.Client) { c.Timeout = time.Second }

// It has one connection, with a deadline.
type client struct{ http http.Client }

func (c *client) fetch() error {
	return avast.Do(func() error { // site "attempts=3"
		resp, err := c.http.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}
