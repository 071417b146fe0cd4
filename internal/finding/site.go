package finding

// A Site is a construct that may run one operation again because it failed,
// with what is known of it.
type Site struct {
	ID        string
	Pos       Position
	EndLine   int
	Function  string
	Package   string
	Kind      string // request, database, startup, durable, local, unknown
	Mechanism string // library, builtin, loop, wrapper, durable
	Library   string // the reader's name of it, with major version: retry-go v4

	Operation []Operation
	Effect    string // read, write, keyed, mixed, unknown, none
	Attempts  *Attempts
	Backoff   string // exponential+jitter, ..., unknown
	Predicate string // transient, catch-all, status:500-599, unknown
	// Windows are Go durations, or "unknown", or "unbounded".
	SleepWindow string
	TotalWindow string
	Breaker     string   // outside, inside, none, unknown
	Unproved    []string // "predicate: from config"
}

// Attempts is a count that includes the first one. Default says that the
// library's own default applies: nothing is set in the code.
type Attempts struct {
	Min, Max  int
	Unbounded bool
	Default   bool
}
