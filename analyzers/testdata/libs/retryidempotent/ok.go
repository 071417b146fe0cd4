package retryidempotent

import (
	"net/http"

	"github.com/avast/retry-go/v4"
)

func look(id string) error {
	return retry.Do(func() error { // site "attempts=3"
		return send(http.MethodHead, "https://bank.example/cards/"+id)
	}, retry.Attempts(3))
}

func removeOnce(id string) error {
	return send(http.MethodDelete, "https://bank.example/cards/"+id)
}
