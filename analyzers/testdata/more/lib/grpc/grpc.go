// Package grpc has connections that send again by themselves.
package grpc

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	retryv1 "github.com/grpc-ecosystem/go-grpc-middleware/retry"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
)

const config = `{
	"loadBalancingConfig": [{"round_robin": {}}],
	"methodConfig": [{
		"name": [{"service": ""}],
		"retryPolicy": {
			"maxAttempts": 5,
			"initialBackoff": "0.1s",
			"maxBackoff": "5s",
			"backoffMultiplier": 2.0,
			"retryableStatusCodes": ["UNAVAILABLE", "UNKNOWN"]
		}
	}]
}`

func byConstant(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(config)) // site "attempts=5 backoff=exponential+jitter sleep=1.8s mechanism=builtin"
}

// No more than 5 attempts are made, whatever is asked for.
const many = 40

func byFormat(target, service string) (*grpc.ClientConn, error) {
	text := fmt.Sprintf(`{"methodConfig": [{"name": [{"service": %q}], "retryPolicy": {"maxAttempts": %d, "initialBackoff": "%s", "maxBackoff": "30s", "backoffMultiplier": 4, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`, "pay.Payments", many, "2s")
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(text)) // want "RE-4: waits up to 1m24s in memory" // site "attempts=5 sleep=1m24s"
}

const policy = `{"maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]}`

func byParts(target string) (*grpc.ClientConn, error) {
	var opts []grpc.DialOption
	opts = append(opts, grpc.WithDefaultServiceConfig(`{"methodConfig": [{"name": [{}], "retryPolicy": `+policy+`}]}`)) // want "X3: 3 attempts up to 1.2s apart" // site "attempts=3 sleep=2.4s"
	return grpc.NewClient(target, opts...)
}

// Each service has a policy of its own.
func several(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(`{"methodConfig": [`+ // site "attempts=3-5 sleep=2.4s"
		`{"name": [{"service": "a"}], "retryPolicy": `+policy+`},`+
		`{"name": [{"service": "b"}], "timeout": "3s"},`+
		`{"name": [{"service": "c"}], "retryPolicy": {"maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["ABORTED"]}}]}`))
}

func onlyBalances(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`)) // nosite
}

func fromTheEnvironment(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(os.Getenv("SERVICE_CONFIG"))) // nosite
}

func broken(target string) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, grpc.WithDefaultServiceConfig(`{"methodConfig": [{"retryPolicy"`)) // nosite
}

func constant(target string) (*grpc.ClientConn, error) {
	opts := []retryv1.CallOption{
		retryv1.WithBackoff(retryv1.BackoffLinear(100 * time.Millisecond)),
		retryv1.WithCodes(codes.NotFound, codes.Aborted),
		retryv1.WithMax(3),
	}
	return grpc.DialContext(context.Background(), target,
		grpc.WithUnaryInterceptor(retryv1.UnaryClientInterceptor(opts...)), // want "X3: 3 attempts a constant 100ms apart" // site "attempts=3 backoff=constant sleep=200ms"
	)
}

func ownWaits() grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(retryv1.UnaryClientInterceptor( // want "RE-3: 6 attempts; at most 5" // site "attempts=6 backoff=unknown"
		retryv1.WithMax(6),
		retryv1.WithBackoff(func(attempt uint) time.Duration {
			return 60 * time.Millisecond * time.Duration(math.Pow(3, float64(attempt)))
		}),
		retryv1.WithCodes(codes.Unavailable),
	))
}

func growing() grpc.StreamClientInterceptor {
	return retryv1.StreamClientInterceptor(retryv1.WithMax(4), retryv1.WithBackoff(retryv1.BackoffExponential(time.Second))) // want "RE-2: exponential without jitter" // site "attempts=4 backoff=exponential sleep=7s"
}

func bounded() grpc.UnaryClientInterceptor {
	return retry.UnaryClientInterceptor( // site "attempts=3 backoff=exponential+jitter sleep=3.6s"
		retry.WithMax(3), retry.WithPerRetryTimeout(time.Second),
		retry.WithBackoff(retry.BackoffExponentialWithJitterBounded(time.Second, 0.2, 10*time.Second)),
	)
}

func theDefaults() grpc.UnaryClientInterceptor {
	return retry.UnaryClientInterceptor(retry.WithMax(3)) // want "X3: 3 attempts up to 55ms apart, with jitter but without growth" // site "attempts=3 backoff=constant+jitter sleep=110ms"
}

func disabled() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(retry.UnaryClientInterceptor()),                                    // nosite
		grpc.WithChainStreamInterceptor(retry.StreamClientInterceptor(retry.WithMax(9), retry.Disable())), // nosite
		grpc.WithChainUnaryInterceptor(retryv1.UnaryClientInterceptor(retryv1.WithMax(1))),                // nosite
	}
}

func asConfigured(n uint) grpc.UnaryClientInterceptor {
	return retry.UnaryClientInterceptor(retry.WithMax(n)) // nosite
}
