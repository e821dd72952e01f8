package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
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

// plain are the profiles whose arguments look as in MCP.
var plain = []schema.Profile{schema.OpenAI, schema.Anthropic, schema.Gemini, schema.Mistral}

func TestGolden(t *testing.T) {
	var names []string
	save := func(name string, got []byte) {
		names = append(names, name)
		golden(t, name, got)
	}
	for _, tool := range everything.Tools() {
		save(tool.Name()+".mcp.granular.json", pretty(t, render(t, schema.MCP, tool.Granular()...)))
		for _, p := range schema.Profiles() {
			if slices.Contains(plain, p) {
				continue
			}
			name := tool.Name() + "." + string(p)
			if def, err := schema.Render(tool, p); err != nil {
				save(name+".refused.txt", []byte(err.Error()+"\n"))
			} else {
				save(name+".json", pretty(t, []schema.Def{def}))
			}
		}
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains(names, e.Name()) {
			t.Errorf("testdata/%s is the golden file of nothing", e.Name())
		}
	}
}

func TestPlainProfiles(t *testing.T) {
	for _, tool := range allTools() {
		want := render(t, schema.MCP, tool)[0]
		want.Output = nil
		for _, p := range plain {
			if diff := cmp.Diff(want, render(t, p, tool)[0]); diff != "" {
				t.Errorf("%s for %s (-mcp +got):\n%s", tool.Name(), p, diff)
			}
		}
	}
}
