// Package eni has the signatures of bce-sdk-go/services/eni.
package eni

type Client struct{}

type EniInstance struct{ ClientToken, EniId string }

func (c *Client) AttachEniInstance(args *EniInstance) error { panic("a stub") }
func (c *Client) DetachEniInstance(args *EniInstance) error { panic("a stub") }
