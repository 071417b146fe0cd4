package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/resilint/resilint/rules/internal/index"
)

func TestIndexIsCurrent(t *testing.T) {
	want, err := index.Generate(Models())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("index.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("index.go is not what the models say: run go generate ./rules")
	}
}

func TestModelIndexIsACopy(t *testing.T) {
	for path := range ModelIndex() {
		clone := ModelIndex()
		delete(clone, path)
		if ModelIndex()[path] == "" {
			t.Fatal("a caller can change the table")
		}
		return
	}
	t.Error("the table is empty")
}

// An embedded file that is not on disk, or the reverse, would make the table
// and the catalogue differ between a build and go generate.
func TestModelsAreEmbedded(t *testing.T) {
	names, err := filepath.Glob("models/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := Models().Open(filepath.ToSlash(name))
		if err != nil {
			t.Error(err)
			continue
		}
		f.Close()
	}
}
