package policygrpc_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/resilint/resilint/policy"
	"github.com/resilint/resilint/policy/policygrpc"
)

// TestMain registers what generated code would: a service with one method of each
// idempotency level.
func TestMain(m *testing.M) {
	method := func(name string, level descriptorpb.MethodOptions_IdempotencyLevel) *descriptorpb.MethodDescriptorProto {
		return &descriptorpb.MethodDescriptorProto{
			Name: &name, InputType: proto.String(".google.protobuf.Empty"), OutputType: proto.String(".google.protobuf.StringValue"),
			Options: &descriptorpb.MethodOptions{IdempotencyLevel: &level},
		}
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("bank.proto"), Package: proto.String("bank.v1"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/empty.proto", "google/protobuf/wrappers.proto"},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: proto.String("Payments"), Method: []*descriptorpb.MethodDescriptorProto{
			method("Get", descriptorpb.MethodOptions_NO_SIDE_EFFECTS),
			method("Put", descriptorpb.MethodOptions_IDEMPOTENT),
			method("Pay", descriptorpb.MethodOptions_IDEMPOTENCY_UNKNOWN),
		}}},
	}, protoregistry.GlobalFiles)
	if err == nil {
		err = protoregistry.GlobalFiles.RegisterFile(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// bank answers every call with what answer says, and remembers the keys.
type bank struct {
	answer func(ctx context.Context, n int) error
	mu     sync.Mutex
	keys   []string
	left   []time.Duration
}

func (b *bank) handle(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	if err := decode(new(emptypb.Empty)); err != nil {
		return nil, err
	}
	received, _ := metadata.FromIncomingContext(ctx)
	b.mu.Lock()
	b.keys = append(b.keys, fmt.Sprint(received.Get("idempotency-key")))
	if deadline, ok := ctx.Deadline(); ok {
		b.left = append(b.left, time.Until(deadline))
	}
	n := len(b.keys)
	b.mu.Unlock()
	if err := b.answer(ctx, n); err != nil {
		return nil, err
	}
	return wrapperspb.String("ref-7"), nil
}

func dial(t testing.TB, b *bank, interceptor grpc.UnaryClientInterceptor) *grpc.ClientConn {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	server := grpc.NewServer()
	var methods []grpc.MethodDesc
	for _, name := range []string{"Get", "Put", "Pay", "Find"} {
		methods = append(methods, grpc.MethodDesc{MethodName: name, Handler: b.handle})
	}
	server.RegisterService(&grpc.ServiceDesc{ServiceName: "bank.v1.Payments", HandlerType: (*any)(nil), Methods: methods}, b)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///bank",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableRetry(),
		grpc.WithUnaryInterceptor(interceptor))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func newPolicy(t testing.TB, change ...func(*policy.Settings)) *policy.Policy {
	t.Helper()
	s := policy.Settings{System: "bank", FirstPause: time.Millisecond, Writes: policy.Dedup{KeepsKeysFor: time.Hour, Contract: "test"}}
	for _, f := range change {
		f(&s)
	}
	p, err := policy.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func failing(code codes.Code) func(context.Context, int) error {
	return func(context.Context, int) error { return status.Error(code, "no luck") }
}

func TestWhatIsRepeated(t *testing.T) {
	key := policy.DeriveKey("test", "1")
	for _, test := range []struct {
		name, method string
		key          policy.Key
		promise      bool
		code         codes.Code
		want         int
		mayBeApplied bool
	}{
		{"read by declaration", "Get", policy.Key{}, true, codes.Unavailable, 3, false},
		{"read by name", "Find", policy.Key{}, true, codes.Unavailable, 3, false},
		{"write", "Pay", policy.Key{}, true, codes.Unavailable, 1, true},
		{"declared idempotent", "Put", policy.Key{}, true, codes.Unavailable, 1, true},
		{"keyed", "Pay", key, true, codes.Unavailable, 3, true},
		{"keyed, no promise", "Pay", key, false, codes.Unavailable, 1, true},
		{"deadline", "Get", policy.Key{}, true, codes.DeadlineExceeded, 3, false},
		{"permanent", "Get", policy.Key{}, true, codes.InvalidArgument, 1, false},
		{"internal", "Pay", key, true, codes.Internal, 1, true},
		{"refused write", "Pay", key, true, codes.FailedPrecondition, 1, false},
		{"exists", "Pay", key, true, codes.AlreadyExists, 1, true},
		{"canceled by the server", "Get", policy.Key{}, true, codes.Canceled, 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &bank{answer: failing(test.code)}
			p := newPolicy(t, func(s *policy.Settings) {
				if !test.promise {
					s.Writes = policy.Dedup{}
				}
			})
			conn := dial(t, b, policygrpc.UnaryClientInterceptor(p, "/bank.v1.Payments/Find"))
			ctx := t.Context()
			if !test.key.IsZero() {
				ctx = policygrpc.WithKey(ctx, p, test.key)
			}
			err := conn.Invoke(ctx, "/bank.v1.Payments/"+test.method, new(emptypb.Empty), new(wrapperspb.StringValue))
			if len(b.keys) != test.want || status.Code(err) != test.code || policy.MayBeApplied(err) != test.mayBeApplied {
				t.Errorf("sent %d times, code %v, may be applied %v (%v)\nwant %d, %v, %v", len(b.keys), status.Code(err), policy.MayBeApplied(err), err, test.want, test.code, test.mayBeApplied)
			}
			for _, sent := range b.keys {
				if want := fmt.Sprint([]string{test.key.String()}); !test.key.IsZero() && sent != want {
					t.Errorf("key %s, want %s", sent, want)
				}
			}
		})
	}
}

// The client itself makes RESOURCE_EXHAUSTED of an answer that is too large: the
// server has done its work by then.
func TestAnswerThatIsTooLarge(t *testing.T) {
	b := &bank{answer: func(context.Context, int) error { return nil }}
	conn := dial(t, b, policygrpc.UnaryClientInterceptor(newPolicy(t)))
	err := conn.Invoke(t.Context(), "/bank.v1.Payments/Pay", &emptypb.Empty{}, new(wrapperspb.StringValue), grpc.MaxCallRecvMsgSize(1))
	if status.Code(err) != codes.ResourceExhausted || !policy.MayBeApplied(err) {
		t.Errorf("%v, may be applied %v, want RESOURCE_EXHAUSTED that may be", err, policy.MayBeApplied(err))
	}
}

func TestSuccessAfterARestart(t *testing.T) {
	b := &bank{answer: func(_ context.Context, n int) error {
		if n < 3 {
			return status.Error(codes.Unavailable, "restarting")
		}
		return nil
	}}
	p := newPolicy(t)
	conn := dial(t, b, policygrpc.UnaryClientInterceptor(p))
	reply := new(wrapperspb.StringValue)
	if err := conn.Invoke(t.Context(), "/bank.v1.Payments/Get", new(emptypb.Empty), reply); err != nil || reply.Value != "ref-7" {
		t.Errorf("%v, %v", reply, err)
	}
}

// The server learns the attempt's time limit, and a hanging one is left in time.
func TestTimeLimit(t *testing.T) {
	b := &bank{answer: func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() }}
	p := newPolicy(t, func(s *policy.Settings) { s.Timeout = 100 * time.Millisecond })
	conn := dial(t, b, policygrpc.UnaryClientInterceptor(p))
	err := conn.Invoke(t.Context(), "/bank.v1.Payments/Get", new(emptypb.Empty), new(wrapperspb.StringValue))
	var exhausted *policy.ExhaustedError
	if !errors.As(err, &exhausted) || exhausted.Attempts != 3 || !errors.Is(err, policy.ErrTimeout) && status.Code(err) != codes.DeadlineExceeded {
		t.Errorf("%v, want three attempts that time out", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.left) != 3 {
		t.Fatalf("%d calls with a deadline, want 3", len(b.left))
	}
	for _, left := range b.left {
		if left > 100*time.Millisecond {
			t.Errorf("the server believes it has %v, want at most 100ms", left)
		}
	}
}

func TestBreakerOpens(t *testing.T) {
	b := &bank{answer: failing(codes.Unavailable)}
	p := newPolicy(t, func(s *policy.Settings) { s.Breaker = policy.Breaker{Calls: 2, FailureRatio: 1} })
	conn := dial(t, b, policygrpc.UnaryClientInterceptor(p))
	for range 5 {
		_ = conn.Invoke(t.Context(), "/bank.v1.Payments/Pay", new(emptypb.Empty), new(wrapperspb.StringValue))
	}
	err := conn.Invoke(t.Context(), "/bank.v1.Payments/Pay", new(emptypb.Empty), new(wrapperspb.StringValue))
	if len(b.keys) != 2 || !errors.Is(err, policy.ErrBreakerOpen) || policy.MayBeApplied(err) {
		t.Errorf("sent %d times, %v, want 2 and an open breaker", len(b.keys), err)
	}
}

func TestBadKeySendsNothing(t *testing.T) {
	b := &bank{answer: func(context.Context, int) error { return nil }}
	p := newPolicy(t)
	conn := dial(t, b, policygrpc.UnaryClientInterceptor(p))
	pay := func(ctx context.Context) error {
		return conn.Invoke(ctx, "/bank.v1.Payments/Pay", new(emptypb.Empty), new(wrapperspb.StringValue))
	}
	if err := pay(policygrpc.WithKey(t.Context(), p, policy.Key{})); !errors.Is(err, policy.ErrEmptyKey) {
		t.Errorf("empty: %v", err)
	}
	if err := pay(metadata.AppendToOutgoingContext(t.Context(), "idempotency-key", "a", "idempotency-key", "b")); err == nil {
		t.Error("two keys are accepted")
	}
	if err := pay(metadata.AppendToOutgoingContext(t.Context(), "idempotency-key", "a b")); err == nil {
		t.Error("a bad key is accepted")
	}
	if len(b.keys) != 0 {
		t.Errorf("sent %d times", len(b.keys))
	}
}

func TestWithKeyReplaces(t *testing.T) {
	p := newPolicy(t, func(s *policy.Settings) { s.Writes.Header = "X-Bank-Key" })
	ctx := metadata.AppendToOutgoingContext(t.Context(), "trace", "1")
	outer := policygrpc.WithKey(ctx, p, policy.DeriveKey("test", "1"))
	inner := policygrpc.WithKey(outer, p, policy.DeriveKey("test", "2"))
	for ctx, want := range map[context.Context]policy.Key{outer: policy.DeriveKey("test", "1"), inner: policy.DeriveKey("test", "2")} {
		sent, _ := metadata.FromOutgoingContext(ctx)
		if got := sent.Get("x-bank-key"); len(got) != 1 || got[0] != want.String() || len(sent.Get("trace")) != 1 {
			t.Errorf("metadata %v, want key %s", sent, want)
		}
	}
}

func ExampleUnaryClientInterceptor() {
	p, err := policy.New(policy.Settings{
		System:     "bank",
		FirstPause: time.Millisecond, // half a second in earnest
		Writes:     policy.Dedup{KeepsKeysFor: 24 * time.Hour, Contract: "bank.v1 README, Idempotency"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	conn, err := grpc.NewClient("passthrough:///bank.example:443",
		grpc.WithTransportCredentials(insecure.NewCredentials()), // TLS in earnest
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return nil, syscall.ECONNREFUSED }),
		grpc.WithDisableRetry(),
		grpc.WithUnaryInterceptor(policygrpc.UnaryClientInterceptor(p)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	// What generated code does: client.Pay(ctx, payment).
	pay := func(ctx context.Context) error {
		return conn.Invoke(ctx, "/bank.v1.Payments/Pay", new(emptypb.Empty), new(wrapperspb.StringValue))
	}
	var exhausted *policy.ExhaustedError
	if err := pay(context.Background()); errors.As(err, &exhausted) {
		fmt.Println("without a key:", exhausted.Attempts)
	}
	if err := pay(policygrpc.WithKey(context.Background(), p, policy.DeriveKey("order", "17"))); errors.As(err, &exhausted) {
		fmt.Println("with a key:", exhausted.Attempts)
	}
	// Output:
	// without a key: 1
	// with a key: 3
}

func ExampleWithKey() {
	p, _ := policy.New(policy.Settings{System: "bank"})
	ctx := policygrpc.WithKey(context.Background(), p, policy.DeriveKey("shop/pay", "order-42"))
	sent, _ := metadata.FromOutgoingContext(ctx)
	fmt.Println(sent.Get("idempotency-key"))
	// Output: [c31568e0-5d8a-5ddc-81e0-3717f56ff477]
}
