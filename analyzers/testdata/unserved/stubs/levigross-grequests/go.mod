module github.com/levigross/grequests

go 1.26.0
