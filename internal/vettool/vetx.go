package vettool

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"go/types"
	"os"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/resilint/resilint/internal/pass"
)

// A vetx file carries what one unit tells those that import it. The form is the
// unit checker's: a magic word, the lengths of two sections, types and facts.
// The section of types is empty in ours, since the go command has export data;
// it is filled for units that import nothing, because such a unit cannot see
// whether the go command passes export data at all.

const magic = "vetx"

// wireFact is a fact with the name of what it is about.
type wireFact struct {
	Package string
	Object  objectpath.Path // "" for a fact about the package
	Fact    analysis.Fact
}

// encodeFacts encodes what importers may see: the facts of pkg, and those about
// types and methods of others, which the API of pkg may mention. Functions and
// variables of others are known to those who import them.
func encodeFacts(facts *pass.Facts, pkg *types.Package) ([]byte, error) {
	paths := new(objectpath.Encoder)
	var out []wireFact
	facts.Each(func(of *types.Package, obj types.Object, fact analysis.Fact) {
		wire := wireFact{Package: of.Path(), Fact: fact}
		if of != pkg {
			if obj == nil {
				return
			}
			if _, isType := obj.(*types.TypeName); !isType && obj.Parent() == of.Scope() {
				return
			}
		}
		if obj != nil {
			path, err := paths.For(obj)
			if err != nil {
				return // out of sight for importers
			}
			wire.Object = path
		}
		out = append(out, wire)
	})
	if len(out) == 0 {
		return nil, nil
	}
	slices.SortFunc(out, func(a, b wireFact) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Object, b.Object),
			cmp.Compare(reflect.TypeOf(a.Fact).String(), reflect.TypeOf(b.Fact).String()))
	})
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(out)
	return buf.Bytes(), err
}

// decodeFacts adds the facts in data to the store, as far as they are about
// packages and objects that the unit has heard of.
func decodeFacts(facts *pass.Facts, data []byte, packages map[string]*types.Package) error {
	if len(data) == 0 {
		return nil
	}
	var in []wireFact
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&in); err != nil {
		return err
	}
	for _, wire := range in {
		pkg := packages[wire.Package]
		if pkg == nil {
			continue
		}
		var obj types.Object
		if wire.Object != "" {
			var err error
			if obj, err = objectpath.Object(pkg, wire.Object); err != nil {
				continue
			}
		}
		facts.Add(pkg, obj, wire.Fact)
	}
	return nil
}

func writeVetx(file string, types, facts []byte) error {
	if file == "" {
		return nil
	}
	data := []byte(magic)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(types)))
	data = binary.LittleEndian.AppendUint32(data, uint32(len(facts)))
	return os.WriteFile(file, slices.Concat(data, types, facts), 0o666)
}

// readVetx returns the facts in a file.
func readVetx(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const header = len(magic) + 8
	if len(data) < header || string(data[:len(magic)]) != magic {
		return nil, errors.New("not a vetx file")
	}
	start := header + int(binary.LittleEndian.Uint32(data[len(magic):]))
	end := start + int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	if end > len(data) {
		return nil, errors.New("truncated vetx file")
	}
	return data[start:end], nil
}

// exportTypes is the section of types for a checked package.
func exportTypes(c *pass.Checked) ([]byte, error) {
	var buf bytes.Buffer
	if err := gcexportdata.Write(&buf, c.Fset, c.Types); err != nil {
		return nil, fmt.Errorf("export data of %s: %w", c.Path, err)
	}
	return buf.Bytes()[1:], nil // the section does without the letter that tells formats apart
}
