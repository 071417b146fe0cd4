package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/resilint/resilint/internal/report"
)

// An output is a form in which a report is written, and where to.
type output struct {
	format report.Format
	file   string // "" is stdout
}

// outputs are those that -o and -format ask for; the default is text.
func (inv *invocation) outputs(formats []report.Format) ([]output, error) {
	if inv.format != "" && len(inv.into) > 0 {
		return nil, errors.New("-format and -o say the same: use one of them")
	}
	if len(inv.into) == 0 {
		format := formats[0]
		if inv.format != "" {
			var err error
			if format, err = report.Find(formats, inv.format); err != nil {
				return nil, err
			}
		}
		return []output{{format: format}}, nil
	}
	var out []output
	taken := map[string]string{}
	for _, spec := range inv.into {
		name, file, toFile := strings.Cut(spec, "=")
		format, err := report.Find(formats, name)
		if err != nil {
			return nil, fmt.Errorf("-o: %w", err)
		}
		if toFile && file == "" {
			return nil, fmt.Errorf("-o %s names no file", spec)
		}
		if toFile {
			file = inv.at(file)
		}
		if other, twice := taken[file]; twice {
			place := file
			if file == "" {
				place = "stdout"
			}
			return nil, fmt.Errorf("-o: both %s and %s go to %s; one needs =FILE of its own", other, name, place)
		}
		taken[file] = name
		out = append(out, output{format, file})
	}
	return out, nil
}

// at is a path as it is meant on the command line: from the directory of -C.
func (inv *invocation) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(inv.dir, path)
}

// write writes the report in all its forms. A form for people is coloured on
// a terminal only.
func (inv *invocation) write(r *report.Report, outputs []output) error {
	for _, o := range outputs {
		if o.file == "" {
			if err := o.format.Write(inv.stdout, r); err != nil {
				return err
			}
			continue
		}
		pale := *r
		pale.Color = false
		var buf bytes.Buffer
		if err := o.format.Write(&buf, &pale); err != nil {
			return err
		}
		if err := os.WriteFile(o.file, buf.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
