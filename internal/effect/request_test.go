package effect

import (
	"go/types"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/value"
)

const testModel = `
family: test
libraries:
  - id: test
    name: http
    source: example.test/http@v1
    packages:
      - {path: example.test/http, module: example.test/http, version: v1}
    requests:
      - {func: NewRequest, method: {arg: 0}, url: {arg: 1}, source: "a.go:1"}
      - {func: Request.Clone, base: {receiver: true}, source: "a.go:1"}
      - {type: Request, method: GET, fields: {Method: {method: {self: true, zero: GET}}, Header: {headers: {self: true}}}, source: "a.go:1"}
      - {type: Header, source: "a.go:1"}
      - {func: Header.Set, mutates: true, header: {name: {arg: 0}, value: {arg: 1}}, source: "a.go:1"}
      - {func: Request.Hook, mutates: true, edits: true, source: "a.go:1"}
    senders:
      - {func: Client.Do, request: {arg: 0}, client: {receiver: true}, hooks: [Transport], source: "a.go:1"}
      - {func: Post, method: POST, url: {arg: 0}, source: "a.go:1"}
`

const testPath = "example.test/http"

func reader() *Reader {
	set := model.NewSet(fstest.MapFS{"models/test.yaml": {Data: []byte(testModel)}}, map[string]string{testPath: "models/test.yaml"})
	return &Reader{Catalogue: set.For(types.NewPackage("example.test/p", "p"))}
}

func symbol(recv, name string) model.Symbol {
	return model.Symbol{Pkg: testPath, Recv: recv, Name: name}
}

func call(recv, name string, args ...*value.Term) *value.Term {
	return &value.Term{Kind: value.Call, Sym: symbol(recv, name), Args: args}
}

func made(method, url string) *value.Term {
	t := call("", "NewRequest", value.Text(method), value.Text(url))
	t.Type = symbol("", "Request")
	return t
}

func plus(a, b *value.Term) *value.Term {
	return &value.Term{Kind: value.Op, Text: "+", Args: []*value.Term{a, b}}
}

func sprintf1(format string, args ...*value.Term) *value.Term {
	return &value.Term{Kind: value.Call, Sym: model.Symbol{Pkg: "fmt", Name: "Sprintf"}, Args: []*value.Term{value.Text(format), {Kind: value.List, Args: args}}}
}

var (
	opaque = value.Opaque("out of sight")
	post   = made("POST", "https://pay.example/payments")
	client = value.Opaque("a client")
)

// changed is t after the changes.
func changed(t *value.Term, changes ...value.Change) *value.Term {
	c := *t
	c.Changes = append(append([]value.Change(nil), t.Changes...), changes...)
	return &c
}

// header sets a header of the request.
func header(name, val *value.Term) value.Change {
	return value.Change{Path: "Header", Sym: symbol("Header", "Set"), Args: []*value.Term{name, val}}
}

func maybe(c value.Change, cond *value.Term) value.Change {
	c.Maybe, c.Cond = true, cond
	return c
}

func given(val *value.Term) *value.Term {
	return &value.Term{Kind: value.Op, Text: "!=", Args: []*value.Term{val, value.Text("")}}
}

func TestPath(t *testing.T) {
	base := value.Opaque("the base address")
	for _, c := range []struct {
		name string
		url  *value.Term
		want string
	}{
		{"constant path", value.Text("/payments"), "/payments"},
		{"constant address", value.Text("https://pay.example/v1/payments"), "/v1/payments"},
		{"host alone", value.Text("https://pay.example"), "/"},
		{"host with a port", value.Text("http://pay.example:8080/payments"), "/payments"},
		{"without a first slash", value.Text("payments"), "/payments"},
		{"query", value.Text("/payments?dry=1"), "/payments"},
		{"query of an address", value.Text("https://pay.example/payments?to=/orders"), "/payments"},
		{"base and constant", plus(base, value.Text("/payments")), "/payments"},
		{"base, constant and id", plus(plus(base, value.Text("/payments/")), opaque), "/payments/*"},
		{"id in the middle", plus(plus(value.Text("/payments/"), opaque), value.Text("/refunds")), "/payments/*/refunds"},
		{"two unknowns in a row", plus(plus(value.Text("/payments/"), opaque), opaque), "/payments/*"},
		{"scheme and unknown host", plus(plus(value.Text("https://"), opaque), value.Text("/payments")), "/payments"},
		{"query that is not constant", plus(value.Text("/payments?id="), opaque), "/payments"},
		{"nothing constant", plus(base, opaque), ""},
		{"slashes alone", plus(plus(base, value.Text("/")), opaque), ""},
		{"format", sprintf1("/payments/%s", opaque), "/payments/*"},
		{"format with a base", sprintf1("%s/payments/%d/refunds", base, opaque), "/payments/*/refunds"},
		{"format with constant arguments", sprintf1("%s/%s/%s", base, value.Text("payments"), opaque), "/payments/*"},
		{"format with flags", sprintf1("/payments/%05d-%+q", opaque, opaque), "/payments/*-*"},
		{"format with a percent sign", sprintf1("/payments/100%%/%s", opaque), "/payments/100%/*"},
		{"format with too few arguments", sprintf1("/payments/%s/%s", opaque), "/payments/*/*"},
		{"format of an address", sprintf1("https://%s/payments", opaque), "/payments"},
		{"format within a sum", plus(base, sprintf1("/payments/%s?x=%s", opaque, opaque)), "/payments/*"},
	} {
		if got := Path(c.url); got != c.want {
			t.Errorf("%s: Path(%s) = %q, want %q", c.name, c.url, got, c.want)
		}
	}
}

func TestHost(t *testing.T) {
	for _, c := range []struct {
		name string
		url  *value.Term
		want string
	}{
		{"constant", value.Text("https://pay.example/v1"), "pay.example"},
		{"alone", value.Text("https://pay.example"), "pay.example"},
		{"before a query", value.Text("https://pay.example?x=https://other.example/"), "pay.example"},
		{"user and port", value.Text("http://me:secret@Pay.Example:8080/payments"), "pay.example"},
		{"unknown scheme", plus(opaque, value.Text("://pay.example/a")), "pay.example"},
		{"unknown region", sprintf1("https://%s.pay.example/a", opaque), "*.pay.example"},
		{"unknown end", plus(plus(value.Text("https://pay."), opaque), value.Text("/a")), "pay.*"},
		{"unknown", sprintf1("https://%s/a", opaque), ""},
		{"unknown but for dots", sprintf1("https://%s.%s/a", opaque, opaque), ""},
		{"unknown base", plus(opaque, value.Text("/payments")), ""},
		{"address within a path", plus(opaque, value.Text("/to?url=https://pay.example/")), ""},
		{"path", value.Text("/payments"), ""},
		{"nothing", opaque, ""},
	} {
		if got := Host(c.url); got != c.want {
			t.Errorf("%s: Host(%s) = %q, want %q", c.name, c.url, got, c.want)
		}
	}
}

// What a request carries beside the key, for a configuration that knows more.
func TestHeaders(t *testing.T) {
	set := func(name string) value.Change { return header(value.Text(name), value.Opaque("a value")) }
	for _, c := range []struct {
		name    string
		request *value.Term
		carrier string
		headers string
		hidden  bool
	}{
		{"none", post, "", "", false},
		{"a key and another", changed(post, set("x-operation-id"), set("idempotency-key")), "Idempotency-Key", "X-Operation-Id Idempotency-Key", false},
		{"on one path", changed(post, maybe(set("X-A"), nil)), "", "X-A?", false},
		{"in both alternatives", value.Join(changed(post, set("X-A"), set("X-B")), changed(post, set("X-A"))), "", "X-A X-B?", false},
		{"in the second alternative", value.Join(post, changed(post, set("X-A"))), "", "X-A?", false},
		{"others out of sight", changed(post, set("X-A"), header(opaque, opaque)), "", "X-A", true},
		{"a header map", changed(post, value.Change{Path: "Header", Args: []*value.Term{
			changed(&value.Term{Kind: value.Struct, Text: "map"}, value.Change{Key: value.Text("x-a"), Args: []*value.Term{opaque}})}}), "", "X-A", false},
		{"a request out of sight", opaque, "", "", true},
	} {
		q := reader().Request(&Event{Send: symbol("Client", "Do"), Args: []*value.Term{client, c.request}})
		var names []string
		for _, h := range q.Headers {
			if h.Maybe {
				h.Name += "?"
			}
			names = append(names, h.Name)
		}
		if got := strings.Join(names, " "); got != c.headers || q.Carrier != c.carrier || q.Hidden != c.hidden {
			t.Errorf("%s: carrier %q headers %q hidden %t, want %q %q %t", c.name, q.Carrier, got, q.Hidden, c.carrier, c.headers, c.hidden)
		}
	}
}

func TestIsKey(t *testing.T) {
	for name, want := range map[string]bool{
		"Idempotency-Key": true, "idempotency-key": true, "X-IDEMPOTENCY-KEY": true, "PayPal-Request-Id": true, "X-Client-Token": true,
		"X-Request-Id": false, "X-Correlation-Id": false, "Traceparent": false, "Authorization": false, "If-Match": false, "": false,
	} {
		if IsKey(name) != want {
			t.Errorf("IsKey(%q) = %v", name, !want)
		}
	}
}

func TestRequest(t *testing.T) {
	const name = "Idempotency-Key"
	stored := value.Opaque("the stored key")
	do := func(req *value.Term) Event {
		return Event{Send: symbol("Client", "Do"), Args: []*value.Term{client, req}}
	}
	via := func(c, req *value.Term) Event {
		return Event{Send: symbol("Client", "Do"), Args: []*value.Term{c, req}}
	}
	object := &value.Term{Kind: value.Struct, Type: symbol("", "Client")}
	keyed := changed(post, header(value.Text(name), stored))
	get := made("GET", "https://pay.example/payments")
	headers := func(entries ...value.Change) value.Change {
		return value.Change{Path: "Header", Args: []*value.Term{changed(&value.Term{Kind: value.Struct, Text: "map"}, entries...)}}
	}
	entry := func(key string, val *value.Term) value.Change {
		return value.Change{Key: value.Text(key), Args: []*value.Term{val}}
	}
	either := func(ts ...*value.Term) *value.Term { return value.Join(ts...) }
	for _, c := range []struct {
		name   string
		event  Event
		method string
		path   string
		key    Key
	}{
		{"no request at all", Event{Send: symbol("", "Post"), Args: []*value.Term{value.Text("/payments")}}, "POST", "/payments", KeyAbsent},
		{"plain", do(post), "POST", "/payments", KeyAbsent},
		{"out of sight", do(opaque), "", "", KeyMaybe},
		{"lower case", do(call("", "NewRequest", value.Text("post"), opaque)), "POST", "", KeyAbsent},
		{"empty method", do(call("", "NewRequest", value.Text(""), value.Text("/a"))), "GET", "/a", KeyAbsent},
		{"method out of sight", do(call("", "NewRequest", opaque, value.Text("/a"))), "", "/a", KeyAbsent},
		{"clone", do(call("Request", "Clone", keyed)), "POST", "/payments", KeyStable},
		{"key set on the clone", do(changed(call("Request", "Clone", post), header(value.Text(name), stored))), "POST", "/payments", KeyStable},
		{"key", do(keyed), "POST", "/payments", KeyStable},
		{"another header", do(changed(post, header(value.Text("Accept"), stored))), "POST", "/payments", KeyAbsent},
		{"constant key", do(changed(post, header(value.Text(name), value.Text("orders")))), "POST", "/payments", KeyConstant},
		{"name out of sight", do(changed(post, header(opaque, stored))), "POST", "/payments", KeyMaybe},
		{"sometimes a key", do(changed(post, maybe(header(value.Text(name), stored), nil))), "POST", "/payments", KeyMaybe},
		{"key if there is one", do(changed(post, maybe(header(value.Text(name), value.Free(0)), given(value.Free(0))))), "POST", "/payments", KeyStable},
		{"key if there is another", do(changed(post, maybe(header(value.Text(name), value.Free(0)), given(value.Free(1))))), "POST", "/payments", KeyMaybe},
		{"header map with a key", do(changed(post, headers(entry("Accept", opaque), entry("idempotency-key", stored)))), "POST", "/payments", KeyStable},
		{"header map without", do(changed(post, headers(entry("Accept", opaque)))), "POST", "/payments", KeyAbsent},
		{"editor out of sight", do(changed(post, value.Change{Each: opaque})), "POST", "/payments", KeyMaybe},
		{"editor that is nil", do(changed(post, value.Change{Each: &value.Term{Kind: value.Nil}})), "POST", "/payments", KeyAbsent},
		{"editor with a key", do(changed(post, value.Change{Each: changed(&value.Term{Kind: value.Func}, header(value.Text(name), stored))})), "POST", "/payments", KeyStable},
		{"editors of an open list", do(changed(post, value.Change{Each: &value.Term{Kind: value.List, Open: true}})), "POST", "/payments", KeyMaybe},
		{"a hook", do(changed(post, value.Change{Sym: symbol("Request", "Hook"), Args: []*value.Term{opaque}})), "POST", "/payments", KeyMaybe},
		{"literal", do(changed(&value.Term{Kind: value.Struct, Type: symbol("", "Request")}, value.Change{Path: "Method", Args: []*value.Term{value.Text("PUT")}})), "PUT", "", KeyAbsent},
		{"version of a PATCH", do(changed(call("", "NewRequest", value.Text("PATCH"), value.Text("/a")), header(value.Text("if-match"), opaque))), "PATCH", "/a", KeyMaybe},
		{"version of a POST", do(changed(post, header(value.Text("If-Match"), opaque))), "POST", "/payments", KeyAbsent},
		{"plain transport", via(object, post), "POST", "/payments", KeyAbsent},
		{"transport of one's own", via(changed(object, value.Change{Path: "Transport", Args: []*value.Term{opaque}}), post), "POST", "/payments", KeyMaybe},

		{"two that agree", do(either(post, call("Request", "Clone", post))), "POST", "/payments", KeyAbsent},
		{"a method of two", do(call("", "NewRequest", either(value.Text("GET"), value.Text("POST")), value.Text("/a"))), "", "/a", KeyAbsent},
		{"requests of two methods", do(either(get, post)), "", "/payments", KeyAbsent},
		{"keyed or not", do(either(keyed, post)), "POST", "/payments", KeyMaybe},
		{"both keyed", do(either(keyed, changed(post, header(value.Text("X-Idempotency-Key"), stored)))), "POST", "/payments", KeyStable},
		{"in sight or not", do(either(post, opaque)), "", "", KeyMaybe},
		{"nil or a request", do(either(&value.Term{Kind: value.Nil}, post)), "POST", "/payments", KeyAbsent},
	} {
		q := reader().Request(&c.event)
		if q.Method != c.method || q.Path != c.path || q.Key != c.key {
			t.Errorf("%s: %q %q key %s, want %q %q key %s", c.name, q.Method, q.Path, q.Key, c.method, c.path, c.key)
		}
	}
}

func TestReads(t *testing.T) {
	for _, c := range []struct {
		method, path string
		read, write  bool
	}{
		{"GET", "/payments", true, false},
		{"HEAD", "", true, false},
		{"OPTIONS", "/payments", true, false},
		{"", "/payments", false, false},
		{"POST", "/payments", false, true},
		{"POST", "", false, true},
		{"DELETE", "/payments", false, true},
		{"QUERY", "/oauth2/token", true, false},
		{"POST", "/oauth2/token", true, false},
		{"POST", "/access_token/", true, false},
		{"POST", "/orders/_search", true, false},
		{"POST", "/token/revoke", false, true},
		{"POST", "/cards/tokenize", false, true},
	} {
		q := Request{Method: c.method, Path: c.path}
		if q.Read() != c.read || q.Write() != c.write {
			t.Errorf("%s %s: read %v, write %v", c.method, c.path, q.Read(), q.Write())
		}
	}
}
