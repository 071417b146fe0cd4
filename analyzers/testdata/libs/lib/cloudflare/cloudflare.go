// Package cloudflare has a loop that takes its waits from cloudflare/backoff.
package cloudflare

import (
	"net/http"
	"time"

	"github.com/cloudflare/backoff"
)

func watch(done <-chan struct{}) {
	b := backoff.New(time.Minute, time.Second)
	for {
		resp, err := http.Get("https://pay.example/events")
		if err == nil {
			resp.Body.Close()
			b.Reset()
			continue
		}
		select {
		case <-done:
			return
		case <-time.After(b.Duration()): // nosite
		}
	}
}
