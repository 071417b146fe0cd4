module github.com/resilint/resilint/policy

go 1.26.0

require (
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/google/uuid v1.6.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/net v0.61.0 // indirect
	google.golang.org/grpc v1.85.0 // indirect
)
