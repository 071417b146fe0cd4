package engine

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/effect"
	"github.com/resilint/resilint/internal/model"
	"github.com/resilint/resilint/internal/retry"
	"github.com/resilint/resilint/internal/value"
)

// A System is another side, as the configuration knows it.
type System struct {
	Name string
	config.System
}

// System is where the request goes, nil when the configuration does not say.
func (s *Site) System(send *retry.Send) *System { return systemOf(&s.config, s.Site, send) }

// PromiseRequired reports whether a key is worth nothing without a written
// promise of the other side to deduplicate by it.
func (s *Site) PromiseRequired() bool { return s.config.PromiseRequired() }

// known is the site as the configuration knows what it sends: which header
// holds the key, and what only reads. The site that the summary holds stays as
// the code has it.
func (set *Set) known(s *retry.Site) *retry.Site {
	cfg := &set.Config
	if len(cfg.Systems)+len(cfg.Carriers.Keys)+len(cfg.Carriers.Correlation) == 0 {
		return s
	}
	out := *s
	out.Sends = slices.Clone(s.Sends)
	for i := range out.Sends {
		send := &out.Sends[i]
		keys := cfg.Carriers.Keys
		if system := systemOf(cfg, s, send); system != nil {
			if system.Carrier != "" {
				keys = append(slices.Clip(keys), system.Carrier)
			}
			send.ReadOnly = send.ReadOnly || slices.ContainsFunc(system.Reads, func(e config.Endpoint) bool { return e.Matches(send.Method, send.Path) })
		}
		*send = rekeyed(*send, keys, cfg.Carriers.Correlation)
	}
	return &out
}

// rekeyed is the send with its key in one of the headers that hold keys here,
// and not in one that holds none.
func rekeyed(send retry.Send, keys, correlation []config.Header) retry.Send {
	if slices.Contains(correlation, config.Header(send.Carrier)) {
		none := retry.Carrier{Key: effect.KeyAbsent}
		if send.Hidden {
			none.Key = effect.KeyMaybe
		}
		send = send.By(none)
		for _, c := range send.Carriers { // another of the known ones may be there, too
			if effect.IsKey(c.Name) && !slices.Contains(correlation, config.Header(c.Name)) {
				send = send.By(c)
			}
		}
	}
	for _, c := range send.Carriers {
		if slices.Contains(keys, config.Header(c.Name)) {
			send = send.By(c)
		}
	}
	return send
}

// systemOf is the system that a request goes to.
func systemOf(cfg *config.Config, site *retry.Site, send *retry.Send) *System {
	if len(cfg.Systems) == 0 {
		return nil
	}
	return systemAmong(cfg, send.Host, sendersOf(site, send))
}

func systemAmong(cfg *config.Config, host string, senders []model.Symbol) *System {
	var out *System
	var best claim
	for _, name := range slices.Sorted(maps.Keys(cfg.Systems)) {
		system := cfg.Systems[name]
		if c := claimOf(&system.Match, host, senders); slices.Compare(c[:], best[:]) > 0 {
			out, best = &System{name, system}, c
		}
	}
	return out
}

// sendersOf are the functions between the retry and the wire, the last first.
func sendersOf(site *retry.Site, send *retry.Send) []model.Symbol {
	out := append([]model.Symbol{enclosing(site.Function)}, send.Chain...)
	out = append(out, send.Symbol)
	slices.Reverse(out)
	return out
}

// enclosing names the declared function around fn.
func enclosing(fn *ssa.Function) model.Symbol {
	if obj, ok := value.Outermost(fn).Object().(*types.Func); ok {
		return model.FuncSymbol(obj)
	}
	return model.Symbol{Pkg: fn.Pkg.Pkg.Path()}
}

// A claim says how well a request is matched, zero for not at all. A host beats
// functions, a function near the wire one that is further away, a type its
// package, and a longer pattern a shorter one.
type claim [4]int

func claimOf(m *config.Match, host string, senders []model.Symbol) (best claim) {
	better := func(c claim) {
		if slices.Compare(c[:], best[:]) > 0 {
			best = c
		}
	}
	for _, h := range m.Hosts {
		if h.Matches(host) {
			better(claim{1, 0, 0, len(h)})
		}
	}
	if len(m.Hosts) > 0 && host != "" && !strings.Contains(host, "*") {
		return best // the code says where it goes
	}
	for i, sender := range senders {
		near := len(senders) - i
		for _, t := range m.Types {
			if pkg, name := t.Split(); pkg == sender.Pkg && name == sender.Recv {
				better(claim{0, near, 1, len(t)})
			}
		}
		for _, p := range m.Imports {
			if p.Matches(sender.Pkg) {
				better(claim{0, near, 0, len(p)})
			}
		}
	}
	return best
}
