// Package k8s keeps the Kubernetes packages that the models describe
// among the requirements of this module, so that tests can read their types.
package k8s

import (
	_ "k8s.io/apimachinery/pkg/util/wait"
	_ "k8s.io/client-go/util/retry"
)
