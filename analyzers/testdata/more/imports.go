// Package more keeps those libraries among the requirements of this module whose
// own requirements are many, so that tests can read their types.
package more

import (
	_ "github.com/ThreeDotsLabs/watermill/message/router/middleware"
	_ "github.com/googleapis/gax-go/v2"
	_ "github.com/grafana/dskit/backoff"
	_ "github.com/grpc-ecosystem/go-grpc-middleware/retry"
	_ "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
	_ "github.com/hashicorp/terraform-plugin-sdk/v2/helper/id"
	_ "github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
	_ "github.com/zeromicro/go-zero/core/breaker"
	_ "github.com/zeromicro/go-zero/core/fx"
	_ "google.golang.org/grpc"
)
