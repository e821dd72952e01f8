package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden file")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// schemaText finds the schema in the output.
var schemaText = regexp.MustCompile(`(?s)\{\n.*?\n\}\n`)

// The output is a golden file, what a reader of the documentation sees, but for
// the schema: it has golden files of its own.
func TestOutput(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct{ Action struct{ Enum []string } }
	}
	if err := json.Unmarshal(schemaText.Find(out.Bytes()), &schema); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"find", "read", "write", "replace", "undo"}, schema.Properties.Action.Enum); diff != "" {
		t.Error("actions in the schema (-want +got)", diff)
	}
	got := schemaText.ReplaceAll(out.Bytes(), []byte("{ the schema }\n"))
	golden := filepath.Join("testdata", "output.golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error("output (-want +got), go test -update accepts it\n", diff)
	}
}
