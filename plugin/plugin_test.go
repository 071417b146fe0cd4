package plugin

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/config"
	"github.com/resilint/resilint/internal/finding"
)

func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "resilint.yml")
	if err := os.WriteFile(file, []byte("preset: guide\nstrict: true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		yaml string
		set  func(*config.Config)
	}{
		{"", func(*config.Config) {}},
		{"{}", func(*config.Config) {}},
		{"preset: guide", func(c *config.Config) { c.Preset = "guide" }},
		{"min-severity: note", func(c *config.Config) { c.MinSeverity = finding.Note }},
		{"only: [RE-3, retrybackoff]", func(c *config.Config) { c.Only = []config.Rule{"R-RES-RE-3", "R-RES-RE-X3"} }},
		{"disable: [R-RES-RE-4]", func(c *config.Config) { c.Disable = []config.Rule{"R-RES-RE-4"} }},
		{"rules-version: v0.1.0", func(*config.Config) {}},
		{"config: " + file, func(c *config.Config) { c.Preset, c.Strict = "guide", true }},
		{"{config: " + file + ", preset: recommended}", func(c *config.Config) { c.Strict = true }},
		{"systems: {bank: {match: {hosts: [bank.example]}, dedup: none}}", func(c *config.Config) {
			c.Systems = config.Systems{"bank": {Match: config.Match{Hosts: []config.Host{"bank.example"}}, Dedup: "none"}}
		}},
	} {
		p, err := New(parse(t, []byte(test.yaml)))
		if err != nil {
			t.Errorf("%s: %v", test.yaml, err)
			continue
		}
		want := config.Default()
		test.set(&want)
		if got := p.(*linter).config; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", test.yaml, got, want)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "resilint.yml")
	if err := os.WriteFile(file, []byte("# a comment\npresets: guide\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ yaml, want string }{
		{"presets: guide", `there is no key "presets"; did you mean preset?`},
		{"Preset: guide", `there is no key "Preset"; did you mean preset?`},
		{"xyzzyxyzzy: 3", `there is no key "xyzzyxyzzy"`},
		{"preset: guided", `preset: "guided" is none of recommended, guide; did you mean guide?`},
		{"min-severity: warn", `min-severity: severity "warn" is none of note, warning, error`},
		{"only: [retrybakcoff]", `only: no rule is called "retrybakcoff"; did you mean retrybackoff?`},
		{"disable: [RE-33]", `disable: no rule is called "RE-33"; did you mean RE-3?`},
		{"only: RE-3", "only: a list is needed"},
		{"[preset]", "a mapping is needed"},
		{"config: [a]", "config: a text is needed"},
		{"config: nowhere.yml", "nowhere.yml: no such file"},
		{"config: " + file, file + `:2: there is no key "presets"; did you mean preset?`},
	} {
		_, err := New(parse(t, []byte(test.yaml)))
		if err == nil || !strings.HasPrefix(err.Error(), "settings of resilint: "+test.want) {
			t.Errorf("%s: error %v, want %s", test.yaml, err, test.want)
		}
	}
}

func TestLinter(t *testing.T) {
	if _, err := register.GetPlugin("resilint"); err != nil {
		t.Error(err)
	}
	p, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if mode := p.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", mode)
	}
	as, err := p.BuildAnalyzers()
	if err != nil || len(as) != 1 || as[0].Name != "resilint" {
		t.Errorf("analyzers %v, %v", as, err)
	}
	if err := analysis.Validate(as); err != nil {
		t.Error(err)
	}
}

// The example files show every setting, and work.
func TestExamples(t *testing.T) {
	var golangci struct {
		Version string
		Linters struct {
			Enable   []string
			Settings struct {
				Custom map[string]struct {
					Type, Description string
					OriginalURL       string `yaml:"original-url"`
					Settings          map[string]any
				}
			}
		}
		Issues map[string]any
	}
	decodeFile(t, "../.golangci.example.yml", &golangci)
	ours, ok := golangci.Linters.Settings.Custom["resilint"]
	if !ok || ours.Type != "module" || golangci.Version != "2" || !slices.Contains(golangci.Linters.Enable, "resilint") {
		t.Errorf("%+v", golangci)
	}
	if _, err := New(ours.Settings); err != nil {
		t.Error(err)
	}
	keys := []string{"config", "rules-version"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[config.Config]()) {
		keys = append(keys, f.Tag.Get("yaml"))
	}
	for _, key := range keys {
		if _, ok := ours.Settings[key]; !ok {
			t.Errorf("the example has no %s", key)
		}
	}

	var custom struct {
		Version, Name, Destination string
		Plugins                    []struct{ Module, Import, Version, Path string }
	}
	decodeFile(t, "../.custom-gcl.example.yml", &custom)
	if len(custom.Plugins) != 1 || custom.Plugins[0].Import != reflect.TypeFor[linter]().PkgPath() ||
		custom.Plugins[0].Module != strings.TrimSuffix(custom.Plugins[0].Import, "/plugin") {
		t.Errorf("%+v", custom)
	}
}

func parse(t *testing.T, text []byte) (out any) {
	t.Helper()
	if err := yaml.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func decodeFile(t *testing.T, name string, into any) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
