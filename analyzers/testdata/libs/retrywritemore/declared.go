package retrywritemore

import (
	"net/http"

	"github.com/avast/retry-go/v4"

	"github.com/resilint/resilint/analyzers/testdata/libs/retrywritemore/ports"
)

// searchByPost asks by POST, as many search APIs want it.
//
//resilint:read it only searches
func searchByPost(c *http.Client) error {
	_, err := c.Post("https://pay.example/search", "", nil)
	return err
}

// archiveOnce may be repeated.
//
//resilint:idempotent what is archived stays archived
func archiveOnce(c *http.Client) error {
	_, err := c.Post("https://pay.example/archive", "", nil)
	return err
}

// payWithoutReason may not: nobody says why it could.
//
/* want "^resilint: //resilint:idempotent gives no reason" */ //resilint:idempotent
func payWithoutReason(c *http.Client) error {
	_, err := c.Post("https://pay.example/payments", "", nil)
	return err
}

// tidyUp removes what is left over.
//
//resilint:idempotent a second DELETE finds nothing
func tidyUp(c *http.Client) error {
	req, err := http.NewRequest("DELETE", "https://pay.example/leftovers", nil)
	if err != nil {
		return err
	}
	_, err = c.Do(req)
	return err
}

func declaredRead(c *http.Client) error {
	return retry.Do(func() error { return searchByPost(c) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

func declaredIdempotent(c *http.Client) error {
	return retry.Do(func() error { return archiveOnce(c) }, retry.Attempts(3)) // site "attempts=3 effect=keyed"
}

func declaredIdempotentDelete(c *http.Client) error {
	return retry.Do(func() error { return tidyUp(c) }, retry.Attempts(3)) // site "attempts=3 effect=keyed"
}

func declaredWithoutReason(c *http.Client) error {
	return retry.Do(func() error { return payWithoutReason(c) }, retry.Attempts(3)) // want "X1: POST /payments may be applied up to 3 times" // site "attempts=3 effect=write"
}

func declaredBesideAWrite(c *http.Client) error {
	return retry.Do(func() error { // want "X1: POST /orders may be applied up to 3 times" // site "attempts=3 effect=mixed"
		if err := searchByPost(c); err != nil {
			return err
		}
		_, err := c.Post("https://pay.example/orders", "", nil)
		return err
	}, retry.Attempts(3))
}

func declaredReadElsewhere(c *http.Client) error {
	return retry.Do(func() error { return ports.Report(c) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

func declaredIdempotentElsewhere(c *http.Client) error {
	return retry.Do(func() error { return ports.Close(c) }, retry.Attempts(3)) // site "attempts=3 effect=keyed"
}

// quoteBroker is the only implementation of the interface.
type quoteBroker struct{}

func (quoteBroker) Price(c *http.Client) error {
	_, err := c.Post("https://pay.example/prices", "", nil)
	return err
}

func (quoteBroker) Order(c *http.Client) error {
	_, err := c.Post("https://pay.example/orders", "", nil)
	return err
}

func declaredMethodOfAnInterface(c *http.Client, q ports.Quotes) error {
	return retry.Do(func() error { return q.Price(c) }, retry.Attempts(3)) // site "attempts=3 effect=read"
}

func methodNextToADeclaredOne(c *http.Client, q ports.Quotes) error {
	return retry.Do(func() error { return q.Order(c) }, retry.Attempts(3)) // want "X1: POST /orders may be applied up to 3 times" // site "attempts=3 effect=write"
}

/* want "^resilint: //resilint:read says something of the function that it documents" */ //resilint:read nothing
var nothing = 1
