package driver

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// exports holds the types of all packages, whether checked from source or read
// from export data, so that each object exists once.
//
// Export data speaks of the packages below it: reading it makes stand-ins for
// those that are not known yet. A unit therefore starts only when all units
// below it are done, on paths through export data too, and export data is read
// when a unit imports it, not before.
type exports struct {
	list *listing
	fset *token.FileSet

	mu       sync.Mutex
	packages map[string]*types.Package
}

func newExports(list *listing, fset *token.FileSet) *exports {
	return &exports{list: list, fset: fset, packages: map[string]*types.Package{}}
}

// add makes the types of a unit known to all that come later.
func (x *exports) add(pkg *types.Package) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.packages[pkg.Path()] = pkg
}

// read is the package with the given path, which a unit imports.
func (x *exports) read(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if pkg := x.packages[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	p := x.list.byPath[path]
	if p == nil || p.Export == "" {
		return nil, fmt.Errorf("no export data for %s", path)
	}
	f, err := os.Open(p.abs(p.Export))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", path, err)
	}
	return gcexportdata.Read(r, x.fset, x.packages, path)
}

// importer resolves the imports of one package.
type importer struct {
	exports *exports
	from    *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	return i.exports.read(i.from.resolve(path))
}
