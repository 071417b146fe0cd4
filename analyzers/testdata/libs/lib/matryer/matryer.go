// Package matryer has operations of matryer/try, which count by themselves.
package matryer

import (
	"net/http"
	"strings"
	"time"

	"github.com/matryer/try"
)

func pay() error {
	return try.Do(func(attempt int) (bool, error) { // want "X1: POST /payments may be applied" // site "attempts=unknown backoff=unknown"
		resp, err := http.Post("https://pay.example/payments", "application/json", strings.NewReader("{}"))
		if err != nil {
			time.Sleep(time.Second)
			return attempt < 3, err
		}
		return false, resp.Body.Close()
	})
}

func status() error {
	return try.Do(func(attempt int) (bool, error) { // site "attempts=unknown backoff=unknown"
		resp, err := http.Get("https://pay.example/status")
		if err != nil {
			time.Sleep(time.Duration(attempt) * time.Second)
			return attempt < 3, err
		}
		return false, resp.Body.Close()
	})
}
