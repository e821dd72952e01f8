package docs_test

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// toolsOn returns the tool over files in memory.
func toolsOn(tb testing.TB, files map[string][]byte, opts *docs.Options) *docs.Tools {
	tb.Helper()
	fs := afero.NewMemMapFs()
	for name, data := range files {
		if err := afero.WriteFile(fs, "/"+name, data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	t, err := docs.New(fs, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := t.Close(); err != nil {
			tb.Error(err)
		}
	})
	return t
}

// TestFormats compares a small document of each format with a golden file, as
// Markdown and as blocks.
func TestFormats(t *testing.T) {
	files := samples(t)
	tools := toolsOn(t, files, nil)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			md, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: name})
			if err != nil {
				t.Fatal(err)
			}
			if md.Source.SHA256 == "" || md.Source.Size != int64(len(files[name])) {
				t.Errorf("source is %+v", md.Source)
			}
			blocks, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: name, Output: "blocks"})
			if err != nil {
				t.Fatal(err)
			}
			md.Source.Size, md.Source.SHA256 = 0, ""
			got := md.Content + "\n====\n"
			for _, v := range []any{md.Source, md.Meta, md.Warnings} {
				got += line(t, v)
			}
			for _, b := range blocks.Blocks {
				got += line(t, b)
			}
			for _, table := range blocks.Tables {
				got += line(t, table)
			}
			golden(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}

func line(tb testing.TB, v any) string {
	tb.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data) + "\n"
}

func golden(tb testing.TB, path, got string) {
	tb.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestTypeByContent reads documents under wrong names.
func TestTypeByContent(t *testing.T) {
	for name, want := range map[string]string{"a.docx": "docx", "a.xlsx": "xlsx", "a.odt": "odt", "a.epub": "epub", "a.rtf": "rtf", "a.html": "html"} {
		tools := toolsOn(t, map[string][]byte{"wrong.csv": samples(t)[name]}, nil)
		out, err := tools.Read(t.Context(), facade.DocumentReadInput{Path: "wrong.csv"})
		if err != nil || out.Source.Format != want {
			t.Errorf("%s as wrong.csv is %q, %v; want %s", name, out.Source.Format, err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	tools := toolsOn(t, map[string][]byte{
		"bin": {0, 1, 2, 3, 0xff, 0xfe, 0, 9}, "bad.docx": append(sampleDocx(t)[:300:300], 1, 2, 3), "ok.txt": []byte("x"), "d/a.txt": []byte("x"),
	}, nil)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx  context.Context
		in   facade.DocumentReadInput
		want facade.Code
	}{
		{t.Context(), facade.DocumentReadInput{Path: "bin"}, facade.CodeUnsupportedFormat},
		{t.Context(), facade.DocumentReadInput{Path: "bad.docx"}, facade.CodeUnsupportedFormat},
		{t.Context(), facade.DocumentReadInput{Path: "none.txt"}, facade.CodeNotFound},
		{t.Context(), facade.DocumentReadInput{Path: "../ok.txt"}, facade.CodeOutsideRoot},
		{t.Context(), facade.DocumentReadInput{Path: "/etc/../../x"}, facade.CodeOutsideRoot},
		{t.Context(), facade.DocumentReadInput{Path: "d"}, facade.CodeIsDirectory},
		{t.Context(), facade.DocumentReadInput{Path: "ok.txt", Pages: "3-1"}, facade.CodeInvalidArgument},
		{t.Context(), facade.DocumentReadInput{Path: "ok.txt", Cursor: "x"}, facade.CodeInvalidArgument},
		{t.Context(), facade.DocumentReadInput{Path: "ok.txt", Cursor: "1.0.0000.000000000000"}, facade.CodeStale},
		{canceled, facade.DocumentReadInput{Path: "ok.txt"}, facade.CodeCanceled},
	} {
		_, err := tools.Read(tt.ctx, tt.in)
		if got := facade.CodeOf(err); err == nil || got != tt.want {
			t.Errorf("Read(%+v) fails with %v (%s), want %s", tt.in, err, got, tt.want)
		}
	}
}
