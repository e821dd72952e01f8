package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/docs/pdf/internal/pdftest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newEngine(tb testing.TB) *Engine {
	tb.Helper()
	e := New(Options{CacheDir: pdftest.CacheDir(), Memory: 64 << 20, Instances: 1})
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// TestModule fails when the name that the module is found by is gone.
func TestModule(t *testing.T) {
	if len(pdfium) < 1<<20 || !strings.HasPrefix(string(pdfium), "\x00asm") {
		t.Fatalf("the module has %d bytes", len(pdfium))
	}
}

// TestSandbox reads with nothing of the host in reach: what the module imports
// for files has no directory to open.
func TestSandbox(t *testing.T) {
	e := newEngine(t)
	if err := e.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := e.newVM(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.close(); err != nil {
			t.Error(err)
		}
	}()
	name := filepath.Join(t.TempDir(), "a.pdf")
	var d pdftest.Doc
	d.Page().Text(60, 100, 10, "Helvetica", "outside")
	if err := os.WriteFile(name, d.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	path := v.put(append([]byte(filepath.ToSlash(name)), 0))
	if doc := v.call("FPDF_LoadDocument", uint64(path), 0); doc != 0 || v.err != nil {
		t.Errorf("a file of the host was opened: %d, %v", doc, v.err)
	}
	if size := v.mod.Memory().Size(); size > 64<<20 {
		t.Errorf("the memory has %d bytes", size)
	}
	v.alloc(80 << 20)
	if v.err == nil {
		t.Error("more memory than the limit was given")
	}
}

// TestWaiting opens a second document while the only instance is taken.
func TestWaiting(t *testing.T) {
	e := newEngine(t)
	var d pdftest.Doc
	d.Page().Text(60, 100, 10, "Helvetica", "text")
	first, err := e.Open(t.Context(), d.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Open(ctx, d.Bytes(), ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second document: %v", err)
	}
	closed := make(chan error)
	go func() { closed <- e.Close() }()
	select {
	case err := <-closed:
		t.Errorf("closed with a document open: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := e.Open(t.Context(), d.Bytes(), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("open after closing: %v", err)
	}
}

// TestSharedCacheIsNotUsed keeps code that somebody else could have written
// from being run.
func TestSharedCacheIsNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes on Windows")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cache := openCache(dir)
	if cache == nil {
		t.Fatal("a directory of one's own is not used")
	}
	if err := cache.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if openCache(dir) != nil {
		t.Error("a directory that anybody can write to is used")
	}
	if openCache("") != nil {
		t.Error("a cache without a directory")
	}
}
