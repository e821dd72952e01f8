package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/index/sqlite"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

// killedDir is the directory that the test's own copy indexes until it is
// killed.
const killedDir = "TOOLFACADE_TEST_KILLED"

const killedFiles = 300

// TestKilled kills a process while it indexes, and indexes again: what was
// committed is there and whole, the rest is added.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		indexAll(t, dir, filepath.Join(dir, "..", "index.db"))
		return
	}
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range killedFiles {
		text := strings.Repeat(fmt.Sprintf("# Part\n\nfile%d %s\n\n", n, strings.Repeat("some words of a text ", 60)), 30)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", n)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "..", "index.db")
	committed := killMidway(t, dir, path)
	if committed == killedFiles {
		t.Log("the process was done before it was killed")
	}

	result := indexAll(t, dir, path)
	if result.Error != nil || result.Unchanged < committed || result.Documents+result.Unchanged != killedFiles {
		t.Errorf("of %d committed documents the next run finds %+v", committed, result)
	}
	if again := indexAll(t, dir, path); again.Unchanged != killedFiles || again.Documents != 0 {
		t.Errorf("a third run returns %+v", again)
	}
	index := open(t, path)
	defer index.Close()
	for n := range killedFiles {
		hits, err := index.Search(t.Context(), docs.Query{Text: fmt.Sprintf("file%d", n), Limit: 100})
		if err != nil || len(hits) != 30 {
			t.Fatalf("file %d has %d chunks, %v; want 30", n, len(hits), err)
		}
	}
}

// killMidway starts a process that indexes, kills it once something is
// committed, and returns how many documents are.
func killMidway(t *testing.T, dir, path string) int {
	t.Helper()
	watch := open(t, path)
	defer watch.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), killedDir+"="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		stats, err := watch.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if stats.Documents > 0 {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the process ended early: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Log("the process ended by itself")
	}
	stats, err := watch.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stats.Chunks != 30*stats.Documents {
		t.Errorf("after the kill there are parts of documents: %+v", stats)
	}
	t.Logf("killed after %d of %d documents", stats.Documents, killedFiles)
	return stats.Documents
}

// indexAll indexes a directory into the index at a path.
func indexAll(t *testing.T, dir, path string) facade.DocumentIndexed {
	t.Helper()
	index, err := sqlite.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := rootfs.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tools, err := docs.New(root, &docs.Options{Indexes: []docs.Index{index}})
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	out, err := tools.Index(t.Context(), facade.DocumentIndexInput{Path: "."})
	if err != nil {
		t.Fatal(err)
	}
	return out.Backends[0]
}
