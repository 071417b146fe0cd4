package kept

import "net/http"

// ping is one request that only reads.
func ping() error {
	resp, err := http.Get("https://pay.example/status")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
