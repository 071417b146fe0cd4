package effect

import (
	"fmt"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/resilint/resilint/internal/declare"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

// A Key says whether a request carries an idempotency key.
type Key string

const (
	KeyAbsent   Key = "none"
	KeyMaybe    Key = "maybe"
	KeyStable   Key = "stable"
	KeyUnstable Key = "unstable" // made anew for each attempt
	KeyConstant Key = "constant" // the same for all requests
	KeyPerCall  Key = "per-call" // made by the function that retries
)

// A Request is what an event sends, as far as the code fixes it.
type Request struct {
	Method string // upper case, empty when unknown
	Path   string // constant parts of the address, * for others; empty when unknown
	Host   string // likewise, without port
	// Call is the function that sends it, where that is all that is known of what
	// is sent: of an SDK, or of generated code.
	Call model.Symbol
	// Makes says that such a call is known to change something: by its name, or
	// since it is given a key.
	Makes  bool
	Key    Key
	Source *value.Term // the value of the key, where there is one
	// Carrier is the header, field or parameter that holds the key, where one does. Headers are all
	// that it is known to carry: the configuration may know better which is the
	// key. Hidden says that there may be others.
	Carrier string
	Headers []Header
	Hidden  bool
	// ReadOnly says that it is declared to change nothing, whatever its method.
	ReadOnly bool
	// Idempotent says that it is declared to change nothing more when repeated.
	Idempotent bool
	// Symbolic says that method or key depends on a parameter: callers know.
	Symbolic bool
	Client   *value.Term // what sends it, where that may retry by itself
}

// A Header is one that a request carries.
type Header struct {
	Name  string // canonical
	Value *value.Term
	Maybe bool // some path leaves it out
}

// Key is what the header comes to as a key.
func (h *Header) Key() Key {
	if h.Maybe {
		return KeyMaybe
	}
	return keyOf(h.Value)
}

// keyOf is what a value is worth as a key, apart from where it is made; nil is one
// that is not known.
func keyOf(val *value.Term) Key {
	if val != nil {
		if _, ok := Literal(val); ok {
			return KeyConstant
		}
	}
	return KeyStable
}

// Write reports whether the request is known to change something.
func (q *Request) Write() bool {
	if q.ReadOnly || readsByPath(q.Path) {
		return false
	}
	if q.Call.Name != "" {
		return q.Makes
	}
	switch q.Method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return false
	}
	return true
}

// Read reports whether the method is known to change nothing.
func (q *Request) Read() bool { return q.ReadOnly || q.Method != "" && !q.Write() }

// Request reads what the event sends. Terms are to be resolved by the caller.
func (r *Reader) Request(e *Event) Request {
	if e.Callee.Name != "" {
		return r.procedure(e)
	}
	entry := r.Catalogue.Lookup(e.Send)
	if entry == nil || entry.Sender == nil {
		return Request{Key: KeyMaybe}
	}
	s := entry.Sender
	b := &builder{r: r, key: KeyAbsent}
	f := frame{args: e.Args}
	if (e.Send.Recv != "" || s.Client != nil && s.Client.Receiver) && len(e.Args) > 0 {
		f.receiver, f.args = e.Args[0], e.Args[1:]
	}
	if s.Request != nil {
		b.read(f.ref(*s.Request))
	}
	b.shape(s.Shape, f, false)
	if s.Client != nil && r.hooked(f.ref(*s.Client), s.Hooks) {
		b.unseenKey()
	}
	if e.Given {
		b.unseenKey()
	}
	q := b.done()
	q = declaredAs(q, e.Declared)
	if s.Client != nil {
		q.Client = f.ref(*s.Client)
	} else if s.Request != nil && s.Request.Receiver {
		q.Client = f.receiver
	}
	return q
}

// declaredAs is the request with what the user says of it.
func declaredAs(q Request, as declare.Effect) Request {
	q.ReadOnly, q.Idempotent = q.ReadOnly || as == declare.Reads, q.Idempotent || as == declare.Idempotent
	return q
}

// hooked reports whether a client that is made in sight runs code out of sight
// on what it sends: its own transport may add the key.
func (r *Reader) hooked(client *value.Term, hooks []string) bool {
	if client == nil {
		return false
	}
	none := &value.Term{Kind: value.Nil}
	for _, t := range client.Alternatives() {
		if t.Kind != value.Struct && len(t.Changes) == 0 {
			continue
		}
		for _, name := range hooks {
			for _, hook := range value.Select(t, name, none).Alternatives() {
				switch hook.Kind {
				case value.Nil, value.Field:
					continue
				case value.Call:
					if r.Catalogue.Lookup(hook.Sym) != nil {
						continue
					}
				}
				if r.Catalogue.Lookup(hook.Type) == nil && !isQuiet(hook.Type.Pkg) {
					return true
				}
			}
		}
	}
	return false
}

type frame struct {
	receiver *value.Term
	args     []*value.Term
	self     *value.Term
}

func (f frame) ref(ref model.Ref) *value.Term {
	switch {
	case ref.Receiver:
		return f.receiver
	case ref.Arg != nil && *ref.Arg < len(f.args):
		return f.args[*ref.Arg]
	}
	return nil
}

func (f frame) expr(e *model.Expr) *value.Term {
	switch {
	case e == nil:
		return nil
	case e.Literal != "":
		return value.Text(e.Literal)
	case e.Arg != nil && *e.Arg < len(f.args):
		return f.args[*e.Arg]
	case e.Self:
		return f.self
	}
	return nil
}

// A builder follows a request from where it is made through all that is done
// to it.
type builder struct {
	r       *Reader
	method  *value.Term
	implied *value.Term // the method, unless one is set
	url     *value.Term
	key     Key
	source  *value.Term
	carrier string
	carried []Header
	unknown bool // it is not known where the request comes from
	hidden  bool // code out of sight may add headers
	symbol  bool
	version bool // it applies to one version only, which its repeat does not meet
}

// read takes in the request, or header map, that t is.
func (b *builder) read(t *value.Term) {
	if t == nil {
		b.unseen()
		return
	}
	switch t.Kind {
	case value.Alt:
		b.alternatives(t)
		return
	case value.Nil:
		return
	}
	entry := b.entry(t)
	switch {
	case entry != nil && entry.Request != nil:
		q := entry.Request
		f := frame{args: t.Args}
		if t.Sym.Recv != "" && t.Kind == value.Call && len(t.Args) > 0 {
			f.receiver, f.args = t.Args[0], t.Args[1:]
		}
		if q.Base != nil {
			b.read(f.ref(*q.Base))
		}
		b.shape(q.Shape, f, false)
		for _, ref := range q.Editors {
			b.editors(ref, f)
		}
	case t.Kind == value.Struct && t.Text == "map":
	case t.Kind == value.Struct && t.Type.Name == "":
	default:
		b.symbol = b.symbol || t.Symbolic(nil)
		b.unseen()
	}
	for i := range t.Changes {
		b.change(t, &t.Changes[i])
	}
}

func (b *builder) entry(t *value.Term) *model.Entry {
	switch t.Kind {
	case value.Call:
		return b.r.Catalogue.Lookup(t.Sym)
	case value.Struct:
		return b.r.Catalogue.Lookup(t.Type)
	}
	return nil
}

// unseen notes that part of the request is made out of sight.
func (b *builder) unseen() {
	b.unknown, b.hidden = true, true
	if b.key == KeyAbsent {
		b.key = KeyMaybe
	}
}

// alternatives joins what the request may be: parts on which they differ are
// not known.
func (b *builder) alternatives(t *value.Term) {
	var all []*builder
	for _, a := range t.Args {
		if a.Kind == value.Nil {
			continue
		}
		c := *b
		c.carried = slices.Clip(b.carried)
		c.read(a)
		all = append(all, &c)
	}
	for i, c := range all {
		if i == 0 {
			*b = *c
			continue
		}
		b.symbol = b.symbol || c.symbol
		b.unknown = b.unknown || c.unknown
		b.hidden = b.hidden || c.hidden
		b.version = b.version || c.version
		b.carried = joinHeaders(b.carried, c.carried)
		if b.key != c.key {
			b.key = KeyMaybe
		}
		b.method = joinTerms(b.method, c.method)
		b.implied = joinTerms(b.implied, c.implied)
		b.url = joinTerms(b.url, c.url)
	}
}

// joinHeaders are the headers of two alternatives: those of both, and as maybe
// those of one.
func joinHeaders(a, b []Header) (out []Header) {
	in := func(list []Header, h Header) bool {
		return slices.ContainsFunc(list, func(other Header) bool { return other.Name == h.Name && !other.Maybe })
	}
	for _, h := range a {
		h.Maybe = h.Maybe || !in(b, h)
		out = append(out, h)
	}
	for _, h := range b {
		if !in(a, h) {
			h.Maybe = true
			out = append(out, h)
		}
	}
	return out
}

func joinTerms(a, b *value.Term) *value.Term {
	if a == nil || b == nil {
		return nil
	}
	return value.Join(a, b)
}

// shape applies the parts of a request that an entry fixes.
func (b *builder) shape(s model.Shape, f frame, maybe bool) {
	if t := f.expr(s.Method); t != nil {
		if s.Method.Zero != "" && t.Kind == value.Const && t.Text == `""` {
			t = value.Text(s.Method.Zero)
		}
		b.method = choose(b.method, t, maybe)
	}
	if t := f.expr(s.Implies); t != nil {
		b.implied = choose(b.implied, t, maybe)
	}
	if t := f.expr(s.URL); t != nil {
		b.url = choose(b.url, t, maybe)
	}
	if s.Header != nil {
		b.header(f.expr(s.Header.Name), f.expr(s.Header.Value), maybe)
	}
	if t := f.expr(s.Headers); t != nil {
		b.headers(t, maybe)
	}
	if s.Edits {
		b.unseenKey()
	}
	if t := f.expr(s.Key); t != nil {
		b.set(t, maybe)
	}
}

func choose(before, after *value.Term, maybe bool) *value.Term {
	if maybe && before != nil {
		return value.Join(before, after)
	}
	return after
}

// change takes in one change of the request or header map t.
func (b *builder) change(t *value.Term, c *value.Change) {
	if c.Maybe && ifGiven(c) {
		given := *c
		given.Maybe = false
		c = &given
	}
	switch {
	case c.Each != nil:
		b.each(c.Each, c.Maybe)
	case c.Key != nil:
		b.header(c.Key, c.Args[0], c.Maybe)
	case c.Sym.Name != "":
		e := b.r.Catalogue.Lookup(c.Sym)
		if e != nil && e.Request != nil {
			b.shape(e.Request.Shape, frame{args: c.Args}, c.Maybe)
		}
	case c.Path == "" && len(c.Args) == 1:
		if c.Maybe {
			b.alternatives(&value.Term{Kind: value.Alt, Args: []*value.Term{{Kind: value.Struct, Text: "map"}, c.Args[0]}})
			return
		}
		b.read(c.Args[0])
	default:
		e := b.r.Catalogue.Lookup(t.Type)
		if e == nil || e.Request == nil {
			return
		}
		field, _, _ := strings.Cut(c.Path, ".")
		if s, ok := e.Request.Fields[field]; ok && field == c.Path {
			b.shape(s, frame{self: c.Args[0]}, c.Maybe)
		}
	}
}

// ifGiven reports whether a change is made when its value is not empty:
// `if key != "" { set(name, key) }` sends the key that there is.
func ifGiven(c *value.Change) bool {
	if c.Cond == nil || len(c.Args) == 0 {
		return false
	}
	val := c.Args[len(c.Args)-1]
	if val.Kind == value.List && len(val.Args) == 1 {
		val = val.Args[0]
	}
	if c.Cond.Kind == value.Unknown { // so is the comparison of a value that is unknown
		return c.Cond.String() == val.String()
	}
	if c.Cond.Kind != value.Op || c.Cond.Text != "!=" || len(c.Cond.Args) != 2 {
		return false
	}
	empty, ok := Literal(c.Cond.Args[1])
	return ok && empty == "" && c.Cond.Args[0].String() == val.String()
}

// each takes in what editors do to the request.
func (b *builder) each(t *value.Term, maybe bool) {
	switch t.Kind {
	case value.Nil:
	case value.List:
		for _, a := range t.Args {
			b.each(a, maybe)
		}
		if t.Open {
			b.unseen()
		}
	case value.Elem:
		b.each(t.Args[0], maybe)
	case value.Func:
		for i := range t.Changes {
			c := t.Changes[i]
			c.Maybe = c.Maybe || maybe
			b.change(t, &c)
		}
		if t.Open {
			b.unseenKey()
		}
	default:
		b.symbol = b.symbol || t.Symbolic(nil)
		b.unseenKey()
	}
}

// editors takes in what functions do that a library calls with the request.
func (b *builder) editors(ref model.Ref, f frame) {
	if ref.Rest != nil {
		for _, t := range f.args[min(*ref.Rest, len(f.args)):] {
			b.each(t, false)
		}
		return
	}
	if t := f.ref(ref); t != nil {
		b.each(t, false)
	}
}

// unseenKey notes code out of sight that is given the request: it may add a
// key, and is not known to change the method.
func (b *builder) unseenKey() {
	b.hidden = true
	if b.key == KeyAbsent {
		b.key = KeyMaybe
	}
}

// headers takes in a map of headers.
func (b *builder) headers(t *value.Term, maybe bool) {
	switch t.Kind {
	case value.Nil:
	case value.Struct, value.Call:
		c := builder{r: b.r, key: KeyAbsent}
		c.read(t)
		b.symbol = b.symbol || c.symbol
		b.version = b.version || c.version
		b.hidden = b.hidden || c.hidden
		for _, h := range c.carried {
			h.Maybe = h.Maybe || maybe
			b.carried = append(b.carried, h)
		}
		switch {
		case c.key == KeyAbsent:
		case maybe && b.key == KeyAbsent:
			b.key = KeyMaybe
		default:
			b.key, b.source, b.carrier = c.key, c.source, c.carrier
		}
	default:
		b.symbol = b.symbol || t.Symbolic(nil)
		b.unseenKey()
	}
}

// header takes in one header.
func (b *builder) header(name, val *value.Term, maybe bool) {
	if name == nil {
		b.unseenKey()
		return
	}
	if name.Kind == value.Elem && name.Text == "key" {
		b.headers(name.Args[0], maybe)
		return
	}
	if names, ok := name.Each(); ok {
		// A loop over a list of headers: as many as the list has.
		values, _ := val.Each()
		for i, n := range names {
			var v *value.Term
			if i < len(values) {
				v = values[i]
			}
			b.header(n, v, maybe)
		}
		return
	}
	text, ok := Literal(name)
	if !ok {
		b.symbol = b.symbol || name.Symbolic(nil)
		b.unseenKey()
		return
	}
	b.carried = append(b.carried, Header{textproto.CanonicalMIMEHeaderKey(text), val, maybe})
	switch {
	case IsKey(text):
		b.set(val, maybe)
		b.carrier = textproto.CanonicalMIMEHeaderKey(text)
	case isVersion(text):
		b.version = true
	}
}

// set notes a key.
func (b *builder) set(val *value.Term, maybe bool) {
	switch {
	case maybe:
		b.key = KeyMaybe
		b.symbol = b.symbol || val != nil && val.Symbolic(nil)
	case val == nil:
		b.key = KeyStable
	default:
		b.key, b.source = KeyStable, val
	}
}

// carriers are the headers that systems deduplicate by. Correlation ids such as
// X-Request-Id are none.
var carriers = []string{
	"Idempotency-Key", "X-Idempotency-Key", "Idempotence-Key", "X-Idempotence-Key", "Idempotency-Token",
	"X-Idempotency-Token", "X-Idempotent-Key", "Paypal-Request-Id", "Repeatability-Request-Id",
	"X-Ms-Idempotency-Key", "X-Client-Token", "Client-Token", "X-Gusto-Idempotency-Key", "Amz-Sdk-Invocation-Id",
}

// IsKey reports whether a header is known to hold an idempotency key.
func IsKey(name string) bool {
	return slices.Contains(carriers, textproto.CanonicalMIMEHeaderKey(name))
}

// isVersion reports whether a header makes a write conditional on a version.
func isVersion(name string) bool {
	name = textproto.CanonicalMIMEHeaderKey(name)
	return name == "If-Match" || name == "If-None-Match"
}

// Literal is the constant string that t is, seen through a list of one.
func Literal(t *value.Term) (string, bool) {
	if t.Kind != value.Const {
		return "", false
	}
	s, err := strconv.Unquote(t.Text)
	return s, err == nil
}

// reads are the last elements of paths that are read from by other methods than
// GET: searches, and endpoints that issue tokens. A token issued twice is used
// once.
var reads = []string{"_search", "_msearch", "_count", "token", "tokens", "_token", "-token"}

// readsByPath reports whether a request to the path only reads.
func readsByPath(path string) bool {
	path = strings.TrimRight(path, "/")
	last := path[strings.LastIndex(path, "/")+1:]
	return last != "" && slices.ContainsFunc(reads, func(r string) bool {
		return last == r || (r[0] == '_' || r[0] == '-') && strings.HasSuffix(last, r)
	})
}

func (b *builder) done() Request {
	q := Request{Key: b.key, Source: b.source, Carrier: b.carrier, Headers: b.carried, Hidden: b.hidden, Symbolic: b.symbol}
	if b.method == nil && !b.unknown {
		b.method = b.implied
	}
	if b.method != nil {
		q.Method = method(b.method)
		q.Symbolic = q.Symbolic || b.method.Symbolic(nil)
	}
	if b.url != nil {
		q.Path, q.Host = Path(b.url), Host(b.url)
	}
	if b.version && (q.Method == "PUT" || q.Method == "PATCH") {
		q.Hidden = true
		if q.Key == KeyAbsent {
			q.Key = KeyMaybe
		}
	}
	if b.key == KeyStable {
		q.Key = keyOf(b.source)
	}
	return q
}

// method is the one method that t can be: of several, all writes come to the
// gravest, and a mix of reads and writes is unknown.
func method(t *value.Term) string {
	out := ""
	for _, alt := range t.Alternatives() {
		text, ok := Literal(alt)
		if !ok {
			return ""
		}
		if text == "" {
			text = "GET"
		}
		text = strings.ToUpper(text)
		if out != "" && out != text {
			return ""
		}
		out = text
	}
	return out
}

// Path is the path of an address: its constant parts, and * for the others. It
// is empty when nothing of it is constant.
func Path(t *value.Term) string {
	text := pathText(t)
	// What stands before the first slash is the host or the base.
	if i := strings.Index(text, "://"); i >= 0 {
		rest := text[i+3:]
		j := strings.Index(rest, "/")
		if j < 0 {
			return "/"
		}
		return query(rest[j:])
	}
	text = strings.TrimLeft(text, "*")
	if text == "" || !strings.ContainsFunc(text, func(c rune) bool { return c != '*' && c != '/' }) {
		return ""
	}
	if text[0] != '/' {
		text = "/" + text
	}
	return query(text)
}

// Host is the host of an address, without user and port: its constant parts,
// and * for the others. It is empty when nothing of it is constant.
func Host(t *value.Term) string {
	scheme, rest, ok := strings.Cut(pathText(t), "://")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	host = host[strings.LastIndex(host, "@")+1:]
	host, _, _ = strings.Cut(host, ":")
	if strings.Trim(host, "*.") == "" {
		return ""
	}
	return strings.ToLower(host)
}

func query(path string) string {
	path, _, _ = strings.Cut(path, "?")
	for strings.Contains(path, "**") {
		path = strings.ReplaceAll(path, "**", "*")
	}
	return path
}

func pathText(t *value.Term) string {
	if s, ok := Literal(t); ok {
		return s
	}
	if t.Kind == value.Op && t.Text == "+" && len(t.Args) == 2 {
		return pathText(t.Args[0]) + pathText(t.Args[1])
	}
	if t.Kind == value.Call && t.Sym.Pkg == "fmt" && t.Sym.Name == "Sprintf" && len(t.Args) > 0 {
		if format, ok := Literal(t.Args[0]); ok {
			return sprintf(format, t.Args[1:])
		}
	}
	return "*"
}

// Text is the text that t is, also when it is put together of constants.
func Text(t *value.Term) (string, bool) {
	switch {
	case t.Kind == value.Const:
		if s, ok := Literal(t); ok {
			return s, true
		}
		return t.Text, true
	case t.Kind == value.Op && t.Text == "+" && len(t.Args) == 2:
		a, known := Text(t.Args[0])
		b, also := Text(t.Args[1])
		return a + b, known && also
	case t.Kind == value.Call && t.Sym.Pkg == "fmt" && t.Sym.Name == "Sprintf" && len(t.Args) == 2 && t.Args[1].Kind == value.List && !t.Args[1].Open:
		format, known := Literal(t.Args[0])
		var args []any
		for _, a := range t.Args[1].Args {
			n, isNumber := a.Int()
			text, ok := Text(a)
			known = known && ok
			if isNumber {
				args = append(args, n)
			} else {
				args = append(args, text)
			}
		}
		return fmt.Sprintf(format, args...), known
	}
	return "", false
}

// sprintf fills in the verbs of a format with constant arguments.
func sprintf(format string, rest []*value.Term) string {
	var args []*value.Term
	if len(rest) == 1 && rest[0].Kind == value.List {
		args = rest[0].Args
	}
	var b strings.Builder
	for n := 0; ; {
		before, after, found := strings.Cut(format, "%")
		b.WriteString(before)
		if !found || after == "" {
			return b.String()
		}
		end := strings.IndexFunc(after, func(c rune) bool { return c >= 'a' && c <= 'z' || c == '%' || c >= 'A' && c <= 'Z' })
		if end < 0 {
			return b.String()
		}
		switch {
		case after[end] == '%':
			b.WriteByte('%')
		case n < len(args):
			b.WriteString(pathText(args[n]))
			n++
		default:
			b.WriteByte('*')
		}
		format = after[end+1:]
	}
}
