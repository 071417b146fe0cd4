// Package grequests has the signatures of github.com/levigross/grequests.
package grequests

type RequestOptions struct {
	JSON    interface{}
	Headers map[string]string
}

type Response struct{ Ok bool }

func Get(url string, ro *RequestOptions) (*Response, error) { panic("a stub") }

func Post(url string, ro *RequestOptions) (*Response, error) { panic("a stub") }
