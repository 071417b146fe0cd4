package tasktable

import _ "embed"

//go:embed order_confirmation_task.sql
var schema string

// Schema is the migration that makes the table and its index.
func Schema() string { return schema }
