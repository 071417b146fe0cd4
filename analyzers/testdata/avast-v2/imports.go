// Package avastv2 keeps retry-go as it was before v3 among the requirements of
// this module, so that tests can read its types.
package avastv2

import _ "github.com/avast/retry-go"
