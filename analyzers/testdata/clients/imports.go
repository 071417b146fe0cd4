// Package clients keeps the library that the models describe among the
// requirements of this module, so that tests can read its types.
package clients

import (
	_ "github.com/avast/retry-go/v4"
	_ "github.com/go-openapi/runtime"
)
