package policy_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"

	"github.com/resilint/resilint/policy"
)

// What a successful call costs: alone, behind failsafe-go's same four policies,
// and behind ours.
//
//	go test -run '^$' -bench Call -benchmem -count 6
//
// A call of ours may cost at most 1.5 times failsafe-go's.
func BenchmarkCall(b *testing.B) {
	ours, err := policy.New(policy.Settings{System: "bench", Bulkhead: 64, Writes: promise})
	if err != nil {
		b.Fatal(err)
	}
	bare := bareFailsafe()
	key := policy.NewKey()
	fn := func(context.Context) (int, error) { return 1, nil }
	for _, call := range []struct {
		name string
		run  func(context.Context) (int, error)
	}{
		{"function", fn},
		{"failsafe", func(ctx context.Context) (int, error) {
			return bare.WithContext(ctx).GetWithExecution(func(exec failsafe.Execution[int]) (int, error) { return fn(exec.Context()) })
		}},
		{"Read", func(ctx context.Context) (int, error) { return policy.Read(ctx, ours, fn) }},
		{"Keyed", func(ctx context.Context) (int, error) {
			return policy.Keyed(ctx, ours, key, func(ctx context.Context, _ policy.Key) (int, error) { return fn(ctx) })
		}},
		{"NoRetry", func(ctx context.Context) (int, error) { return policy.NoRetry(ctx, ours, fn) }},
	} {
		b.Run(call.name+"/alone", func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				if _, err := call.run(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(call.name+"/goroutines=8", func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
			b.RunParallel(func(pb *testing.PB) {
				ctx := context.Background()
				for pb.Next() {
					if _, err := call.run(ctx); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

func bareFailsafe() failsafe.Executor[int] {
	return failsafe.With[int](
		retrypolicy.NewBuilder[int]().
			WithMaxAttempts(3).
			HandleIf(func(_ int, err error) bool { return policy.IsTransient(err) }).
			WithBackoff(500*time.Millisecond, 4*time.Second).
			WithJitterFactor(0.25).
			Build(),
		circuitbreaker.NewBuilder[int]().WithFailureThresholdRatio(25, 50).WithSuccessThreshold(1).WithDelay(30*time.Second).Build(),
		bulkhead.New[int](64),
		timeout.New[int](5*time.Second),
	)
}
