package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

func TestOpenRegular(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		file, info, err := f.OpenRegular("file", os.O_RDWR, 0)
		check(t, err)
		if file.Name() != "file" || info.Size() != 1 || !info.Mode().IsRegular() {
			t.Errorf("name %q, size %d, mode %v", file.Name(), info.Size(), info.Mode())
		}
		_, err = file.WriteString("yz")
		check(t, err)
		check(t, file.Close())
		if _, err := file.Read(nil); err == nil || strings.Contains(err.Error(), dir) {
			t.Errorf("read after close: %v", err)
		}
		file, info, err = f.OpenRegular("file", os.O_WRONLY|os.O_TRUNC, 0)
		check(t, err)
		check(t, file.Close())
		if info.Size() != 0 {
			t.Errorf("size %d after truncation", info.Size())
		}
		file, _, err = f.OpenRegular("new", os.O_WRONLY|os.O_CREATE, 0o604)
		check(t, err)
		check(t, file.Close())
		if info, err := f.Stat("new"); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o604 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	})
}

func TestAppend(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		f := v.open(t, t.TempDir(), nil)
		for range 2 {
			file, err := f.OpenFile("log", os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
			check(t, err)
			_, err = file.WriteString("x")
			check(t, errors.Join(err, file.Close()))
		}
		if data, err := f.ReadFile("log", 10); string(data) != "xx" {
			t.Errorf("%q, %v", data, err)
		}
	})
}

func TestOpenDir(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		d, err := f.OpenDir(".")
		check(t, err)
		var got []string
		var entries []fs.DirEntry
		for {
			page, err := d.ReadDir(2)
			for _, e := range page {
				got = append(got, fs.FormatDirEntry(e))
			}
			entries = append(entries, page...)
			if errors.Is(err, io.EOF) {
				break
			}
			check(t, err)
		}
		check(t, d.Close())
		slices.Sort(got)
		if diff := cmp.Diff([]string{"- file", "L dangling", "L loop", "L out", "d dir/"}, got); diff != "" {
			t.Error(diff)
		}
		for _, e := range entries { // after d is closed
			info, err := e.Info()
			if err != nil || info.Name() != e.Name() || info.Mode().Type() != e.Type() {
				t.Errorf("%v: %v, %v", e, info, err)
			}
		}
		check(t, f.Remove("file"))
		i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "file" })
		if _, err := entries[i].Info(); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), dir) {
			t.Errorf("info of a removed entry: %v", err)
		}
	})
}

// TestNames: no file shows the host's path by its name or errors.
func TestNames(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		for _, name := range []string{"file", "dir", ".", "./dir/../file"} {
			file, err := f.Open(name)
			check(t, err)
			if file.Name() != name {
				t.Errorf("name %q, want %q", file.Name(), name)
			}
			check(t, file.Close())
			_, statErr := file.Stat()
			_, readErr := file.Read(make([]byte, 1))
			_, dirErr := file.Readdir(-1)
			_, seekErr := file.Seek(0, 0)
			_, writeErr := file.WriteString("x")
			for _, err := range []error{file.Close(), file.Sync(), file.Truncate(0), statErr, readErr, dirErr, seekErr, writeErr} {
				if err == nil || strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), name) {
					t.Errorf("after close: %v", err)
				}
			}
		}
	})
}

func TestCreateTemp(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		f := v.open(t, t.TempDir(), nil)
		check(t, f.Mkdir("dir", 0o755))
		seen := map[string]bool{}
		for range 20 {
			file, err := f.CreateTemp("dir", ".x-*.tmp")
			check(t, err)
			name := file.Name()
			if ok, _ := filepath.Match("dir/.x-*.tmp", name); !ok || seen[name] {
				t.Errorf("name %q", name)
			}
			seen[name] = true
			check(t, file.Close())
			if info, err := f.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
		}
		file, err := f.CreateTemp(".", "plain")
		check(t, err)
		check(t, file.Close())
		if !strings.HasPrefix(file.Name(), "plain") || strings.Contains(file.Name(), "/") {
			t.Errorf("name %q", file.Name())
		}
		if _, err := f.CreateTemp("missing", "x"); facade.CodeOf(err) != facade.CodeNotFound {
			t.Errorf("in a missing directory: %v", err)
		}
	})
}

func TestRenameNoReplace(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		check(t, f.Mkdir("other", 0o755))
		check(t, afero.WriteFile(f, "second", []byte("second"), 0o644))
		for _, old := range []string{"second", "other"} {
			for _, name := range []string{"file", "dir", "dangling", "out"} {
				if err := f.RenameNoReplace(old, name); !errors.Is(err, fs.ErrExist) {
					t.Errorf("%s to %s: %v", old, name, err)
				}
			}
		}
		check(t, f.RenameNoReplace("second", "dir/third"))
		check(t, f.RenameNoReplace("other", "dir/other"))
		if data, err := f.ReadFile("dir/third", 10); string(data) != "second" {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := f.Lstat("second"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("old name: %v", err)
		}
		check(t, f.Rename("dir/third", "out")) // replaces the link, not its target
		if info, err := f.Lstat("out"); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%v, %v", info, err)
		}
	})
}

func TestReadFile(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		f := v.open(t, dir, nil)
		for _, size := range []int{0, 1, 511, 512, 513, 100000} {
			want := strings.Repeat("x", size)
			check(t, afero.WriteFile(f, "file", []byte(want), 0o644))
			if data, err := f.ReadFile("file", int64(size)); err != nil || string(data) != want {
				t.Errorf("%d bytes: %d, %v", size, len(data), err)
			}
			if size == 0 {
				continue
			}
			if _, err := f.ReadFile("file", int64(size)-1); facade.CodeOf(err) != facade.CodeTooLarge {
				t.Errorf("%d bytes with less allowed: %v", size, err)
			}
		}
	})
}

// TestReadAllGrowing reads what is longer than it was said to be.
func TestReadAllGrowing(t *testing.T) {
	r := strings.NewReader(strings.Repeat("x", 3000))
	if data, err := readAll(r, 10, 3000); err != nil || len(data) != 3000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	r.Reset(strings.Repeat("x", 3000))
	if _, err := readAll(r, 10, 2999); facade.CodeOf(err) != facade.CodeTooLarge {
		t.Error(err)
	}
}

func TestAttributeChanges(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		check(t, os.Symlink("file", filepath.Join(dir, "link")))
		f := v.open(t, dir, nil)
		when := time.Unix(1e9, 0)
		check(t, f.Chtimes("link", time.Time{}, when))
		check(t, f.Chmod("link", 0o444))
		check(t, f.Chmod("dir", 0o700))
		check(t, f.Chown("link", -1, os.Getgid()))
		info, err := os.Stat(filepath.Join(dir, "file"))
		check(t, err)
		if !info.ModTime().Equal(when) || info.Mode() != 0o444 {
			t.Errorf("%v, %v", info.ModTime(), info.Mode())
		}
		for _, name := range []string{"out", "missing", "../x"} {
			if f.Chmod(name, 0o600) == nil || f.Chown(name, -1, -1) == nil || f.Chtimes(name, when, when) == nil {
				t.Errorf("%s can be changed", name)
			}
		}
	})
}

// TestStandardSuite runs the standard library's checks of a file system.
func TestStandardSuite(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
		for _, name := range []string{"x", "a/y", "a/b/z"} {
			check(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644))
		}
		f := v.open(t, dir, nil)
		if err := fstest.TestFS(afero.NewIOFS(f), "x", "a/y", "a/b/z"); err != nil {
			t.Error(err)
		}
	})
}

func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	plantKinds(t, dir)
	f := variants()[0].open(t, dir, nil)
	a, err := f.Stat("file")
	check(t, err)
	b, err := os.Stat(filepath.Join(dir, "file"))
	check(t, err)
	c, err := f.Stat("dir")
	check(t, err)
	if !SameFile(a, b) || !SameFile(b, a) || !SameFile(a, a) || SameFile(a, c) || SameFile(b, c) {
		t.Error("SameFile does not tell files apart")
	}
}
