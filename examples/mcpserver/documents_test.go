package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	indexAll   = `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"document","arguments":{"action":"index","path":"."}}}` + "\n"
	searchBoth = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"document","arguments":{"action":"search","query":"two"}}}` + "\n"
)

// TestIndexSurvivesTheServer searches in a second server what a first one has
// indexed.
func TestIndexSurvivesTheServer(t *testing.T) {
	root := tree(t)
	index := filepath.Join(t.TempDir(), "index.db")
	if r := piped(t, indexAll, "-root", root, "-index", index)[4]; r.Result.IsError {
		t.Fatalf("index fails: %s", r.Result.StructuredContent)
	}
	r := piped(t, searchBoth, "-root", root, "-index", index)[5]
	if got := string(r.Result.StructuredContent); !strings.Contains(got, `"path":"a.txt"`) || !strings.Contains(got, `"backend":"sqlite"`) {
		t.Errorf("the second server finds %s", got)
	}
	r = piped(t, searchBoth, "-root", root, "-index", "memory")[5]
	if got := string(r.Result.StructuredContent); strings.Contains(got, "a.txt") {
		t.Errorf("an index in memory begins with %s", got)
	}
}

func TestIndexFile(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("LocalAppData", cache)
	a, err := config{root: root}.indexFile()
	if err != nil || !inside(cache, a) {
		t.Errorf("the default is %s, %v", a, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err == nil {
		if b, err := (config{root: link}).indexFile(); err != nil || a != b {
			t.Errorf("through a link it is %s, %v; want %s", b, err, a)
		}
	}
	if b, err := (config{root: cache}).indexFile(); err != nil || b != "" {
		t.Errorf("with the cache in the root it is %q, %v", b, err)
	}
	if _, err := (config{root: root, index: filepath.Join(root, "x.db")}).indexFile(); err == nil {
		t.Error("an index in the root is allowed")
	}
}
