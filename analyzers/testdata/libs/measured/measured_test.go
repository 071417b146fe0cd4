package measured

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// limit is the number of attempts from which an operation counts as retried
// without limit.
const limit = 40

type tooMany struct{}

// run counts the attempts that call makes of an operation that always fails,
// and how long they take by the clock of the bubble.
func run(call func(operation) error) (attempts string, took time.Duration) {
	n := 0
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(tooMany); !ok {
				panic(p)
			}
			attempts = "unbounded"
		}
	}()
	_ = call(func() error {
		if n++; n > limit {
			panic(tooMany{})
		}
		return errors.New("down")
	})
	return strconv.Itoa(n), time.Since(start)
}

func withContext(call func(context.Context, operation) error) func(operation) error {
	return func(op operation) error { return call(context.Background(), op) }
}

// TestMeasured runs the policies and compares what happens with what the
// comments at them say: one attempt and none are no site.
func TestMeasured(t *testing.T) {
	said := comments(t, "measured.go", "waits.go", "families.go")
	for name, call := range map[string]func(operation) error{
		"cenkalti2of0": cenkalti2of0, "cenkalti2of1": cenkalti2of1, "cenkalti2of3": cenkalti2of3,
		"cenkalti3of0": cenkalti3of0, "cenkalti3of1": cenkalti3of1, "cenkalti3of3": cenkalti3of3,
		"cenkalti4of0": cenkalti4of0, "cenkalti4of1": cenkalti4of1, "cenkalti4of3": cenkalti4of3,
		"cenkalti5of0": withContext(cenkalti5of0), "cenkalti5of1": withContext(cenkalti5of1), "cenkalti5of3": withContext(cenkalti5of3),
		"avast3of0": avast3of0, "avast3of1": avast3of1, "avast3of3": avast3of3,
		"avast4of0": avast4of0, "avast4of1": avast4of1, "avast4of3": avast4of3,
		"avast5of0": avast5of0, "avast5of1": avast5of1, "avast5of3": avast5of3,
		"sethvargoof0": withContext(sethvargoof0), "sethvargoof1": withContext(sethvargoof1), "sethvargoof3": withContext(sethvargoof3),
		"eapacheof0": eapacheof0, "eapacheof1": eapacheof1, "eapacheof3": eapacheof3,
		"failsafeAttemptsof0": failsafeAttemptsof0, "failsafeAttemptsof1": failsafeAttemptsof1, "failsafeAttemptsof3": failsafeAttemptsof3,
		"failsafeRetriesof0": failsafeRetriesof0, "failsafeRetriesof1": failsafeRetriesof1, "failsafeRetriesof3": failsafeRetriesof3,
		"rican7of0": rican7of0, "rican7of1": rican7of1, "rican7of3": rican7of3,
		"lestrratof0": inBackground(lestrratof0), "lestrratof1": inBackground(lestrratof1), "lestrratof3": inBackground(lestrratof3),
		"songmuof0": songmuof0, "songmuof1": songmuof1, "songmuof3": songmuof3,
		"rokoof1": rokoof1, "rokoof3": rokoof3,
		"jujuUnlimited": jujuUnlimited, "jujuof1": jujuof1, "jujuof3": jujuof3,
		"codegrooveof0": codegrooveof0, "codegrooveof1": codegrooveof1, "codegrooveof3": codegrooveof3,
		"gopkginof0": gopkginof0, "gopkginof1": gopkginof1, "gopkginof3": gopkginof3,

		"cenkalti4waits": cenkalti4waits, "cenkalti4elapsed": cenkalti4elapsed, "cenkalti5waits": withContext(cenkalti5waits),
		"sethvargoExponentialWaits": withContext(sethvargoExponentialWaits), "sethvargoFibonacciWaits": withContext(sethvargoFibonacciWaits),
		"eapacheWaits": eapacheWaits, "rican7BinaryExponentialWaits": rican7BinaryExponentialWaits,
		"rican7ExponentialWaits": rican7ExponentialWaits, "rican7IncrementalWaits": rican7IncrementalWaits,
		"rican7FibonacciWaits": rican7FibonacciWaits, "rokoExponentialWaits": rokoExponentialWaits,
		"jujuDoubleWaits": jujuDoubleWaits, "jujuExpWaits": jujuExpWaits, "jujuElapsed": jujuElapsed,
		"codegrooveWaits": codegrooveWaits, "gopkginWaits": gopkginWaits, "gopkginElapsed": gopkginElapsed, "gopkginRegular": gopkginRegular,
		"rokoSubsecondWaits": rokoSubsecondWaits, "avast4waits": avast4waits, "lestrratWaits": inBackground(lestrratWaits),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want, ok := said[name]
				if !ok {
					t.Fatalf("no comment at %s", name)
				}
				attempts, took := run(call)
				if want.none {
					if attempts != "0" && attempts != "1" {
						t.Errorf("%s attempts, the comment says that there is no retry", attempts)
					}
					return
				}
				if attempts != want.attempts {
					t.Errorf("%s attempts, the comment says %s", attempts, want.attempts)
				}
				if want.sleep == "" {
					return
				}
				bound, err := time.ParseDuration(want.sleep)
				if err != nil {
					t.Fatal(err)
				}
				if took != bound {
					t.Errorf("waits %s, the comment says %s", took, bound)
				}
			})
		})
	}
}

// inBackground ends the goroutine of a controller when the call is done.
func inBackground(call func(context.Context, operation) error) func(operation) error {
	return func(op operation) error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		return call(ctx, op)
	}
}

type comment struct {
	attempts, sleep string
	none            bool
}

// comments reads the site and nosite comments by the function they are in.
func comments(t *testing.T, files ...string) map[string]comment {
	out := map[string]comment{}
	fset := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for _, group := range file.Comments {
				if group.Pos() < fn.Pos() || group.Pos() > fn.End() {
					continue
				}
				text := group.List[0].Text
				c := comment{none: strings.HasPrefix(text, "// nosite")}
				_, rest, found := strings.Cut(text, `// site "`)
				rest, _, _ = strings.Cut(rest, `"`)
				for _, field := range strings.Fields(rest) {
					switch key, val, _ := strings.Cut(field, "="); key {
					case "attempts":
						c.attempts = val
					case "sleep":
						c.sleep = val
					}
				}
				if found || c.none {
					out[fn.Name.Name] = c
				}
			}
		}
	}
	return out
}
