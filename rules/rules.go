// Package rules holds what resilint knows as data: the models of retry,
// backoff and breaker libraries.
package rules

import (
	"embed"
	"io/fs"
)

//go:generate go run ./internal/genindex

//go:embed models/*.yaml models/effects/*.yaml models/terms/*.yaml
var models embed.FS

// Models returns the catalogue, one file per family of libraries, with names
// like models/x.yaml.
func Models() fs.FS { return models }
