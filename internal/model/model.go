// Package model loads what is known about third-party retry, backoff and
// breaker libraries, and answers questions about functions, types, fields and
// variables of theirs.
//
// A library is data: nothing in this package or in those built on it names one.
// Every fact carries the place where it was read. What a fact means for a
// policy is the business of package retry.
package model

// A Family is one file of the catalogue: the majors and forks of one library.
type Family struct {
	Family    string    `yaml:"family"`
	Libraries []Library `yaml:"libraries"`
	// Names are words of no library in particular.
	Names *Names `yaml:"names"`

	File string `yaml:"-"` // name of the file, for messages
}

// A Library is one API: one or more import paths that share it.
type Library struct {
	ID       string    `yaml:"id"`
	Name     string    `yaml:"name"` // the reader's name for it, as in "10 attempts (retry-go defaults)"
	Packages []Package `yaml:"packages"`
	// When tells versions that share an import path apart by their API.
	When *When `yaml:"when"`

	Retries    []Retry     `yaml:"retries"`    // calls that run an operation again
	Values     []Value     `yaml:"values"`     // functions, types and variables that make or change a policy
	Breakers   []Breaker   `yaml:"breakers"`   // calls that run an operation under a breaker
	Predicates []Predicate `yaml:"predicates"` // named decisions on what is retried
	Markers    []Marker    `yaml:"markers"`    // what makes an error permanent, or retryable
	Errors     []ErrorVar  `yaml:"errors"`     // sentinels with a meaning

	Requests []Request `yaml:"requests"` // what makes or changes a request
	Senders  []Sender  `yaml:"senders"`  // calls that send one
	Fresh    []Fresh   `yaml:"fresh"`    // functions that return another value each time

	Source string   `yaml:"source"` // module@version that the sources of the entries refer to
	Notes  []string `yaml:"notes"`  // traps worth telling a user
}

// A Package is one import path of a library. Entries refer to it by its alias,
// which is the last path element unless given.
type Package struct {
	Path  string `yaml:"path"`
	Alias string `yaml:"alias"`
	// Module and Version say where a test can resolve the entries. A module
	// that no proxy serves has Resolve "no" and a reason.
	Module  string `yaml:"module"`
	Version string `yaml:"version"`
	Resolve string `yaml:"resolve"`
	Why     string `yaml:"why"`
}

// When is a condition on the exported API of the library's first package.
type When struct {
	Has   string `yaml:"has"`
	Lacks string `yaml:"lacks"`
}

// A Retry is a call that may run its operation more than once.
type Retry struct {
	Func string `yaml:"func"` // Name, Type.Method or alias.Name: see Symbol
	// Operation says where the code of one attempt is.
	Operation Ref `yaml:"operation"`
	// Loop marks a call that stands in the condition or body of the caller's
	// own loop: the loop is the operation.
	Loop bool `yaml:"loop"`
	// Context is where the mechanism gets the context that ends it.
	Context *Ref `yaml:"context"`
	// Sets is the policy before the caller's own: the library's defaults.
	Sets Sets `yaml:"sets"`
	// Policy lists where the caller's policy comes from, applied in order.
	Policy []Ref `yaml:"policy"`
	// Sends marks a call that is itself a request, sent again by the library:
	// there is no code of the caller's to look into.
	Sends bool `yaml:"sends"`
	// Kind tells what only looks like a retry: "poll" and "startup" are waits
	// for a state, "cas" is an update tried again because another writer came
	// first. "delay" is a call that only yields the next wait: how often the
	// loop around it turns is the caller's business, though the policy may end
	// it sooner.
	Kind string `yaml:"kind"`
	// Durable marks queues whose schedule survives a restart.
	Durable bool `yaml:"durable"`
	// Composes marks an entry that runs whatever policies its receiver or
	// arguments hold: it retries only when one of them does.
	Composes bool   `yaml:"composes"`
	Source   string `yaml:"source"`
	Why      string `yaml:"why"`
}

// A Value makes a policy, changes one, or is an option that will.
type Value struct {
	Func string `yaml:"func"`
	Type string `yaml:"type"` // a struct whose literal and fields are the policy
	Var  string `yaml:"var"`  // a package variable that holds one

	// Role is what the value is: policy (default), breaker, bulkhead, timeout,
	// fallback, hedge (runs its operation several times side by side), client
	// (sends requests and retries by itself), carrier (a client that retries when
	// what it is given to send by does), request (made from a client),
	// compose (runs the policies it is given, the first outermost) or other
	// (of no effect on a policy).
	Role string `yaml:"role"`
	// Base is the policy that this one starts from; none means a fresh one.
	Base *Ref `yaml:"base"`
	// Mutates marks a method that changes its receiver in place. Fluent marks
	// one that returns its receiver; on a type, that all methods which return
	// the type do.
	Mutates bool `yaml:"mutates"`
	Fluent  bool `yaml:"fluent"`
	// Derives marks a method whose result carries the receiver's policy
	// without being it: a request made from a client.
	Derives bool `yaml:"derives"`
	// Sets is what the value fixes.
	Sets Sets `yaml:"sets"`
	// Policy lists further values applied on top, in order.
	Policy []Ref `yaml:"policy"`
	// Fields says what each field of a struct type sets.
	Fields map[string]Sets `yaml:"fields"`
	// Runs is the code that is run later, by what the value is: the operation of a
	// client, or what makes one.
	Runs *Ref `yaml:"runs"`
	// JSON is a constant text that holds policies.
	JSON *JSON `yaml:"json"`
	// If holds degenerate cases, judged when all of the policy is known.
	If     []Case `yaml:"if"`
	Source string `yaml:"source"`
	Why    string `yaml:"why"`
}

// A JSON is a document, given as text, that holds policies: what of it is one,
// and what each sets.
type JSON struct {
	Arg    *int            `yaml:"arg"`
	At     string          `yaml:"at"` // names on the way to a policy; of a list each element counts
	Sets   Sets            `yaml:"sets"`
	Fields map[string]Sets `yaml:"fields"`
}

// Settings lists what the document may set.
func (j *JSON) Settings() []string {
	names := j.Sets.Names()
	for _, f := range sortedKeys(j.Fields) {
		names = append(names, j.Fields[f].Names()...)
	}
	return names
}

// A Ref points at an argument (0-based, receiver excluded), at all arguments
// from one on, at the receiver, or at the result of the call itself.
type Ref struct {
	Arg      *int   `yaml:"arg"`
	Rest     *int   `yaml:"rest"` // the variadic arguments from this one on
	Field    string `yaml:"field"`
	Receiver bool   `yaml:"receiver"`
	Value    string `yaml:"value"` // a named value of the same library
	// Returns says that the argument is a function and that what it returns is
	// meant: a library that makes its policy anew for each call asks for one.
	Returns bool `yaml:"returns"`
	// List says that a slice of durations stands for a policy here: its
	// elements are the waits, and there is one retry per element. Any other
	// value is applied as usual.
	List bool `yaml:"list"`
	// Affects lists the settings that become unknown when the value is not
	// seen through; all of them when empty.
	Affects []string `yaml:"affects"`
}

// A Case replaces settings when one of them has a degenerate value.
type Case struct {
	Field string `yaml:"field"` // a setting
	Is    string `yaml:"is"`    // a literal of it
	Sets  Sets   `yaml:"sets"`
}

// A Breaker runs its operation unless it is open.
type Breaker struct {
	Func      string   `yaml:"func"`
	Operation Ref      `yaml:"operation"`
	Context   *Ref     `yaml:"context"`
	Fallback  *Ref     `yaml:"fallback"`
	TwoStep   bool     `yaml:"two_step"` // asks leave first, there is no operation
	Open      []string `yaml:"open"`     // error values returned while it is open
	Source    string   `yaml:"source"`
	Why       string   `yaml:"why"`
}

// A Predicate is a named function that decides what is retried.
type Predicate struct {
	Func     string `yaml:"func"`
	Type     string `yaml:"type"`
	Var      string `yaml:"var"`
	Statuses string `yaml:"statuses"` // "429,500-599"
	Errors   string `yaml:"errors"`   // all, transient, none, listed
	Source   string `yaml:"source"`
	Why      string `yaml:"why"`
}

// A Marker wraps an error, or is a method called from the operation, to say
// that no further attempt shall be made (or that one shall).
type Marker struct {
	Func    string `yaml:"func"`
	Type    string `yaml:"type"`
	Means   string `yaml:"means"`   // permanent or retryable
	Unwraps bool   `yaml:"unwraps"` // found under further wrapping too
	Source  string `yaml:"source"`
	Why     string `yaml:"why"`
}

// An ErrorVar is a sentinel, or an error type, with a meaning.
type ErrorVar struct {
	Var    string `yaml:"var"`
	Type   string `yaml:"type"`
	Means  string `yaml:"means"` // open, full, exceeded or timeout
	Source string `yaml:"source"`
}

// A Request makes a request, or changes one: its method, address, headers.
type Request struct {
	Func string `yaml:"func"`
	Type string `yaml:"type"` // a struct whose literal and fields are the request
	// Base is the request, or the client, that this one starts from.
	Base    *Ref `yaml:"base"`
	Mutates bool `yaml:"mutates"` // changes its receiver in place
	Fluent  bool `yaml:"fluent"`  // returns its receiver
	// Editors are functions of the user's own that are called with the request.
	Editors []Ref `yaml:"editors"`
	Shape   `yaml:",inline"`

	Fields map[string]Shape `yaml:"fields"`
	Source string           `yaml:"source"`
	Why    string           `yaml:"why"`
}

// A Shape says which parts of a request an entry fixes.
type Shape struct {
	Method  *Expr   `yaml:"method"`
	Implies *Expr   `yaml:"implies"` // the method that the request has unless one is set
	URL     *Expr   `yaml:"url"`
	Header  *Header `yaml:"header"`  // one header
	Headers *Expr   `yaml:"headers"` // a map of headers
	Key     *Expr   `yaml:"key"`     // the idempotency key itself
	Edits   bool    `yaml:"edits"`   // code of the user's own changes the request
}

// A Header is where the name and the value of a header are.
type Header struct {
	Name  *Expr `yaml:"name"`
	Value *Expr `yaml:"value"`
}

// A Sender sends a request.
type Sender struct {
	Func string `yaml:"func"`
	// Option is a type of options: generated methods that take any number of them
	// last are calls of another side.
	Option string `yaml:"option"`
	// Request is the request, nil when the call itself says all.
	Request *Ref `yaml:"request"`
	// Client is the client that sends it, whose retries and headers apply.
	Client *Ref `yaml:"client"`
	// Later says that what the call returns is a function that sends.
	Later bool `yaml:"later"`
	// Hooks are fields of the client whose code may change the request.
	Hooks []string `yaml:"hooks"`
	// Given says that generated code calls it, which may take the key from what
	// it is given: from a field of a parameter that is named like one.
	Given  bool `yaml:"given"`
	Shape  `yaml:",inline"`
	Source string `yaml:"source"`
	Why    string `yaml:"why"`
}

// Fresh is a function that returns another value each time: made inside a
// retry, it makes a key that recognises nothing.
type Fresh struct {
	Func   string `yaml:"func"`
	Source string `yaml:"source"`
}

// Names are the words by which a call is understood whose code is not seen.
// Case and underscores do not count.
type Names struct {
	// Keys are fields of what a call is given, and parameters, that hold an
	// idempotency key.
	Keys []string `yaml:"keys"`
	// Identities are fields that may tell a request from its repeat.
	Identities []string `yaml:"identities"`
	// Reads are first words of functions that change nothing, Repeatable of
	// those that change nothing more when repeated, and Leading of neither: the
	// next word counts.
	Reads []string `yaml:"reads"`
	// Makes are first words of functions that make something more each time.
	Makes      []string `yaml:"makes"`
	Repeatable []string `yaml:"repeatable"`
	Leading    []string `yaml:"leading"`
	Source     string   `yaml:"source"`
	Why        string   `yaml:"why"`
}
