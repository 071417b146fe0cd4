module github.com/baidubce/bce-sdk-go

go 1.26.0
