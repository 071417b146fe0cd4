// Package orders imports nothing that sends but its own module.
package orders

import (
	"context"

	"client.test/client"
)

type API struct{ Client *client.Client }

func (a *API) Place(ctx context.Context) error { return a.Client.Do(ctx, "POST", "/orders", nil, "") }

func (a *API) List(ctx context.Context) error { return a.Client.Do(ctx, "GET", "/orders", nil, "") }
