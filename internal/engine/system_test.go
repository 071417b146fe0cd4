package engine

import (
	"testing"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
)

// Of two systems the first has the better claim.
func TestClaims(t *testing.T) {
	senders := []model.Symbol{ // from the wire to the retry
		{Pkg: "net/http", Recv: "Client", Name: "Do"},
		{Pkg: "m.test/httpx", Name: "Send"},
		{Pkg: "m.test/pay/bank", Recv: "Client", Name: "Pay"},
		{Pkg: "m.test/shop", Recv: "Shop", Name: "Buy"},
	}
	hosts := func(hosts ...config.Host) config.Match { return config.Match{Hosts: hosts} }
	imports := func(paths ...config.Pattern) config.Match { return config.Match{Imports: paths} }
	types := func(names ...config.Type) config.Match { return config.Match{Types: names} }
	none := config.Match{}
	for _, c := range []struct {
		name          string
		host          string
		better, worse config.Match
	}{
		{"host over type", "pay.example", hosts("pay.example"), types("m.test/pay/bank.Client")},
		{"the longer host", "eu.pay.example", hosts("*.pay.example"), hosts("*.example")},
		{"a host whose region is unknown", "*.pay.example", hosts("*.pay.example"), none},
		{"type over package", "", types("m.test/pay/bank.Client"), imports("m.test/pay/bank")},
		{"the longer path", "", imports("m.test/pay/bank"), imports("m.test/pay/...")},
		{"nearer to the wire", "", imports("m.test/pay/..."), types("m.test/shop.Shop")},
		{"a known host that another lists", "pay.example", types("m.test/shop.Shop"), config.Match{Hosts: []config.Host{"other.example"}, Types: []config.Type{"m.test/pay/bank.Client"}}},
		{"an unknown host", "", config.Match{Hosts: []config.Host{"other.example"}, Types: []config.Type{"m.test/pay/bank.Client"}}, types("m.test/shop.Shop")},
		{"a host unknown in part", "pay.*", config.Match{Hosts: []config.Host{"pay.example"}, Types: []config.Type{"m.test/pay/bank.Client"}}, hosts("pay.example")},
		{"any of the package", "", imports("m.test/shop"), imports("m.test/other")},
	} {
		cfg := &config.Config{Systems: config.Systems{"b": {Match: c.better}, "a": {Match: c.worse}}}
		if got := systemAmong(cfg, c.host, senders); got == nil || got.Name != "b" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	for name, m := range map[string]config.Match{
		"another host": hosts("other.example"), "another package": imports("m.test/pay"), "another type": types("m.test/pay/bank.Other"),
		"a function's name": types("m.test/httpx.Send"),
	} {
		if got := systemAmong(&config.Config{Systems: config.Systems{"a": {Match: m}}}, "pay.example", senders); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestRekeyed(t *testing.T) {
	carrier := func(name string, key effect.Key) retry.Carrier { return retry.Carrier{Name: name, Key: key} }
	for _, c := range []struct {
		name     string
		carriers []retry.Carrier
		key      effect.Key // and its carrier, as the code alone has it
		carrier  string
		hidden   bool
		want     effect.Key
	}{
		{"no headers", nil, effect.KeyAbsent, "", false, effect.KeyAbsent},
		{"the user's carrier", []retry.Carrier{carrier("X-Ours", effect.KeyStable)}, effect.KeyAbsent, "", false, effect.KeyStable},
		{"the user's carrier beside what is hidden", []retry.Carrier{carrier("X-Ours", effect.KeyStable)}, effect.KeyMaybe, "", true, effect.KeyStable},
		{"the user's carrier on one path", []retry.Carrier{carrier("X-Ours", effect.KeyMaybe)}, effect.KeyAbsent, "", false, effect.KeyMaybe},
		{"the user's carrier, made anew", []retry.Carrier{carrier("X-Ours", effect.KeyUnstable)}, effect.KeyAbsent, "", false, effect.KeyUnstable},
		{"another header", []retry.Carrier{carrier("Accept", effect.KeyConstant)}, effect.KeyAbsent, "", false, effect.KeyAbsent},
		{"a key in a field", []retry.Carrier{carrier("Accept", effect.KeyConstant)}, effect.KeyStable, "", false, effect.KeyStable},
		{"correlation", []retry.Carrier{carrier("X-Client-Token", effect.KeyUnstable)}, effect.KeyUnstable, "X-Client-Token", false, effect.KeyAbsent},
		{"correlation beside what is hidden", []retry.Carrier{carrier("X-Client-Token", effect.KeyStable)}, effect.KeyStable, "X-Client-Token", true, effect.KeyMaybe},
		{"correlation after a key", []retry.Carrier{carrier("Idempotency-Key", effect.KeyStable), carrier("X-Client-Token", effect.KeyStable)}, effect.KeyStable, "X-Client-Token", false, effect.KeyStable},
		{"correlation in one of two ways", []retry.Carrier{carrier("Idempotency-Key", effect.KeyMaybe), carrier("X-Client-Token", effect.KeyMaybe)}, effect.KeyStable, "X-Client-Token", false, effect.KeyMaybe},
	} {
		send := retry.Send{Request: effect.Request{Key: c.key, Carrier: c.carrier, Hidden: c.hidden}, Carriers: c.carriers}
		if got := rekeyed(send, []config.Header{"X-Ours"}, []config.Header{"X-Client-Token"}); got.Key != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Key, c.want)
		}
	}
}
