package policyyaml_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policyyaml"
)

const complete = `
sber:
  attempts: 5
  first_pause: 250ms
  timeout: 3s
  breaker:
    failure_ratio: 0.25
    calls: 20
    open_for: 10s
  bulkhead: 4
  writes:
    header: X-Request-Key
    keeps_keys_for: 24h
    contract: Payment API 3.1, section 4.2
  retry_throttled: true
  required: true
rates:
sms: {}
`

func TestLoad(t *testing.T) {
	policies, err := policyyaml.Load("policies.yaml", strings.NewReader(complete))
	if err != nil {
		t.Fatal(err)
	}
	want := policy.Settings{
		System: "sber", Attempts: 5, FirstPause: 250 * time.Millisecond, Timeout: 3 * time.Second,
		Breaker:  policy.Breaker{FailureRatio: 0.25, Calls: 20, OpenFor: 10 * time.Second},
		Bulkhead: 4, RetryThrottled: true, Required: true,
		Writes: policy.Dedup{Header: "X-Request-Key", KeepsKeysFor: 24 * time.Hour, Contract: "Payment API 3.1, section 4.2"},
	}
	if got := policies["sber"].Settings(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, system := range []string{"rates", "sms"} {
		plain, _ := policy.New(policy.Settings{System: system})
		if got := policies[system]; got == nil || got.String() != plain.String() {
			t.Errorf("%s: got %v, want the defaults", system, got)
		}
	}
	if len(policies) != 3 {
		t.Errorf("%d policies, want 3", len(policies))
	}
}

func TestMistakes(t *testing.T) {
	for file, want := range map[string]string{
		"":                                        "p.yaml: no policies: the file is empty",
		"- sber":                                  "p.yaml:1: the file is not a mapping",
		"a: {}\n---\nb: {}":                       "p.yaml: more than one document",
		"sber: 3":                                 "p.yaml:1: block sber is not a mapping",
		"sber:\n  attemps: 3":                     `p.yaml:2: block sber has no key "attemps", did you mean "attempts"?`,
		"sber:\n  cache: 3":                       `p.yaml:2: block sber has no key "cache"`,
		"sber:\n  breaker:\n    open: 3s":         `p.yaml:3: breaker of block sber has no key "open"`,
		"sber:\n  breaker:\n    callls: 3":        `p.yaml:3: breaker of block sber has no key "callls", did you mean "calls"?`,
		"sber:\n  timeout: 5":                     `p.yaml:2: timeout of block sber: "5" is not a duration such as 500ms or 5s`,
		"sber:\n  timeout: 0s":                    "p.yaml:2: timeout of block sber: zero stands for the default; leave the key out",
		"sber:\n  timeout: [5s]":                  "p.yaml:2: timeout of block sber: is not a single value",
		"sber:\n  attempts: many":                 `p.yaml:2: attempts of block sber: "many" is not a whole number`,
		"sber:\n  attempts: 2.5":                  `p.yaml:2: attempts of block sber: "2.5" is not a whole number`,
		"sber:\n  attempts: 0":                    "p.yaml:2: attempts of block sber: zero stands for the default; leave the key out",
		"sber:\n  required: perhaps":              `p.yaml:2: required of block sber: "perhaps" is neither true nor false`,
		"sber:\n  breaker: {failure_ratio: x}":    `p.yaml:2: failure_ratio of breaker of block sber: "x" is not a number`,
		"sber: {}\nbank: {}\nsber: {}":            `p.yaml:3: "sber" is twice in the file, first in line 1`,
		"sber:\n  timeout: 1s\n  timeout: 2s":     `p.yaml:3: "timeout" is twice in block sber, first in line 2`,
		"? [a]\n: {}":                             "p.yaml:1: a key of the file is not a name",
		"\n\nsber:\n  bulkhead: 2\n  attempts: 6": "p.yaml:5: sber: attempts: 6 is more than 5; what needs more belongs into a durable task (R-RES-RE-3)",
		"sber:\n  breaker:\n    calls: 3\n    failure_ratio: 2": "p.yaml:4: sber: breaker.failure_ratio: 2 is not above 0 and at most 1",
		"sber:\n  writes:\n    keeps_keys_for: 1h":              "p.yaml:1: sber: writes.contract: say where the promise is written; without one a keyed write may not be repeated (R-RES-RE-1)",
		"sber:\n  attempts: 9\nbank:\n  bulkhead: -1\n  oops: 1\nsms:\n  bulkhead: -1": "p.yaml:2: sber: attempts: 9 is more than 5; what needs more belongs into a durable task (R-RES-RE-3)\n" +
			`p.yaml:5: block bank has no key "oops"` + "\np.yaml:7: sms: bulkhead: -1 is negative",
	} {
		policies, err := policyyaml.Load("p.yaml", strings.NewReader(file))
		if err == nil {
			t.Errorf("%q is accepted as %v", file, policies)
		} else if err.Error() != want {
			t.Errorf("%q\ngot  %v\nwant %v", file, err, want)
		}
	}
	if _, err := policyyaml.Load("p.yaml", strings.NewReader("a: [")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("broken syntax: %v, want its line", err)
	}
}

func TestAnchors(t *testing.T) {
	policies, err := policyyaml.Load("p.yaml", strings.NewReader("a: &shared {attempts: 2, timeout: &limit 3s}\nb: *shared\nc: {timeout: *limit}"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := policies["a"].Settings(), policies["b"].Settings(), policies["c"].Settings(); b.Attempts != 2 || a.System != "a" || b.System != "b" || c.Timeout != 3*time.Second {
		t.Errorf("a %+v, b %+v, c %+v", a, b, c)
	}
}

type counter struct{ calls int }

func (c *counter) AttemptStarted(ctx context.Context, _ policy.Attempt) (context.Context, func(error)) {
	return ctx, nil
}
func (c *counter) CallEnded(context.Context, policy.Report) { c.calls++ }
func (c *counter) BreakerChanged(policy.BreakerChange)      {}

func TestObserversWatchEveryPolicy(t *testing.T) {
	var c counter
	policies, err := policyyaml.Load("p.yaml", strings.NewReader(complete), &c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range policies {
		_, _ = policy.Read(t.Context(), p, func(context.Context) (int, error) { return 0, nil })
	}
	if c.calls != 3 {
		t.Errorf("told of %d calls, want 3", c.calls)
	}
}

// The schema and the loader know the same keys.
func TestSchemaKnowsEveryKey(t *testing.T) {
	var schema struct {
		Defs struct {
			Settings struct {
				Properties map[string]struct {
					Properties map[string]any
					Default    any
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(policyyaml.Schema()), &schema); err != nil {
		t.Fatal(err)
	}
	var inSchema []string
	for key, p := range schema.Defs.Settings.Properties {
		if len(p.Properties) == 0 {
			inSchema = append(inSchema, key)
		}
		for inner := range p.Properties {
			inSchema = append(inSchema, key+": {"+inner)
		}
	}
	slices.Sort(inSchema)
	for _, key := range inSchema {
		// A value of no type: the key is known if the value is what is refused.
		file := "sber: {" + key + ": []" + strings.Repeat("}", strings.Count(key, "{")+1)
		_, err := policyyaml.Load("p.yaml", strings.NewReader(file))
		if err == nil || !strings.Contains(err.Error(), "is not a single value") {
			t.Errorf("%s: %v, want its value refused", file, err)
		}
	}
	keys := regexp.MustCompile(`(?m)^ +([a-z_]+): ?\S`).FindAllStringSubmatch(complete, -1)
	if len(keys) != len(inSchema) {
		t.Errorf("the schema has %d keys, a complete file %d", len(inSchema), len(keys))
	}
}

func TestSchemaKnowsTheDefaults(t *testing.T) {
	text := policyyaml.Schema()
	for _, want := range []string{
		fmt.Sprintf(`"attempts": {"type": "integer", "minimum": 1, "maximum": %d, "default": %d`, policy.MaxAttempts, policy.DefaultAttempts),
		fmt.Sprintf(`"default": "%v", "description": "Longest first pause`, policy.DefaultFirstPause),
		fmt.Sprintf(`"default": "%v", "description": "Time limit of one`, policy.DefaultTimeout),
		fmt.Sprintf(`"default": %v, "description": "Share of failed`, policy.DefaultFailureRatio),
		fmt.Sprintf(`"default": %d, "description": "Number of latest`, policy.DefaultCalls),
		fmt.Sprintf(`"default": "%v", "description": "Time until an open`, policy.DefaultOpenFor),
		fmt.Sprintf(`"default": %d, "description": "Attempts that may run`, policy.DefaultBulkhead),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("schema lacks %s", want)
		}
	}
}

func ExampleLoad() {
	file, err := os.Open("testdata/policies.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	policies, err := policyyaml.Load(file.Name(), file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(policies["sber"])
	// Output:
	// sber: retry 5 attempts, pauses 500ms 1s 2s 4s less up to half > breaker 0.5 of 50 calls, open 30s, 1 probe > bulkhead 8 > timeout 5s; pauses up to 7.5s, lasts up to 32.5s; writes repeat with Idempotency-Key, kept 24h0m0s (Payment API 3.1, section 4.2)
}

// Whatever the file holds, Load gives policies or says in which line they are wrong.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{complete, "", "a: &x [*x]", "a: *b", "a: {attempts: 99}", "? {}\n: 1", "a: {<<: {attempts: 2}}", "\x00", "a: !!int x", "a: {timeout: -5s}"} {
		f.Add(seed)
	}
	line := regexp.MustCompile(`^f\.yaml:(\d+:)? `)
	f.Fuzz(func(t *testing.T, file string) {
		policies, err := policyyaml.Load("f.yaml", strings.NewReader(file))
		if err != nil {
			if policies != nil || !line.MatchString(err.Error()) {
				t.Errorf("%v, policies %v", err, policies)
			}
			return
		}
		for system, p := range policies {
			if p == nil || p.Settings().System != system {
				t.Errorf("%q: %v", system, p)
			}
		}
	})
}

func ExampleSchema() {
	var schema struct {
		Schema string `json:"$schema"`
		Type   string
	}
	err := json.Unmarshal([]byte(policyyaml.Schema()), &schema)
	fmt.Println(schema.Schema, schema.Type, err)
	// Output: https://json-schema.org/draft/2020-12/schema object <nil>
}
