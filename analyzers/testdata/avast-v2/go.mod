module github.com/resilint/resilint/analyzers/testdata/avast-v2

go 1.26.0

require github.com/avast/retry-go v2.4.3+incompatible

require github.com/stretchr/testify v1.12.1 // indirect
