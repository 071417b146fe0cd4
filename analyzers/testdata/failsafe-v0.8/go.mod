module github.com/resilint/resilint/analyzers/testdata/failsafe-v0.8

go 1.26.0

require github.com/failsafe-go/failsafe-go v0.8.0

require github.com/bits-and-blooms/bitset v1.20.0 // indirect
