// Package failsafev06 keeps the builders that failsafe-go had before v0.7.0
// among the requirements of this module, so that tests can read their types.
package failsafev06

import (
	_ "github.com/failsafe-go/failsafe-go/bulkhead"
	_ "github.com/failsafe-go/failsafe-go/circuitbreaker"
	_ "github.com/failsafe-go/failsafe-go/failsafehttp"
	_ "github.com/failsafe-go/failsafe-go/fallback"
	_ "github.com/failsafe-go/failsafe-go/hedgepolicy"
	_ "github.com/failsafe-go/failsafe-go/retrypolicy"
	_ "github.com/failsafe-go/failsafe-go/timeout"
)
