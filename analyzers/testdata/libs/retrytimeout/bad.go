// Package retrytimeout has what rule RSL-TIMEOUT reports, and what it does not.
package retrytimeout

import (
	"context"
	"errors"
	"math/rand"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v4"
	sethvargo "github.com/sethvargo/go-retry"
)

const url = "https://rates.example/eur"

func pause(attempt int) {
	time.Sleep(200*time.Millisecond<<attempt + time.Duration(rand.Int63n(int64(100*time.Millisecond))))
}

func get() (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want "^RSL-TIMEOUT: an attempt may hang for ever: http.Get has no time limit and the request no context$" // site "attempts=3"
		resp, err := http.Get(url)
		if err == nil {
			resp.Body.Close()
			return nil
		}
		pause(attempt)
	}
	return err
}

func defaultClient() error {
	return avast.Do(func() error { // want "^RSL-TIMEOUT: an attempt may hang for ever: http.DefaultClient has no time limit" // site "attempts=3"
		req, err := http.NewRequest(http.MethodGet, url, nil)
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

func emptyClient() error {
	client := &http.Client{}
	return avast.Do(func() error { // want "^RSL-TIMEOUT: an attempt may hang for ever: &http.Client{} has no time limit" // site "attempts=3"
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, avast.Attempts(3))
}

// The background never ends.
func background() error {
	return avast.Do(func() error { // want "^RSL-TIMEOUT: " // site "attempts=3"
		ctx := context.WithValue(context.Background(), key{}, "rates")
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

type key struct{}

// The send is in a helper. What ends the retry does not end the attempt.
func inAHelper(ctx context.Context) error {
	b := sethvargo.WithJitter(50*time.Millisecond, sethvargo.WithMaxRetries(2, sethvargo.NewExponential(200*time.Millisecond)))
	return sethvargo.Do(ctx, b, func(context.Context) error { // want "^RSL-TIMEOUT: " // site "attempts=3"
		return sethvargo.RetryableError(fetch())
	})
}

func fetch() error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}
