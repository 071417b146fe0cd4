package baseline

import "testing"

func TestOwners(t *testing.T) {
	owners := parseOwners(`
# the last line that matches counts
*            @all
*.go         @go   # whoever writes it
/pay/        @pay @bank
docs/*       @docs
**/legacy/   @old
apps/**/api  @api
/pay/free/
with\ space/ @space

[Section][2] @section
/infra/
^[Optional]
/tools/x?.sh @tools
`)
	for _, try := range [][2]string{
		{"README.md", "@all"},
		{"a/b/c.go", "@go"},
		{"pay/deep/c.go", "@pay @bank"},
		{"svc/pay/c.txt", "@all"},
		{"docs/a.md", "@docs"},
		{"docs/a/b.md", "@all"},
		{"x/legacy/y/z.go", "@old"},
		{"legacy/z.go", "@old"},
		{"apps/one/two/api/x.go", "@api"},
		{"apps/api", "@api"},
		{"pay/free/x.go", ""},
		{"with space/x.go", "@space"},
		{"infra/x.go", "@section"},
		{"tools/x1.sh", "@tools"},
		{"tools/x12.sh", "@all"},
	} {
		if got := owners.Of(try[0]); got != try[1] {
			t.Errorf("%s is owned by %q, want %q", try[0], got, try[1])
		}
	}
	if got := (Owners{}).Of("x"); got != "" {
		t.Errorf("nobody is %q", got)
	}
}
