// Package tokens has calls of an SDK that are given tokens, with a maker of such.
package tokens

import (
	"github.com/baidubce/bce-sdk-go/services/eni"
	"github.com/baidubce/bce-sdk-go/util"
	giantswarm "github.com/giantswarm/retry-go"
)

func buildClientToken() string { return util.NewUUID() }

func with(c *eni.Client, do func(*eni.Client) error) error { return do(c) }

func attach(c *eni.Client, id string) error {
	return giantswarm.Do(func() error { // want "X1: each of 3 attempts of eni.Client.AttachEniInstance gets another ClientToken: util.NewUUID" "X3: 3 attempts without" // site "attempts=3"
		return with(c, func(c *eni.Client) error {
			return c.AttachEniInstance(&eni.EniInstance{EniId: id, ClientToken: buildClientToken()})
		})
	}, giantswarm.MaxTries(3))
}

func detach(c *eni.Client, id string) error {
	return giantswarm.Do(func() error { // want "X3: 3 attempts without" // site "attempts=3"
		return c.DetachEniInstance(&eni.EniInstance{EniId: id, ClientToken: buildClientToken()})
	}, giantswarm.MaxTries(3))
}

func attachOnce(c *eni.Client, id string) error {
	args := &eni.EniInstance{EniId: id, ClientToken: buildClientToken()}
	return giantswarm.Do(func() error { return c.AttachEniInstance(args) }, giantswarm.MaxTries(3)) // want "X1: the ClientToken of eni.Client.AttachEniInstance is made by the call that retries" "X3: 3 attempts without" // site "attempts=3"
}
