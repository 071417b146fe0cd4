// Package failsafev08 keeps the executor that failsafe-go had before v0.9.0
// among the requirements of this module, so that tests can read their types.
package failsafev08

import (
	_ "github.com/failsafe-go/failsafe-go"
)
