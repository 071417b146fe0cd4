package config

import (
	"errors"
	"fmt"
	"net/textproto"
	"path"
	"strings"
	"time"
)

// A Header is the name of a header, in its canonical form.
type Header string

func (h *Header) UnmarshalText(text []byte) error {
	if name := string(text); name == "" || strings.ContainsAny(name, " :\t") {
		return fmt.Errorf("%q is no name of a header", name)
	}
	*h = Header(textproto.CanonicalMIMEHeaderKey(string(text)))
	return nil
}

// A Duration is a positive time, as Go writes it.
type Duration time.Duration

func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration: 90s, 15m and 24h are", text)
	}
	if v <= 0 {
		return fmt.Errorf("%s is no time at all", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes the duration as Go does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

func (d Duration) String() string {
	text := time.Duration(d).String()
	for _, zeros := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zeros) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// A Host is the name of a host in lower case, or with *. in front all below it.
type Host string

func (h *Host) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if rest := strings.TrimPrefix(name, "*."); rest == "" || strings.ContainsAny(rest, "*/: ") {
		return fmt.Errorf("%q is no host: bank.example and *.bank.example are", text)
	}
	*h = Host(name)
	return nil
}

// Matches reports whether a host, of which parts may be unknown and written *,
// is for certain one of those that h means.
func (h Host) Matches(host string) bool {
	if below, ok := strings.CutPrefix(string(h), "*"); ok {
		return strings.HasSuffix(host, below)
	}
	return string(h) == host
}

// A Pattern is an import path, or with a last /... all at and below it.
type Pattern string

func (p *Pattern) UnmarshalText(text []byte) error {
	if rest := strings.TrimSuffix(string(text), "/..."); rest == "" || rest[0] == '.' || strings.Contains(rest, "...") || strings.ContainsAny(rest, " *") {
		return fmt.Errorf("%q is no import path: example.com/pay and example.com/pay/... are", text)
	}
	*p = Pattern(text)
	return nil
}

// Matches reports whether the package is one of those that p means.
func (p Pattern) Matches(pkg string) bool {
	if root, ok := strings.CutSuffix(string(p), "/..."); ok {
		return pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	return string(p) == pkg
}

// A Type is the name of a type with the import path of its package.
type Type string

func (t *Type) UnmarshalText(text []byte) error {
	pkg, name := Type(text).Split()
	if pkg == "" || name == "" || strings.ContainsAny(string(text), " *()") {
		return fmt.Errorf("%q is no type: example.com/pay.Client is", text)
	}
	*t = Type(text)
	return nil
}

// Split returns the import path and the name.
func (t Type) Split() (pkg, name string) {
	slash := strings.LastIndex(string(t), "/")
	dot := strings.LastIndex(string(t), ".")
	if dot <= slash {
		return "", ""
	}
	return string(t[:dot]), string(t[dot+1:])
}

// An Endpoint is a method and a pattern of paths.
type Endpoint string

func (e *Endpoint) UnmarshalText(text []byte) error {
	method, pattern, _ := strings.Cut(string(text), " ")
	if method == "" || strings.ToUpper(method) != method || !strings.HasPrefix(pattern, "/") || strings.Contains(pattern, " ") {
		return fmt.Errorf("%q is no method and path: POST /search is", text)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return errors.New("the brackets of the path do not match")
	}
	*e = Endpoint(text)
	return nil
}

// Matches reports whether a request is one of those that r means.
func (e Endpoint) Matches(method, address string) bool {
	want, pattern, _ := strings.Cut(string(e), " ")
	if want != method || address == "" {
		return false
	}
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		n := strings.Count(root, "/")
		elements := strings.Split(address, "/")
		if len(elements) <= n {
			return false
		}
		pattern, address = root, strings.Join(elements[:n+1], "/")
	}
	ok, _ := path.Match(pattern, address) // its form is checked
	return ok
}
