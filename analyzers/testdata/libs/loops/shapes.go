// Package loops has retries that are written by hand, and loops that look alike.
package loops

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"net/http"
	"time"
)

const status = "https://stock.example/status"

// achgateway, internal/notify/email.go: counted, a pause after each failure.
func pauseAfter(c *http.Client) error {
	var err error
	for i := 0; i < 4; i++ { // want "X3: 4 attempts a constant 1s apart" // site "attempts=4 backoff=constant sleep=3s mechanism=loop"
		if _, err = c.Get(status); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// alist, drivers/pcloud/util.go: none after the last.
func noPauseAfterTheLast(c *http.Client) (err error) {
	for i := 0; i < 3; i++ { // want "RE-2: exponential without jitter" // site "attempts=3 backoff=exponential sleep=3s"
		if _, err = c.Get(status); err == nil {
			return nil
		}
		if i == 2 {
			break
		}
		time.Sleep(time.Duration(math.Pow(2, float64(i))) * time.Second)
	}
	return err
}

// go-sdk-events, event_sender.go: the pause stands before the second attempt.
func pauseBefore(c *http.Client) error {
	for attempt := 0; attempt < 2; attempt++ { // want "^RSL-LEAK" "^RSL-LOST" "X3: 2 attempts a constant 1s apart" // site "attempts=2 backoff=constant sleep=1s"
		if attempt > 0 {
			time.Sleep(time.Second)
		}
		resp, err := c.Get(status)
		if err == nil && resp.StatusCode < 300 {
			return nil
		}
	}
	return errors.New("gave up")
}

// gocardless-pro-go, retries.go: no pause, counted down.
func countedDown(c *http.Client) error {
	for left := 3; left > 0; left-- { // want "^RSL-LOST" "X3: 3 attempts without a pause" // site "attempts=3 backoff=none"
		if _, err := c.Get(status); err == nil {
			return nil
		}
	}
	return errors.New("gave up")
}

// lux, request/request.go: the limit is tested by hand.
func limitInTheBody(c *http.Client, retries int) (resp *http.Response, err error) {
	for i := 0; ; i++ { // want "^RSL-LEAK" "X3: 12 attempts a constant 1s apart" // site "attempts=12 backoff=constant"
		resp, err = c.Get(status)
		if err == nil && resp.StatusCode < 400 {
			return resp, nil
		} else if i+1 >= retries {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}

func limitFromItsCaller(c *http.Client) error {
	_, err := limitInTheBody(c, 12) // want "RE-3: 12 attempts" "RE-4: waits up to 11s" // site "attempts=12 mechanism=wrapper"
	return err
}

// mev-boost, server/utils.go: no condition, a counter of its own.
func withoutCondition(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	attempts := 0
	for { // want "RE-2: exponential without jitter" // site "attempts=5 backoff=exponential sleep=1.5s"
		resp, err := c.Do(req)
		if err == nil {
			return resp, nil
		}
		attempts++
		if attempts == 5 {
			return nil, fmt.Errorf("after %d attempts: %w", attempts, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond << attempts):
		}
	}
}

// agollo, protocol/http/request.go: only a success leaves it.
func withoutLimit(c *http.Client) {
	for { // want "RE-3: retried without a limit" "X3: unlimited attempts a constant 2s apart" // site "attempts=unbounded backoff=constant"
		if _, err := c.Get(status); err == nil {
			return
		}
		time.Sleep(2 * time.Second)
	}
}

// achgateway, internal/environment.go: the condition is the error.
func whileItFails(c *http.Client) error {
	err := errors.New("not tried")
	for i := 0; err != nil && i < 3; i++ { // want "RE-2: exponential without jitter" // site "attempts=3 backoff=exponential"
		_, err = c.Get(status)
		if err != nil {
			time.Sleep(200 * time.Millisecond << i)
		}
	}
	return err
}

// certmagic, async.go: a deadline, and a table of waits.
func untilADeadline(c *http.Client) error {
	table := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	start, i := time.Now(), 0
	for time.Since(start) < 8*time.Second { // want "RE-2: exponential without jitter" // site "attempts=4 sleep=7s"
		if _, err := c.Get(status); err == nil {
			return nil
		}
		time.Sleep(table[i])
		if i < len(table)-1 {
			i++
		}
	}
	return errors.New("too late")
}

// gorush, notify/notification_apns.go: goto.
func byGoto(c *http.Client) error {
	retries := 0
again:
	_, err := c.Get(status) // want "X3: 4 attempts without a pause" // site "attempts=4 backoff=none"
	if err != nil && retries < 3 {
		retries++
		goto again
	}
	return err
}

func overAnInteger(c *http.Client) error {
	for i := range 3 { // want "^RSL-LOST" // site "attempts=3 backoff=exponential+jitter"
		if _, err := c.Get(status); err == nil {
			return nil
		}
		time.Sleep(time.Second<<i + time.Duration(rand.Int63n(int64(time.Second))))
	}
	return errors.New("gave up")
}

func labelled(c *http.Client, paths []string) error {
next:
	for _, p := range paths {
		for i := 0; i < 3; i++ { // want "^RSL-LOST" "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant"
			if _, err := c.Get("https://stock.example" + p); err == nil {
				continue next
			}
			time.Sleep(time.Second)
		}
		return errors.New(p)
	}
	return nil
}

func ticking(ctx context.Context, c *http.Client) error {
	t := time.NewTicker(3 * time.Second)
	defer t.Stop()
	for i := 0; i < 3; i++ { // want "^RSL-LOST" "X3: 3 attempts a constant 3s apart" // site "attempts=3 backoff=constant sleep=6s"
		if _, err := c.Get(status); err == nil {
			return nil
		}
		if i == 2 {
			break
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("gave up")
}

// hcloud-go, hcloud/client_handler_retry.go: a helper decides.
func byHelper(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i <= 3; i++ { // want "^RSL-LEAK" "^RSL-AFTER" "X3: 4 attempts a constant 500ms apart" // site "attempts=4 backoff=constant"
		resp, err = c.Do(req)
		if !shouldRetry(resp, err) {
			break
		}
		pause(500 * time.Millisecond)
	}
	return resp, err
}

func shouldRetry(resp *http.Response, err error) bool {
	if err != nil {
		return true
	}
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500
}

func pause(d time.Duration) { time.Sleep(d) }

// Only what may pass by itself is tried again.
func byStatus(c *http.Client) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want "^RSL-LEAK" "^RSL-AFTER" "X3: 3 attempts a constant 1s apart" // site "attempts=3 backoff=constant"
		resp, err = c.Get(status)
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case http.StatusServiceUnavailable, http.StatusBadGateway:
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return resp, err
}

type client struct {
	http    *http.Client
	retries int
	base    time.Duration
}

func newClient() *client {
	return &client{http: http.DefaultClient, retries: 6, base: 250 * time.Millisecond}
}

func (c *client) delay(n int) time.Duration { return c.base * time.Duration(1<<n) }

func (c *client) limitsInFields() (err error) {
	for i := 0; i <= c.retries; i++ { // want "RE-3: 7 attempts" "RE-4: waits up to 15.7s" "RE-2: exponential without jitter" // site "attempts=7 backoff=exponential"
		if _, err = c.http.Get(status); err == nil {
			return nil
		}
		time.Sleep(c.delay(i))
	}
	return err
}

// alist, drivers/cloudreve/util.go: an upload by chunks, each tried again.
func (c *client) chunks(size int) error {
	finish, failed := 0, 0
	for finish < size { // want "RE-2: exponential without jitter" "RE-4: waits up to 14s" "X1: PUT /parts may be applied up to 4 times" // site "attempts=4 backoff=exponential effect=write"
		if err := c.put(finish); err != nil {
			failed++
			if failed > 3 {
				return err
			}
			time.Sleep(time.Second << failed)
			continue
		}
		finish += 100
		failed = 0
	}
	return nil
}

func (c *client) put(offset int) error {
	req, err := http.NewRequest(http.MethodPut, "https://stock.example/parts", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Range", fmt.Sprint(offset))
	_, err = c.http.Do(req)
	return err
}
