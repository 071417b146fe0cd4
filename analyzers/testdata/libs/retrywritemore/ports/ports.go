// Package ports has an interface whose one implementation is elsewhere.
package ports

import "context"

// Payments is what the domain asks of a payment system.
type Payments interface {
	Capture(ctx context.Context, id string) error
	Status(ctx context.Context, id string) error
	CaptureOnce(ctx context.Context, id, key string) error
}
