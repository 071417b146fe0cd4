module github.com/resilint/resilint/policy/policyyaml

go 1.26.0

require (
	github.com/resilint/resilint/policy v0.0.0
	go.yaml.in/yaml/v3 v3.0.6
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/failsafe-go/failsafe-go v0.9.8 // indirect
	github.com/google/uuid v1.6.0 // indirect
)

replace github.com/resilint/resilint/policy => ../
