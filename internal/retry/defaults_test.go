package retry_test

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/rules"
)

// What libraries do by themselves, by the catalogue.
func TestDefaults(t *testing.T) {
	want := map[string]string{
		"avast-retry-go-v4 Do":                     "10 attempts, exponential+jitter, opt-out",
		"cenkalti-backoff-v4 NewConstantBackOff":   "no limit, constant, opt-out, delay: argument",
		"cenkalti-backoff-v5 Retry":                "25 attempts, exponential+jitter, opt-out",
		"failsafe-go-retrypolicy NewWithDefaults":  "3 attempts, none, catch-all",
		"hashicorp-go-retryablehttp Get":           "5 attempts, exponential, status:429,500,502-599",
		"go-resty-resty-v2 New":                    "1 attempts, exponential+jitter, transport",
		"lestrrat-go-backoff-v2 Constant":          "11 attempts, constant, caller",
		"sethvargo-go-retry Exponential":           "no limit, exponential, opt-in, delay: argument",
		"azure-azcore RetryOptions{}":              "4 attempts, exponential+jitter, status:408,429,500,502-504",
		"songmu-retry Retry":                       "",
		"eapache-go-resiliency-retrier New":        "",
		"k8s-apimachinery-wait ExponentialBackoff": "",
	}
	got := map[string]string{}
	models := model.NewSet(rules.Models(), rules.ModelIndex())
	names, err := fs.Glob(rules.Models(), "models/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	families, err := model.ParseFS(rules.Models(), names...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for i := range f.Libraries {
			lib := &f.Libraries[i]
			for _, d := range retry.Defaults(models, lib) {
				for _, name := range d.Names {
					got[lib.ID+" "+name] = tell(d.Site)
				}
				if slices.Contains(d.Names, "") {
					t.Errorf("%s: a default has no name", lib.ID)
				}
			}
		}
	}
	for name, want := range want {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

func tell(s *retry.Site) string {
	sched := s.Schedules()[0]
	text := fmt.Sprintf("%d attempts", sched.Attempts)
	if sched.Unbounded {
		text = "no limit"
	}
	text += ", " + s.Backoff() + ", " + s.Predicate
	if sched.SleepWhy != "" {
		text += ", " + sched.SleepWhy
	}
	return text
}
