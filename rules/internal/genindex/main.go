// Command genindex writes index.go: which file of the catalogue speaks of
// which import path. With it a driver learns that a package uses no modelled
// library without parsing any of the files.
package main

import (
	"log"
	"os"

	"github.com/resilint/resilint/rules/internal/index"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("genindex: ")
	src, err := index.Generate(os.DirFS("."))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("index.go", src, 0o644); err != nil {
		log.Fatal(err)
	}
}
