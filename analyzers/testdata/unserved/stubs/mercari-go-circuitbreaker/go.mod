module github.com/mercari/go-circuitbreaker

go 1.26.0
