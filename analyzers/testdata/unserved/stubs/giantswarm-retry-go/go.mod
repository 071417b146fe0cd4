module github.com/giantswarm/retry-go

go 1.26.0
