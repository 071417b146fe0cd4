module github.com/resilint/resilint/analyzers/testdata/failsafe-v0.6

go 1.26.0

require github.com/failsafe-go/failsafe-go v0.6.9

require github.com/bits-and-blooms/bitset v1.14.3 // indirect
