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
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
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

// goldenLevels is how deep definitions are laid out: a parameter is a line.
const goldenLevels = 4

// pretty lays definitions out for reading, in their order.
func pretty(t *testing.T, defs []schema.Def) []byte {
	t.Helper()
	var raw, out bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(defs); err != nil {
		t.Fatal(err)
	}
	text, level, quoted := bytes.TrimSpace(raw.Bytes()), 0, false
	line := func() {
		out.WriteByte('\n')
		out.WriteString(strings.Repeat("  ", level))
	}
	for i, c := range text {
		if c == '"' && !escapedAt(text, i) {
			quoted = !quoted
		}
		opens, closes := !quoted && (c == '{' || c == '['), !quoted && (c == '}' || c == ']')
		if closes {
			if level--; level < goldenLevels {
				line()
			}
		}
		out.WriteByte(c)
		if opens {
			level++
		}
		if level <= goldenLevels && (opens || !quoted && c == ',') {
			line()
		}
	}
	return append(out.Bytes(), '\n')
}

// escapedAt reports whether the byte at i is escaped by a backslash.
func escapedAt(text []byte, i int) bool {
	n := 0
	for n < i && text[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
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

// TestGolden has a file for each tool, view and profile, but for the profiles
// that are plain.
func TestGolden(t *testing.T) {
	var names []string
	for _, v := range views {
		for _, whole := range everything.Tools() {
			tools := v.cut(whole)
			if len(tools) == 0 {
				continue // nothing of it only observes
			}
			for _, p := range schema.Profiles() {
				if slices.Contains(plain, p) {
					continue
				}
				name := filepath.Join(v.name, whole.Name()+"."+string(p)+".json")
				names = append(names, name)
				golden(t, name, pretty(t, renderOrRefuse(tools, p)))
			}
		}
	}
	for _, v := range views {
		entries, err := os.ReadDir(filepath.Join("testdata", v.name))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := filepath.Join(v.name, e.Name()); !slices.Contains(names, name) {
				t.Errorf("testdata/%s is the golden file of nothing", name)
			}
		}
	}
}

// renderOrRefuse puts the reason in the place of a definition that there is
// none of.
func renderOrRefuse(tools []*facade.Tool, p schema.Profile) []schema.Def {
	defs := make([]schema.Def, len(tools))
	for i, tool := range tools {
		def, err := schema.Render(tool, p)
		if err != nil {
			def = schema.Def{Name: tool.Name(), Description: "refused: " + err.Error()}
		}
		defs[i] = def
	}
	return defs
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
