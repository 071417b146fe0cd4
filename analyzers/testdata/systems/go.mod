module github.com/resilint/resilint/analyzers/testdata/systems

go 1.26.0

require (
	github.com/avast/retry-go/v4 v4.7.0
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/google/uuid v1.6.0
)

require github.com/bits-and-blooms/bitset v1.24.4 // indirect
