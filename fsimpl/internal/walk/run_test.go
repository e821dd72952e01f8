package walk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
)

// wide returns files in several directories of memory.
func wide(t *testing.T, dirs, each int) afero.Fs {
	t.Helper()
	mem := afero.NewMemMapFs()
	for i := range dirs {
		for j := range each {
			must(t, afero.WriteFile(mem, fmt.Sprintf("d%03d/sub/f%03d", i, j), []byte("x"), 0o644))
		}
	}
	return mem
}

// TestOrderUnderLoad has results that are larger than what may be held back,
// come late, and are several for a batch.
func TestOrderUnderLoad(t *testing.T) {
	mem := wide(t, 30, 30)
	want, _ := paths(t, mem, ".", &walk.Options{Workers: 1})
	var got []string
	work := func(_ context.Context, b *walk.Batch, emit func([]string, int) bool) error {
		for i := range b.Entries {
			if rand.IntN(5) == 0 {
				time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
			}
			name := b.Entries[i].Path()
			if b.Entries[i].Type == walk.Directory {
				name += "/"
			}
			if !emit([]string{name}, 1<<20) {
				return nil
			}
		}
		return nil
	}
	_, err := walk.Run(t.Context(), mem, ".", &walk.Options{Workers: 6}, work, func(names []string) bool {
		got = append(got, names...)
		return true
	})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths differ (-want +got):\n%s", diff)
	}
}

// TestReadsLittleAhead asks for one entry of many.
func TestReadsLittleAhead(t *testing.T) {
	mem := wide(t, 400, 50)
	var worked atomic.Int64
	work := func(_ context.Context, b *walk.Batch, emit func(int, int) bool) error {
		worked.Add(int64(len(b.Entries)))
		emit(len(b.Entries), 0)
		return nil
	}
	_, err := walk.Run(t.Context(), mem, ".", &walk.Options{Workers: 4}, work, func(int) bool {
		time.Sleep(50 * time.Millisecond) // the workers could do all meanwhile
		return false
	})
	must(t, err)
	if n := worked.Load(); n > 6000 {
		t.Errorf("worked on %d of 20,800 entries for one", n)
	}
}

func TestWorkFails(t *testing.T) {
	bad := errors.New("bad")
	for _, unordered := range []bool{false, true} {
		work := func(_ context.Context, b *walk.Batch, _ func(int, int) bool) error {
			if len(b.Entries) > 0 && strings.HasPrefix(b.Entries[0].Dir, "d005/") {
				return bad
			}
			return nil
		}
		_, err := walk.Run(t.Context(), wide(t, 10, 3), ".", &walk.Options{Workers: 3, Unordered: unordered}, work, func(int) bool { return true })
		if !errors.Is(err, bad) {
			t.Errorf("error %v, want %v", err, bad)
		}
	}
}

// TestPanic has a panic on a worker's goroutine, which must reach the caller.
func TestPanic(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		got := func() (p any) {
			defer func() { p = recover() }()
			work := func(_ context.Context, b *walk.Batch, _ func(int, int) bool) error { panic("broken") }
			_, _ = walk.Run(t.Context(), wide(t, 10, 3), ".", &walk.Options{Workers: 3, Unordered: unordered}, work, func(int) bool { return true })
			return nil
		}()
		if got != "broken" {
			t.Errorf("recovered %v, want the panic", got)
		}
	}
}

// TestCancelSoon cancels while all workers are busy.
func TestCancelSoon(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		work := func(ctx context.Context, _ *walk.Batch, _ func(int, int) bool) error {
			<-ctx.Done()
			return nil
		}
		time.AfterFunc(20*time.Millisecond, cancel)
		begin := time.Now()
		_, err := walk.Run(ctx, wide(t, 50, 3), ".", &walk.Options{Workers: 3, Unordered: unordered}, work, func(int) bool { return true })
		if took := time.Since(begin); !errors.Is(err, context.Canceled) || took > 20*time.Millisecond+limit {
			t.Errorf("error %v after %v", err, took)
		}
	}
}

// limit is how long a walk may go on after it was canceled; the promise is
// 50 ms, and a loaded machine adds to it.
const limit = 500 * time.Millisecond

// faultyFs fails to open or to read some directories.
type faultyFs struct{ afero.Fs }

var errFault = errors.New("fault")

func (f faultyFs) Open(name string) (afero.File, error) {
	file, err := f.Fs.Open(name)
	switch {
	case err != nil:
		return nil, err
	case path.Base(name) == "locked":
		file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	case path.Base(name) == "torn":
		return &tornDir{File: file}, nil
	}
	return file, nil
}

// tornDir fails after its first entry.
type tornDir struct {
	afero.File
	read bool
}

func (d *tornDir) Readdir(int) ([]fs.FileInfo, error) {
	if d.read {
		return nil, errFault
	}
	d.read = true
	return d.File.Readdir(1)
}

func TestFailures(t *testing.T) {
	mem := afero.NewMemMapFs()
	for _, name := range []string{"a/f", "locked/f", "torn/1", "torn/2", "z/f"} {
		must(t, afero.WriteFile(mem, name, nil, 0o644))
	}
	for _, unordered := range []bool{false, true} {
		got, stats := paths(t, faultyFs{mem}, ".", &walk.Options{Unordered: unordered, Workers: 1})
		if unordered {
			continue
		}
		if diff := cmp.Diff([]string{"a/", "a/f", "locked/", "torn/", "torn/1", "z/", "z/f"}, got); diff != "" {
			t.Errorf("paths differ (-want +got):\n%s", diff)
		}
		if stats.Failed != 2 || len(stats.Failures) != 2 || !errors.Is(errors.Join(stats.Failures...), errFault) {
			t.Errorf("stats %+v, want two failures", stats)
		}
	}
	for _, start := range []string{"missing", "a/missing", "a/f/x"} {
		if _, err := walk.Each(t.Context(), mem, start, nil, func(*walk.Entry) bool { return true }); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v, want fs.ErrNotExist", start, err)
		}
	}
}

func TestKeepAndStat(t *testing.T) {
	for name, fsys := range systems(t, map[string]string{"a/one.txt": "1", "a/three.txt": "333"}) {
		keep := func(e *walk.Entry) bool { return strings.HasPrefix(e.Name, "three") }
		n := 0
		_, err := walk.Each(t.Context(), fsys, ".", &walk.Options{Stat: true, Keep: keep}, func(e *walk.Entry) bool {
			n++
			if e.Path() != "a/three.txt" || e.Info == nil || e.Info.Size != 3 || e.Info.Mode&0o600 != 0o600 || time.Since(e.Info.Modified) > time.Hour {
				t.Errorf("%s: %s has %+v", name, e.Path(), e.Info)
			}
			return true
		})
		if err != nil || n != 1 {
			t.Errorf("%s: %d entries, error %v", name, n, err)
		}
	}
}

func TestOpen(t *testing.T) {
	for name, fsys := range systems(t, map[string]string{"a/b/one.txt": "content"}) {
		for _, start := range []string{".", "a/b", "a/b/one.txt"} {
			work := func(_ context.Context, b *walk.Batch, emit func(string, int) bool) error {
				for i := range b.Entries {
					if b.Entries[i].Type != walk.File {
						continue
					}
					f, err := b.Open(&b.Entries[i])
					if err != nil {
						return err
					}
					content, err := io.ReadAll(f)
					if err != nil || f.Regular() != nil {
						return fmt.Errorf("read: %w, regular: %w", err, f.Regular())
					}
					emit(b.Entries[i].Path()+": "+string(content), 0)
					if err := f.Close(); err != nil {
						return err
					}
				}
				return nil
			}
			got := ""
			_, err := walk.Run(t.Context(), fsys, start, nil, work, func(s string) bool { got += s; return true })
			if err != nil || got != "a/b/one.txt: content" {
				t.Errorf("%s from %s: %q, error %v", name, start, got, err)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	order := []string{"", "/", "a", "a/b", "a/b/c", "a/b.c", "a b", "a-b", "a.txt", "a0", "ab", "b"}
	for i, x := range order {
		for j, y := range order {
			if got := walk.Compare(x, y); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("Compare(%q, %q) = %d", x, y, got)
			}
		}
	}
}
