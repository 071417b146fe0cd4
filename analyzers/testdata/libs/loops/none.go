package loops

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// polls until an answer says that it is done: a failure ends it.
func poll(c *http.Client) error {
	for { // nosite
		resp, err := c.Get(status)
		if err != nil {
			return err
		}
		if resp.Header.Get("State") == "done" {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// godo, util/droplet.go: failures are tolerated, and it polls all the same.
func tolerantPoll(c *http.Client) error {
	for i := 0; i < 100; i++ { // nosite
		resp, err := c.Get(status)
		if err == nil && resp.Header.Get("State") == "done" {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("never done")
}

// A failure is counted, an answer is what is waited for.
func pollThatGivesUp(c *http.Client) error {
	failures := 0
	for failures < 5 { // nosite
		resp, err := c.Get(status)
		if err != nil {
			failures++
			time.Sleep(time.Second)
			continue
		}
		if resp.ContentLength > 0 {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("gave up")
}

// The next address is another request.
func failover(c *http.Client, hosts []string) (err error) {
	for _, h := range hosts { // nosite
		if _, err = c.Get("https://" + h); err == nil {
			return nil
		}
	}
	return err
}

func failoverByIndex(c *http.Client, hosts []string) (err error) {
	for i := 0; i < len(hosts); i++ { // nosite
		req, _ := http.NewRequest(http.MethodGet, status, nil)
		req.Host = hosts[i]
		if _, err = c.Do(req); err == nil {
			return nil
		}
	}
	return err
}

func eachItem(c *http.Client, items []string) {
	for _, i := range items { // nosite
		if _, err := c.Get(status + i); err != nil {
			continue
		}
	}
}

func fromAChannel(c *http.Client, items <-chan string) {
	for { // nosite
		item := <-items
		if _, err := c.Get(status + item); err != nil {
			time.Sleep(time.Second)
			continue
		}
		return
	}
}

func pages(c *http.Client) error {
	for page := 1; ; page++ { // nosite
		resp, err := get(c, page)
		if err != nil {
			continue
		}
		if resp.ContentLength == 0 {
			return nil
		}
	}
}

func get(c *http.Client, page int) (*http.Response, error) {
	return c.Get(status + string(rune(page)))
}

func periodic(ctx context.Context, c *http.Client) {
	t := time.NewTicker(time.Minute)
	for { // nosite
		select {
		case <-t.C:
			if _, err := c.Get(status); err != nil {
				println(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// One replay with new credentials is none of a failure.
func renewed(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 2; i++ { // nosite
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusUnauthorized {
			return resp, nil
		}
		if err := login(c); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("unauthorized")
}

func renewedByGoto(c *http.Client, req *http.Request) (*http.Response, error) {
	tried := false
again:
	resp, err := c.Do(req) // nosite
	if isExpired(err) && !tried {
		tried = true
		if err := login(c); err != nil {
			return nil, err
		}
		goto again
	}
	return resp, err
}

func isExpired(err error) bool { return err != nil && err.Error() == "token expired" }

func login(c *http.Client) error {
	_, err := c.Post("https://bank.example/login", "", nil)
	return err
}

// A file is no other system.
func ofAFile(name string) (err error) {
	for i := 0; i < 10; i++ { // nosite
		if err = os.Remove(name); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func lines(r *bufio.Reader) error {
	for { // nosite
		_, err := r.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// What is read again and written again is another write.
func compareAndSwap(c *http.Client) error {
	for { // nosite
		err := swap(c)
		if errors.Is(err, errConflict) {
			continue
		}
		return err
	}
}

var errConflict = errors.New("conflict")

func swap(c *http.Client) error {
	resp, err := c.Post(status, "", nil)
	if err != nil {
		return err
	}
	if resp.StatusCode == http.StatusConflict {
		return errConflict
	}
	return nil
}
