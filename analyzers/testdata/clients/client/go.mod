module client.test/client

go 1.26.0
