module github.com/ybbus/httpretry

go 1.26.0
