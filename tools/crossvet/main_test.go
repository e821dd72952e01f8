package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/suite/vet"
)

func TestCheck(t *testing.T) {
	analyzers := factless(vet.Suite)
	if len(analyzers) < 20 || len(analyzers) == len(vet.Suite) {
		t.Fatalf("%d analyzers of %d are without facts", len(analyzers), len(vet.Suite))
	}
	tests := []struct {
		name, file, code, target string
		want                     string // in the error; "" for none
	}{
		{"sound", "a.go", "package a\n", "windows/amd64", ""},
		{"another system's file", "a_windows.go", "package a\n\nvar x int = \"\"\n", "darwin/arm64", ""},
		{"broken for the target", "a_windows.go", "package a\n\nvar x int = \"\"\n", "windows/amd64", "1 errors"},
		{"broken test", "a_test.go", "package a\n\nvar x int = \"\"\n", "linux/arm64", "1 errors"},
		{"finding", "a_darwin.go", "package a\n\nfunc f(i int) { i = i }\n", "darwin/arm64", "1 findings"},
		{"no target", "a.go", "package a\n", "windows", "a system and an architecture"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for name, text := range map[string]string{"go.mod": "module a\n\ngo 1.26\n", "doc.go": "package a\n", tt.file: tt.code} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := check(tt.target, analyzers)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("%v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
