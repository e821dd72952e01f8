package fsimpl_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// rareText is large, and has the text to replace in a few places.
func rareText() []byte {
	line := "a line of " + strings.Repeat("some words and ", 4000) + "a needle in it\n"
	return bytes.Repeat([]byte(line), 9<<20/len(line))
}

// largeOn plants a large file in memory and opens the tools on it.
func largeOn(t *testing.T, content []byte) (*facadetest.FaultFs, *fsimpl.Files) {
	t.Helper()
	mem := afero.NewMemMapFs()
	check(t, afero.WriteFile(mem, "/large.txt", content, 0o640))
	fsys := facadetest.NewFaultFs(mem)
	return fsys, newFiles(t, fsys, nil)
}

// holdsLarge checks the file's content, and that nothing is left beside it.
func holdsLarge(t *testing.T, what string, fsys afero.Fs, want []byte) {
	t.Helper()
	img, err := image(fsys)
	check(t, err)
	if len(img) != 1 || img["large.txt"] != "-rw-r----- "+string(want) {
		t.Errorf("%s: %d files, %d bytes, want %d", what, len(img), len(img["large.txt"]), len(want))
	}
}

// An operation that fails while a large file is changed leaves it as it was.
func TestLargeReplaceFaults(t *testing.T) {
	old := rareText()
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	for _, tt := range []struct {
		name  string
		fault facadetest.Fault
		code  facade.Code
	}{
		{"open", facadetest.Fault{Op: facadetest.OpOpen, Name: "large.txt", Err: syscall.EIO}, facade.CodeIO},
		{"first read", facadetest.Fault{Op: facadetest.OpRead, Err: syscall.EIO}, facade.CodeIO},
		{"later read", facadetest.Fault{Op: facadetest.OpRead, Err: syscall.EIO, After: 20}, facade.CodeIO},
		{"create", facadetest.Fault{Op: facadetest.OpCreate, Err: syscall.ENOSPC}, facade.CodeNoSpace},
		{"first write", facadetest.Fault{Op: facadetest.OpWrite, Err: syscall.ENOSPC, Partial: 3}, facade.CodeNoSpace},
		{"later write", facadetest.Fault{Op: facadetest.OpWrite, Err: syscall.ENOSPC, After: 20}, facade.CodeNoSpace},
		{"short write", facadetest.Fault{Op: facadetest.OpWrite, Partial: 5, After: 10}, facade.CodeIO},
		{"sync", facadetest.Fault{Op: facadetest.OpSync, Err: syscall.EIO, Times: 1}, facade.CodeIO},
		{"rename", facadetest.Fault{Op: facadetest.OpRename, Err: syscall.EACCES, Times: 1}, facade.CodePermissionDenied},
	} {
		fsys, files := largeOn(t, old)
		fsys.Arm(tt.fault)
		_, err := files.Replace(t.Context(), in)
		fsys.Arm()
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != tt.code || e.Path != "large.txt" || e.Hint == "" || strings.Contains(e.Text(), ".toolfacade-") {
			t.Errorf("%s: %v", tt.name, err)
		}
		holdsLarge(t, tt.name, fsys, old)
	}
}

// The last block is written when the content ends.
func TestLargeReplaceFaultAtTheEnd(t *testing.T) {
	old := rareText()
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	fsys, files := largeOn(t, old)
	fsys.Arm()
	_, err := files.Replace(t.Context(), in)
	check(t, err)
	writes := fsys.Count(facadetest.OpWrite)
	fsys, files = largeOn(t, old)
	fsys.Arm(facadetest.Fault{Op: facadetest.OpWrite, Err: syscall.ENOSPC, After: writes - 1})
	if _, err = files.Replace(t.Context(), in); facade.CodeOf(err) != facade.CodeNoSpace {
		t.Errorf("%v", err)
	}
	fsys.Arm()
	holdsLarge(t, "last write", fsys, old)
}

// A change that is in place is no failure because its diff cannot be made; a
// dry run is one, since the diff is what it is for.
func TestLargeReplaceWithoutDiff(t *testing.T) {
	old := rareText()
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	for _, dry := range []bool{false, true} {
		in.DryRun = dry
		_, files := largeOn(t, old)
		whole, err := files.Replace(t.Context(), in)
		check(t, err)
		if whole.Diff == "" || whole.Count == 0 || whole.ETag == "" {
			t.Fatalf("dry run %t: %d places, etag %q, diff %q", dry, whole.Count, whole.ETag, whole.Diff)
		}
		mem := afero.NewMemMapFs()
		check(t, afero.WriteFile(mem, "/large.txt", old, 0o640))
		// Once to detect the encoding; the diff reads it again.
		files = newFiles(t, &oddFs{Fs: mem, reads: 1, readAt: syscall.EIO}, nil)
		got, err := files.Replace(t.Context(), in)
		if dry {
			if facade.CodeOf(err) != facade.CodeIO {
				t.Errorf("dry run: %v, diff %q", err, got.Diff)
			}
			holdsLarge(t, "dry run", mem, old)
			continue
		}
		if err != nil || got.Diff != "" || got.ETag != whole.ETag || got.Count != whole.Count {
			t.Errorf("%v; %d places, etag %q, diff %q", err, got.Count, got.ETag, got.Diff)
		}
		holdsLarge(t, "no diff", mem, bytes.ReplaceAll(old, []byte("needle"), []byte("pin")))
	}
}

// A file system that does not tell when a file was changed costs time only.
func TestLargeReplaceInMemoryIsUndone(t *testing.T) {
	old := rareText()
	fsys, files := largeOn(t, old)
	out, err := files.Replace(t.Context(), facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true})
	check(t, err)
	if want := bytes.Count(old, []byte("needle")); out.Count != want {
		t.Errorf("%d places, want %d", out.Count, want)
	}
	holdsLarge(t, "replace", fsys, bytes.ReplaceAll(old, []byte("needle"), []byte("pin")))
	_, err = files.Undo(t.Context(), facade.UndoInput{Steps: 1})
	check(t, err)
	holdsLarge(t, "undo", fsys, old)
}

func TestLargeReplaceRefused(t *testing.T) {
	old := rareText()
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	fsys, files := largeOn(t, old)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.Replace(ctx, in); facade.CodeOf(err) != facade.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
	for _, dry := range []bool{false, true} {
		absent := facade.ReplaceInput{Path: "large.txt", OldContent: "absent", NewContent: "x", DryRun: dry}
		_, err := files.Replace(t.Context(), absent)
		if e, ok := errors.AsType[*facade.Error](err); !ok || e.Code != facade.CodeNoMatch || !strings.Contains(e.Hint, "grep") {
			t.Errorf("absent text, dry run %t: %v", dry, err)
		}
	}
	holdsLarge(t, "refused", fsys, old)
}

// In another encoding than UTF-8 there is no diff of a large file.
func TestLargeReplaceLatin1(t *testing.T) {
	if raceEnabled {
		t.Skip("decoding a large file takes too long with the race detector")
	}
	latin := append([]byte("caf\xE9\n"), rareText()...)
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	fsys, files := largeOn(t, latin)
	out, err := files.Replace(t.Context(), in)
	if err != nil || out.Diff != "" || out.Count == 0 {
		t.Errorf("latin-1: %d places, diff %q, %v", out.Count, out.Diff, err)
	}
	holdsLarge(t, "latin-1", fsys, bytes.ReplaceAll(latin, []byte("needle"), []byte("pin")))
}

// oddFs has files of which some operations fail.
type oddFs struct {
	afero.Fs
	seek   error
	reads  int // how often each file can be read at an offset
	readAt error
}

type oddFile struct {
	afero.File
	fs    *oddFs
	reads atomic.Int64
}

func (f *oddFs) Open(name string) (afero.File, error) {
	file, err := f.Fs.Open(name)
	return &oddFile{File: file, fs: f}, err
}

func (f *oddFile) Seek(offset int64, whence int) (int64, error) {
	if f.fs.seek != nil {
		return 0, f.fs.seek
	}
	return f.File.Seek(offset, whence)
}

func (f *oddFile) ReadAt(p []byte, off int64) (int, error) {
	if f.reads.Add(1) > int64(f.fs.reads) && f.fs.readAt != nil {
		return 0, f.fs.readAt
	}
	return f.File.ReadAt(p, off)
}

func TestLargeReplaceWithoutSeek(t *testing.T) {
	mem, old := afero.NewMemMapFs(), rareText()
	check(t, afero.WriteFile(mem, "/large.txt", old, 0o640))
	files := newFiles(t, &oddFs{Fs: mem, seek: syscall.ESPIPE}, nil)
	_, err := files.Replace(t.Context(), facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true})
	if facade.CodeOf(err) != facade.CodeIO || !errors.Is(err, syscall.ESPIPE) {
		t.Errorf("%v", err)
	}
	holdsLarge(t, "no seek", mem, old)
}
