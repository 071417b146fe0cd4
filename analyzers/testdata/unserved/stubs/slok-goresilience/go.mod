module github.com/slok/goresilience

go 1.26.0
