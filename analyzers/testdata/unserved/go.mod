module github.com/resilint/resilint/analyzers/testdata/unserved

go 1.26.0

require (
	github.com/baidubce/bce-sdk-go v0.9.269
	github.com/cep21/circuit/v4 v4.2.0
	github.com/flowchartsman/retry v1.0.0
	github.com/giantswarm/retry-go v1.0.0
	github.com/imroc/req/v3 v3.0.0
	github.com/kamilsk/retry/v4 v4.8.0
	github.com/kamilsk/retry/v5 v5.0.0
	github.com/levigross/grequests v1.0.0
	github.com/mercari/go-circuitbreaker v1.0.0
	github.com/slok/goresilience v1.0.0
	github.com/ybbus/httpretry v1.0.0
)

// The module proxy refuses these: what stands in for them has signatures alone.
replace (
	github.com/baidubce/bce-sdk-go => ./stubs/baidubce-bce-sdk-go
	github.com/cep21/circuit/v4 => ./stubs/cep21-circuit-v4
	github.com/flowchartsman/retry => ./stubs/flowchartsman-retry
	github.com/giantswarm/retry-go => ./stubs/giantswarm-retry-go
	github.com/imroc/req/v3 => ./stubs/imroc-req
	github.com/kamilsk/retry/v4 => ./stubs/kamilsk-retry-v4
	github.com/kamilsk/retry/v5 => ./stubs/kamilsk-retry-v5
	github.com/levigross/grequests => ./stubs/levigross-grequests
	github.com/mercari/go-circuitbreaker => ./stubs/mercari-go-circuitbreaker
	github.com/slok/goresilience => ./stubs/slok-goresilience
	github.com/ybbus/httpretry => ./stubs/ybbus-httpretry
)
