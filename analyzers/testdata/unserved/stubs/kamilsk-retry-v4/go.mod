module github.com/kamilsk/retry/v4

go 1.26.0
