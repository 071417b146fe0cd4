// Package docs holds the documentation. Its tests see to it that what the
// documentation shows is what the tool does.
package docs

//go:generate go run ./internal/gendocs
