package policyyaml

import (
	"strings"

	"github.com/resilint/resilint/policy"
)

// field is one key of a block. Exactly one of its destinations is set.
type field struct {
	key  string // in YAML
	name string // in policy.Settings
	to   any    // *int, *float64, *bool, *string, *time.Duration or []field
}

// fields is the one table of keys.
func fields(s *policy.Settings) []field {
	return []field{
		{"attempts", "Attempts", &s.Attempts},
		{"first_pause", "FirstPause", &s.FirstPause},
		{"timeout", "Timeout", &s.Timeout},
		{"breaker", "Breaker", []field{
			{"failure_ratio", "Breaker.FailureRatio", &s.Breaker.FailureRatio},
			{"calls", "Breaker.Calls", &s.Breaker.Calls},
			{"open_for", "Breaker.OpenFor", &s.Breaker.OpenFor},
		}},
		{"bulkhead", "Bulkhead", &s.Bulkhead},
		{"writes", "Writes", []field{
			{"header", "Writes.Header", &s.Writes.Header},
			{"keeps_keys_for", "Writes.KeepsKeysFor", &s.Writes.KeepsKeysFor},
			{"contract", "Writes.Contract", &s.Writes.Contract},
		}},
		{"retry_throttled", "RetryThrottled", &s.RetryThrottled},
		{"required", "Required", &s.Required},
	}
}

// keyOf returns the key of a field as it is written in the file.
func keyOf(name string) string { return keyIn(fields(new(policy.Settings)), name) }

func keyIn(known []field, name string) string {
	for _, f := range known {
		if f.name == name {
			return f.key
		}
		if inner, ok := f.to.([]field); ok && strings.HasPrefix(name, f.name+".") {
			return f.key + "." + keyIn(inner, name)
		}
	}
	return name
}
