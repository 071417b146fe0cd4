package plugin

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/resilint/resilint/internal/engine"
	"github.com/resilint/resilint/internal/finding"
)

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		yaml string
		want engine.Config
	}{
		{"", engine.DefaultConfig()},
		{"{}", engine.DefaultConfig()},
		{"preset: guide", engine.Config{Preset: "guide", MinSeverity: finding.Warning}},
		{"min-severity: note", engine.Config{Preset: "recommended", MinSeverity: finding.Note}},
		{"only: [RE-3, retrybackoff]", engine.Config{Preset: "recommended", MinSeverity: finding.Warning, Only: []string{"R-RES-RE-3", "R-RES-RE-X3"}}},
		{"disable: [R-RES-RE-4]", engine.Config{Preset: "recommended", MinSeverity: finding.Warning, Disable: []string{"R-RES-RE-4"}}},
		{"rules-version: v0.1.0", engine.DefaultConfig()},
	} {
		p, err := New(parse(t, []byte(test.yaml)))
		if err != nil {
			t.Errorf("%s: %v", test.yaml, err)
			continue
		}
		if got := p.(*linter).config; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.yaml, got, test.want)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"presets: guide", `there is no setting "presets"; did you mean preset?`},
		{"Preset: guide", `there is no setting "Preset"; did you mean preset?`},
		{"strictness: 3", `there is no setting "strictness"`},
		{"preset: guided", `preset: "guided" is none of recommended, guide; did you mean guide?`},
		{"min-severity: warn", `min-severity: severity "warn" is none of note, warning, error`},
		{"only: [retrybakcoff]", `only: no rule is called "retrybakcoff"; did you mean retrybackoff?`},
		{"disable: [RE-33]", `disable: no rule is called "RE-33"; did you mean RE-3?`},
		{"only: RE-3", "cannot unmarshal string"},
		{"[preset]", "a mapping is needed"},
	} {
		_, err := New(parse(t, []byte(test.yaml)))
		if err == nil || !strings.HasPrefix(err.Error(), "settings of resilint: ") || !strings.Contains(err.Error(), test.want) {
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
	linter, ok := golangci.Linters.Settings.Custom["resilint"]
	if !ok || linter.Type != "module" || golangci.Version != "2" || !slices.Contains(golangci.Linters.Enable, "resilint") {
		t.Errorf("%+v", golangci)
	}
	if _, err := New(linter.Settings); err != nil {
		t.Error(err)
	}
	for _, key := range keys {
		if _, ok := linter.Settings[key]; !ok {
			t.Errorf("the example has no %s", key)
		}
	}
	typ := reflect.TypeFor[settings]()
	var tags []string
	for _, f := range reflect.VisibleFields(typ) {
		if !f.Anonymous {
			tags = append(tags, f.Tag.Get("json"))
		}
	}
	slices.Sort(tags)
	if want := slices.Sorted(slices.Values(keys)); !slices.Equal(tags, want) {
		t.Errorf("settings %v, keys %v", tags, want)
	}

	var custom struct {
		Version, Name, Destination string
		Plugins                    []struct{ Module, Import, Version, Path string }
	}
	decodeFile(t, "../.custom-gcl.example.yml", &custom)
	if len(custom.Plugins) != 1 || custom.Plugins[0].Import != reflect.TypeFor[settings]().PkgPath() ||
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
