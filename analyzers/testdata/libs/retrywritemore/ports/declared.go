package ports

import "net/http"

// Quotes asks for prices.
type Quotes interface {
	// Price asks for one.
	//
	//resilint:read the provider prices what it is sent, and keeps nothing
	Price(c *http.Client) error
	// Order places an order.
	Order(c *http.Client) error
}

// Report asks for a report, by POST since its filter is long.
//
//resilint:read reports are made for the answer alone
func Report(c *http.Client) error {
	_, err := c.Post("https://pay.example/reports", "", nil)
	return err
}

// Close closes an account.
//
//resilint:idempotent closing a closed account changes nothing
func Close(c *http.Client) error {
	_, err := c.Post("https://pay.example/accounts/close", "", nil)
	return err
}
