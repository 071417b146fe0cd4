package loops

import (
	"context"
	"errors"
	"log"
	"net/http"
	"testing"
	"time"
)

type spec struct{ name, host string }

// keda, pkg/scaling/scale_handler.go: a message is taken on each turn.
func eachMessage(ctx context.Context, c *http.Client, specs <-chan spec) {
	for { // nosite
		select {
		case <-ctx.Done():
			return
		case s := <-specs:
			resp, err := c.Get(status)
			if err != nil {
				continue
			}
			update(resp, s)
		}
	}
}

func update(*http.Response, spec) {}

// keda, too: what a struct in a list holds is another on each turn.
func eachSpec(c *http.Client, specs []spec) (found []string) {
	for _, s := range specs { // nosite
		if s.host == "" {
			continue
		}
		name := s.name
		if _, err := c.Get(status + name); err != nil {
			continue
		}
		found = append(found, name)
	}
	return found
}

// buildkite agent, internal/job/commit_verification.go: each turn first does
// something with the next of a list, then asks again.
func deepen(c *http.Client, flags []string) error {
	for _, f := range flags { // nosite
		if err := fetch(c, f); err != nil {
			return err
		}
		if _, err := c.Get(status); err == nil {
			return nil
		}
	}
	return errors.New("not found")
}

func fetch(c *http.Client, flag string) error {
	_, err := c.Get(status + flag)
	return err
}

// A list of waits is no list of items.
func tableOfWaits(c *http.Client) error {
	for _, wait := range []time.Duration{0, 500 * time.Millisecond, time.Second} { // want "RSL-LOST: " "RE-2: exponential without jitter" // site "attempts=3"
		time.Sleep(wait)
		if _, err := c.Get(status); err == nil {
			return nil
		}
	}
	return errors.New("gave up")
}

// traefik, integration/try/try.go: one timer limits what another paces.
func pacedWithinALimit(c *http.Client) error {
	stop, tick := time.NewTimer(10*time.Second), time.NewTicker(3*time.Second)
	for { // want "X3: 3 attempts a constant 3s apart" // site "attempts=3 sleep=6s"
		select {
		case <-stop.C:
			return errors.New("too late")
		case <-tick.C:
			if _, err := c.Get(status); err == nil {
				return nil
			}
		}
	}
}

// terraform-provider-github, github/transport.go: a table says which answers are
// failures.
func byTable(c *http.Client, req *http.Request, retryable map[int]bool) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want "RSL-LEAK: " "X3: 3 attempts a constant 1s apart" // site "attempts=3"
		resp, err = c.Do(req)
		if err != nil || !retryable[resp.StatusCode] {
			return resp, err
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// heimdall, httpclient/client.go: a copy of the request is sent again.
func copied(c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // want "X3: 3 attempts a constant 1s apart" // site "attempts=3"
		if i > 0 {
			time.Sleep(time.Second)
			req = req.Clone(req.Context())
		}
		if resp, err = c.Do(req); err == nil {
			return resp, nil
		}
	}
	return resp, err
}

// erpc, data/redis.go: who connects when a program starts keeps nobody waiting.
func connectAtStart(c *http.Client) {
	for i := 0; i < 30; i++ { // site "attempts=30 mechanism=loop"
		if err := connect(c); err == nil {
			return
		}
		time.Sleep(10 * time.Second)
	}
}

func connect(c *http.Client) error {
	_, err := c.Get(status)
	return err
}

// freightliner, pkg/testing: it says that it waits.
func waitForReady(c *http.Client) {
	for { // nosite
		if _, err := c.Get(status); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

type task struct{ Status string }

// terraform-provider-baiducloud, service_baiducloud_dts.go: until a state is over.
func untilChecked(c *http.Client) {
	for { // nosite
		t, _ := detail(c)
		if t.Status != "checking" {
			return
		}
	}
}

func detail(c *http.Client) (*task, error) {
	resp, err := c.Get(status)
	if err != nil {
		return nil, err
	}
	return &task{Status: resp.Status}, nil
}

type coded struct{ Code int }

// alist, drivers/aliyundrive_open/util.go: the answer says by its code.
func byCode(c *http.Client) (err error) {
	for i := 0; i < 3; i++ { // want "X3: 3 attempts a constant 1s apart" // site "attempts=3"
		var a *coded
		if a, err = ask(c); err == nil && a.Code == 0 {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func ask(c *http.Client) (*coded, error) {
	resp, err := c.Get(status)
	if err != nil {
		return nil, err
	}
	return &coded{Code: int(resp.ContentLength)}, nil
}

// alist, drivers/streamtape/driver.go: the other side says how long to wait.
func asLongAsAsked(c *http.Client) (err error) {
	for i := 0; i < 3; i++ { // site "attempts=3 backoff=unknown"
		if _, err = ask(c); err == nil {
			return nil
		}
		t := time.NewTimer(time.Duration(seconds(err)+1) * time.Second)
		<-t.C
	}
	return err
}

func seconds(err error) int { return len(err.Error()) }

type apiError struct{ Code string }

func (*apiError) Error() string { return "" }

// rclone, backend/qingstor: an error's code tells a state that is still to come.
func untilTheLeaseIsReady(c *http.Client) error {
	for n := 0; n <= 10; { // nosite
		err := remove(c)
		if e, ok := err.(*apiError); ok && e.Code == "lease_not_ready" {
			n++
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return nil
}

func remove(c *http.Client) error {
	_, err := c.Get(status)
	return err
}

// rclone, fs/config/crypt.go: somebody types another one.
func askAgain(c *http.Client) {
	for { // nosite
		if err := unlock(c, getPassword(c)); err == nil {
			return
		}
	}
}

func getPassword(c *http.Client) string { return c.Timeout.String() }

func unlock(c *http.Client, password string) error {
	_, err := c.Get(status + password)
	return err
}

// rclone, fstest/run.go: who gives up in a function that does not return.
func orElseFatal(c *http.Client, fatal func()) {
	for tries := 1; ; tries++ { // want "X3: 3 attempts a constant 2s apart" // site "attempts=3"
		_, err := c.Get(status)
		if err == nil {
			break
		}
		if tries < 3 {
			time.Sleep(2 * time.Second)
			continue
		}
		log.Fatal(err)
	}
}

type version struct{ n int }

// argo-workflows, workflow/controller/operator.go: read anew, and written again.
func readAndWrite(c *http.Client) error {
	attempt := 1
	for { // nosite
		v, err := latest(c)
		if err != nil {
			return err
		}
		if err = updateTo(c, v); err == nil {
			return nil
		}
		if attempt++; attempt > 5 {
			return err
		}
	}
}

func latest(c *http.Client) (*version, error) {
	_, err := c.Get(status)
	return &version{}, err
}

func updateTo(c *http.Client, v *version) error {
	_, err := c.Get(status + string(rune(v.n)))
	return err
}

type monitor struct{ progress string }

// argo-workflows, workflow/executor/executor.go: what is told is not told again,
// and the loop goes on for more.
func (m *monitor) run(ctx context.Context, c *http.Client) {
	t := time.NewTicker(time.Second)
	for { // nosite
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if m.progress == "" {
				continue
			}
			if _, err := c.Get(status); err == nil {
				m.progress = ""
			}
		}
	}
}

// rclone, backend/cache/cache.go: the clock is read in a helper with more blocks
// than the loop's function.
func (m *monitor) pause(since time.Time) time.Duration {
	if m.progress == "a" {
		if since.IsZero() {
			return time.Second
		} else if since.Year() > 2000 {
			return 2 * time.Second
		} else if since.Year() > 1000 {
			return time.Second - time.Now().Sub(since)
		}
	}
	return time.Second
}

func (m *monitor) paced(c *http.Client, since time.Time) (err error) {
	for range 3 { // site "attempts=3 backoff=unknown"
		if _, err = c.Get(status); err == nil {
			return nil
		}
		time.Sleep(m.pause(since))
	}
	return err
}

// rclone, fstest/fstests/fstests.go: for tests, though in no test file.
func retryInTests(t *testing.T, c *http.Client) {
	for range 10 { // nosite
		if _, err := c.Get(status); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
	t.Fatal("gave up")
}
