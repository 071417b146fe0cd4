module github.com/cep21/circuit/v4

go 1.26.0
