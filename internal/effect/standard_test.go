package effect

import "testing"

func TestStaysInside(t *testing.T) {
	for path, want := range map[string]bool{
		"strings": true, "encoding/json": true, "os": true, "go/ast": true,
		"syscall": true, "internal/poll": true, "golang.org/x/sys/unix": true,
		"net/http": false, "os/exec": false, "database/sql": false,
		"shop/internal/bank": false, "m.test/strings": false, "stringsutil": false,
	} {
		if got := StaysInside(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
