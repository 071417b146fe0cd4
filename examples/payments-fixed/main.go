// Command payments is the payment service of examples/payments with retries
// that do no harm on a bad day: few attempts with growing, random pauses, around
// a circuit breaker, and writes that carry a key or are sent once.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/resilint/resilint/examples/payments-fixed/customer"
	"github.com/resilint/resilint/examples/payments-fixed/notify"
	"github.com/resilint/resilint/examples/payments-fixed/sber"
)

type service struct {
	bank      *sber.Adapter
	customers *customer.Adapter
	sms       *notify.SMS
}

func main() {
	bank, err := sber.New(env("SBER_URL", "http://localhost:9001"), nil)
	if err != nil {
		log.Fatal(err)
	}
	s := &service{
		bank:      bank,
		customers: customer.New(env("CRM_URL", "http://localhost:9002"), nil),
		sms:       notify.New(env("SMS_URL", "http://localhost:9003"), nil),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pay", s.pay)
	server := &http.Server{Addr: env("ADDR", ":8080"), Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func env(name, fallback string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return fallback
}

// pay may be called again with the same order: no step of it happens twice.
func (s *service) pay(w http.ResponseWriter, r *http.Request) {
	var cmd sber.Payment
	if err := json.NewDecoder(r.Body).Decode(&cmd); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ref, err := s.bank.Register(r.Context(), cmd)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if err := s.bank.Confirm(r.Context(), ref); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if err := s.customers.UpdateProfile(r.Context(), cmd.CustomerID, customer.Profile{LastPayment: ref.ID}); err != nil {
		log.Printf("profile of %s: %v", cmd.CustomerID, err)
	}
	if err := s.sms.Send(r.Context(), notify.Message{ID: "paid-" + ref.ID, Phone: cmd.Phone, Text: "paid: " + ref.ID}); err != nil {
		log.Printf("sms to %s: %v", cmd.Phone, err)
	}
	_ = json.NewEncoder(w).Encode(ref)
}
