package facade_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
)

// update rewrites the golden files: go test ./facade -update.
var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to make it)", err)
	}
	// A checkout on Windows may have other line ends.
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s differs (-want +got); run with -update and read the change:\n%s", name, diff)
	}
}

// call serves one call without a session.
func call(t *testing.T, tool *facade.Tool, args string) *facade.Result {
	t.Helper()
	r, err := tool.Call(t.Context(), facade.Call{Args: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return r
}

// sample has a field of every kind that a model can fill in.
type sample struct {
	Text   string            `json:"text,omitempty" default:"hello"`
	Flag   bool              `json:"flag,omitempty"`
	On     *bool             `json:"on,omitempty" default:"true"`
	Int    int               `json:"int,omitempty" min:"1" max:"10000000"`
	Small  int8              `json:"small,omitempty"`
	Big    *int64            `json:"big,omitempty" default:"-1" min:"-1"`
	Ratio  float64           `json:"ratio,omitempty" min:"0.5" max:"1"`
	Names  []string          `json:"names,omitempty" minItems:"1"`
	Counts []int             `json:"counts,omitempty"`
	Sort   string            `json:"sort,omitempty" default:"name" enum:"name,mtime,size"`
	Kinds  []string          `json:"kinds,omitempty" enum:"fish,bird"`
	Env    map[string]string `json:"env,omitempty"`
	Meta   map[string]any    `json:"meta,omitempty"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Part   *samplePart       `json:"part,omitempty"`
	Parts  []samplePart      `json:"parts,omitempty"`
}

type samplePart struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"`
	Line int    `json:"line,omitempty" min:"1"`
}

type echo struct {
	In sample `json:"in"`
}

type other struct {
	Target string `json:"target"`
}

type nothing struct{}

// sampleTool is a tool that returns what it was given.
func sampleTool() *facade.Tool {
	return facade.New("sample", "A tool for tests.",
		facade.Bind("echo", facade.EffectRead, "Return the input.", func(_ context.Context, in sample) (echo, error) {
			return echo{In: in}, nil
		}),
		facade.Bind("aim", facade.EffectWrite, "Take a target.", func(context.Context, other) (nothing, error) {
			return nothing{}, nil
		}),
		facade.Bind("rest", facade.EffectRead, "Do nothing.", func(context.Context, nothing) (nothing, error) {
			return nothing{}, nil
		}))
}

// files is the filesystem tool with every action and nothing behind it: only
// calls that are refused may reach it.
func files() *facade.Tool {
	return facade.Files(struct {
		facade.FileTools
		facade.FileSearcher
		facade.FileEditor
		facade.FileMover
		facade.FileInformer
		facade.FileNavigator
		facade.FileJournal
	}{})
}
