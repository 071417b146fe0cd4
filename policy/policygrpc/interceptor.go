// Package policygrpc sends unary gRPC calls through a policy.
//
// A method says by itself whether it may be repeated: one that is declared
// without side effects reads,
//
//	rpc GetPayment(GetPaymentRequest) returns (Payment) {
//	  option idempotency_level = NO_SIDE_EFFECTS;
//	}
//
// and a call that carries an idempotency key (WithKey) repeats when the system has
// promised to recognise it (policy.Settings.Writes). Any other call is sent once,
// behind breaker, bulkhead and timeout; so is a method declared IDEMPOTENT, since
// that is the word of whoever wrote the declaration, not the system's written
// promise.
//
// Transient are UNAVAILABLE, and DEADLINE_EXCEEDED while the caller still has
// time. The attempt's time limit travels to the server as its deadline.
//
// Streams are not intercepted: what has been received can't be taken back. Dial
// with grpc.WithDisableRetry, or a retryPolicy in the service config multiplies
// the attempts out of the breaker's sight; grpc-go's transparent retries, of calls
// that never left or that the server has not looked at, stay, and are harmless.
package policygrpc

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/resilint/resilint/policy"
)

// UnaryClientInterceptor returns an interceptor for connections to the system that
// p protects. Reads are full names (/bank.v1.Payments/GetPayment) of further
// methods without side effects, for declarations that are not yours to change.
//
// Its errors are those of policy.Read; status.FromError and status.Code see the
// last attempt's status through them. It is safe for concurrent use.
func UnaryClientInterceptor(p *policy.Policy, reads ...string) grpc.UnaryClientInterceptor {
	reads = slices.Clone(reads)
	header := metadataKey(p)
	return func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		attempt := func(ctx context.Context) (struct{}, error) {
			return struct{}{}, judge(invoke(ctx, method, req, reply, conn, opts...))
		}
		if slices.Contains(reads, method) || declaredRead(method) {
			_, err := policy.Read(ctx, p, attempt)
			return err
		}
		sent, _ := metadata.FromOutgoingContext(ctx)
		switch values := sent.Get(header); len(values) {
		case 0:
			_, err := policy.NoRetry(ctx, p, attempt)
			return err
		case 1:
			return keyed(ctx, p, values[0], attempt)
		default:
			return refuseKey(p, errSeveralKeys)
		}
	}
}

// WithKey returns a context whose calls carry the key, in the metadata that
// p's Settings.Writes name (idempotency-key by default). It replaces another key.
// An empty key makes the call fail with policy.ErrEmptyKey before it is sent.
func WithKey(ctx context.Context, p *policy.Policy, key policy.Key) context.Context {
	sent, _ := metadata.FromOutgoingContext(ctx) // a copy
	if sent == nil {
		sent = metadata.MD{}
	}
	sent.Set(metadataKey(p), key.String())
	return metadata.NewOutgoingContext(ctx, sent)
}

func metadataKey(p *policy.Policy) string { return strings.ToLower(p.Settings().Writes.Header) }

func keyed(ctx context.Context, p *policy.Policy, text string, attempt func(context.Context) (struct{}, error)) error {
	key, err := policy.ParseKey(text)
	if err != nil {
		return refuseKey(p, err)
	}
	_, err = policy.Keyed(ctx, p, key, func(ctx context.Context, _ policy.Key) (struct{}, error) { return attempt(ctx) })
	return err
}

// declaredRead looks the method up among the generated code that is linked in.
func declaredRead(method string) bool {
	name := strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return false
	}
	declared, ok := found.(protoreflect.MethodDescriptor)
	if !ok {
		return false
	}
	options, ok := declared.Options().(*descriptorpb.MethodOptions)
	return ok && options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
}
