module github.com/flowchartsman/retry

go 1.26.0
