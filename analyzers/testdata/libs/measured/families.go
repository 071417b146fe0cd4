package measured

import (
	"time"

	codegroove "github.com/codeGROOVE-dev/retry"
	juju "github.com/juju/retry"
	gopkgin "gopkg.in/retry.v1"
)

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

func jujuUnlimited(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: -1, Delay: pause, Clock: wallClock{}}) // site "attempts=unbounded" // want "RE-3: " "X3: "
}

func jujuof1(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: 1, Delay: pause, Clock: wallClock{}}) // nosite
}

func jujuof3(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: 3, Delay: pause, Clock: wallClock{}}) // site "attempts=3 sleep=2ms" // want "X3: "
}

func jujuDoubleWaits(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: 5, Delay: time.Second, MaxDelay: 3 * time.Second, BackoffFunc: juju.DoubleDelay, Clock: wallClock{}}) // site "attempts=5 sleep=9s" // want "RE-4: " "RE-2: exponential without jitter .1s, 2s, 3s, 3s."
}

func jujuExpWaits(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: 4, Delay: time.Second, BackoffFunc: juju.ExpBackoff(100*time.Millisecond, 500*time.Millisecond, 2, false), Clock: wallClock{}}) // site "attempts=4 sleep=1.1s" // want "RE-2: exponential without jitter .200ms, 400ms, 500ms."
}

func jujuElapsed(op operation) error {
	return juju.Call(juju.CallArgs{Func: op, Delay: time.Second, MaxDuration: 3500 * time.Millisecond, Clock: wallClock{}}) // site "attempts=4" // want "X3: "
}

func codegrooveof0(op operation) error {
	return codegroove.Do(codegroove.RetryableFunc(op), codegroove.Attempts(0), codegroove.Delay(pause), codegroove.MaxDelay(pause)) // site "attempts=unbounded" // want "RE-3: " "X3: "
}

func codegrooveof1(op operation) error {
	return codegroove.Do(codegroove.RetryableFunc(op), codegroove.Attempts(1)) // nosite
}

func codegrooveof3(op operation) error {
	return codegroove.Do(codegroove.RetryableFunc(op), codegroove.Attempts(3), codegroove.Delay(pause)) // site "attempts=3"
}

func codegrooveWaits(op operation) error {
	return codegroove.Do(codegroove.RetryableFunc(op), codegroove.Attempts(5), codegroove.MaxJitter(0), codegroove.MaxDelay(500*time.Millisecond)) // site "attempts=5 sleep=1.2s" // want "RE-2: exponential without jitter .100ms, 200ms, 400ms, 500ms."
}

func gopkginof0(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.LimitCount(0, gopkgin.Exponential{Initial: pause}), nil); a.Next(); { // nosite
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func gopkginof1(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.LimitCount(1, gopkgin.Exponential{Initial: pause}), nil); a.Next(); { // nosite
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func gopkginof3(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.LimitCount(3, gopkgin.Exponential{Initial: pause}), nil); a.Next(); { // site "attempts=3 sleep=3ms" // want "RE-2: "
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func gopkginWaits(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.LimitCount(5, gopkgin.Exponential{Initial: 100 * time.Millisecond, Factor: 3, MaxDelay: 500 * time.Millisecond}), nil); a.Next(); { // site "attempts=5 sleep=1.4s" // want "RE-2: exponential without jitter .100ms, 300ms, 500ms, 500ms."
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func gopkginElapsed(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.LimitTime(time.Second, gopkgin.Exponential{Initial: 100 * time.Millisecond}), nil); a.Next(); { // site "attempts=4" // want "RE-2: "
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func gopkginRegular(op operation) (err error) {
	for a := gopkgin.Start(gopkgin.Regular{Total: 4 * time.Second, Delay: time.Second}, nil); a.Next(); { // site "attempts=4" // want "X3: "
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}
