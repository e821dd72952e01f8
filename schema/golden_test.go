package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/everything"
	"github.com/toolfacade/toolfacade/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or rewrites it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./schema -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), -update accepts:\n%s", path, diff)
	}
}

// pretty lays definitions out for reading, in their order.
func pretty(t *testing.T, defs []schema.Def) []byte {
	t.Helper()
	var raw, out bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(defs); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&out, raw.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func render(t *testing.T, p schema.Profile, tools ...*facade.Tool) []schema.Def {
	t.Helper()
	defs := make([]schema.Def, len(tools))
	for i, tool := range tools {
		def, err := schema.Render(tool, p)
		if err != nil {
			t.Fatal(err)
		}
		defs[i] = def
	}
	return defs
}

func TestGolden(t *testing.T) {
	var names []string
	for _, p := range schema.Profiles() {
		for _, tool := range everything.Tools() {
			flat, granular := tool.Name()+"."+string(p)+".json", tool.Name()+"."+string(p)+".granular.json"
			golden(t, flat, pretty(t, render(t, p, tool)))
			golden(t, granular, pretty(t, render(t, p, tool.Granular()...)))
			names = append(names, flat, granular)
		}
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !slices.Contains(names, e.Name()) {
			t.Errorf("testdata/%s is the golden file of nothing", e.Name())
		}
	}
}
