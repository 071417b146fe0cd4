package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/resilint/resilint/internal/finding"
)

// Fingerprints are the findings' identities across commits, in their order.
// Lines, messages and the module's name may change and a fingerprint stays;
// it depends on the rule, the package within its module, the function, the kind
// of retry, and the ordinal among findings that agree in all of these. It is
// unique within a module: in a workspace the module belongs to the identity.
func (r *Report) Fingerprints() []string {
	kind := map[string]string{}
	for _, s := range r.Sites {
		kind[s.ID] = retryKind(s)
	}
	type identity struct{ module, rule, pkg, function, kind string }
	seen := map[identity]int{}
	var out []string
	for _, f := range r.Findings {
		module := r.Modules[f.Package]
		id := identity{module, f.Rule, Within(module, f.Package), f.Function, kind[f.Site]}
		seen[id]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{id.rule, id.pkg, id.function, id.kind, fmt.Sprint(seen[id])}))
		out = append(out, hex.EncodeToString(sum[:16]))
	}
	return out
}

// retryKind names what retries: the library, else the mechanism.
func retryKind(s finding.Site) string {
	if s.Library != "" {
		return s.Library
	}
	return s.Mechanism
}

// Within is the package's path below its module's.
func Within(module, pkg string) string {
	return strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/")
}
