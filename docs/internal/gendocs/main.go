// Command gendocs writes the pages of the documentation that follow from the
// code, below the current directory.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/resilint/resilint/docs/internal/pages"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gendocs: ")
	all, err := pages.All()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range all {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
