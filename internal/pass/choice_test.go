package pass

import "testing"

var known = Knowledge{
	Modelled: func(path string) bool { return path == "lib.test/retry" },
	Senders: func(path string) []string {
		if path == "net.test/send" {
			return []string{"Do", "Post"}
		}
		return nil
	},
	Skips: func(module string) bool { return module == "lib.test" },
}

func TestChoose(t *testing.T) {
	for _, try := range []struct {
		module  string
		imports []string
		want    Choice
	}{
		{"a.test/a", nil, Skip},
		{"a.test/a", []string{"fmt", "b.test/b"}, Skip},
		{"a.test/a", []string{"a.test/ab"}, Skip},
		{"a.test/a", []string{"a.test/a/b"}, Carrying},
		{"a.test/a", []string{"a.test/a"}, Carrying},
		{"a.test/a", []string{"a.test/a/b", "net.test/send"}, Mentioned},
		{"a.test/a", []string{"lib.test/retry", "net.test/send"}, Read},
		{"lib.test", []string{"lib.test/retry", "net.test/send"}, Skip},
	} {
		if got := known.Choose(try.module, try.imports); got != try.want {
			t.Errorf("%s with %q: %d, want %d", try.module, try.imports, got, try.want)
		}
	}
}

func TestMentions(t *testing.T) {
	senders, carried := map[string]bool{"Do": true, "Post": true}, map[string]bool{"Pay": true}
	for text, want := range map[string]bool{
		"":                              false,
		"c.Do(req)":                     true,
		"f := c.Do\n":                   true,
		"c.\n\t\tDo(req)":               true,
		"c.Done()":                      false,
		"c.PostForm(url)":               false,
		"c.x.Post(url)":                 true,
		"once.Do(func() {})":            false,
		"s.initOnce.Do(s.init)":         false,
		"group.Do(func() error {})":     false,
		"func Do() {}":                  false,
		"client.Pay(ctx)":               true,
		"client.Pay":                    true,
		"client.Payments":               false,
		"client.Pay(func() {})":         true,
		"x.Пау; client.Pay2; client.Do": true,
	} {
		if got := mentions([]byte(text), senders, carried); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
