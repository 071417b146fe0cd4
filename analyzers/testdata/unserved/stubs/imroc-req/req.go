// Package req has the signatures of github.com/imroc/req/v3.
package req

import (
	"context"
	"time"
)

type Client struct{ _ int }

type Request struct {
	Method, RawURL string
}

type Response struct {
	Request *Request
	Err     error
}

type RetryConditionFunc func(resp *Response, err error) bool

func C() *Client { panic("a stub") }

func (c *Client) R() *Request { panic("a stub") }

func (c *Client) Get(url ...string) *Request { panic("a stub") }

func (c *Client) Post(url ...string) *Request { panic("a stub") }

func (c *Client) SetTimeout(d time.Duration) *Client { panic("a stub") }

func (c *Client) SetBaseURL(u string) *Client { panic("a stub") }

func (c *Client) SetCommonRetryCount(count int) *Client { panic("a stub") }

func (c *Client) SetCommonRetryBackoffInterval(min, max time.Duration) *Client { panic("a stub") }

func (c *Client) SetCommonRetryFixedInterval(interval time.Duration) *Client { panic("a stub") }

func (c *Client) SetCommonRetryCondition(condition RetryConditionFunc) *Client { panic("a stub") }

func (r *Request) SetRetryCount(count int) *Request { panic("a stub") }

func (r *Request) SetRetryBackoffInterval(min, max time.Duration) *Request { panic("a stub") }

func (r *Request) SetHeader(key, value string) *Request { panic("a stub") }

func (r *Request) SetBody(body any) *Request { panic("a stub") }

func (r *Request) SetContext(ctx context.Context) *Request { panic("a stub") }

func (r *Request) Get(url string) (*Response, error) { panic("a stub") }

func (r *Request) Post(url string) (*Response, error) { panic("a stub") }

func (r *Request) Do(ctx ...context.Context) *Response { panic("a stub") }
