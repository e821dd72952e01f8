package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden file")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The whole output is a golden file: what a reader of the documentation sees.
func TestOutput(t *testing.T) {
	var got bytes.Buffer
	if err := run(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "output.golden")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error("output (-want +got), go test -update accepts it\n", diff)
	}
}
