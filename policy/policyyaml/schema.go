package policyyaml

import _ "embed"

//go:embed schema.json
var schema string

// Schema returns the JSON schema of the file (draft 2020-12), for editors and
// checks before a rollout. It knows types and single limits; windows, which
// depend on several keys, are checked by Load.
func Schema() string { return schema }
