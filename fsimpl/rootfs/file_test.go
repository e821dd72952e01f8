package rootfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// TestFileMethods uses what io.Copy and others find by assertion.
func TestFileMethods(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		f := v.open(t, dir, nil)
		if strings.Contains(f.Name(), dir) || f.Name() == "" {
			t.Errorf("the file system is named %q", f.Name())
		}
		src, err := f.OpenFile("src", os.O_RDWR|os.O_CREATE, 0o600)
		check(t, err)
		defer src.Close()
		_, err = src.WriteString("0123456789")
		check(t, err)
		_, err = src.WriteAt([]byte("XY"), 4)
		check(t, err)
		_, err = src.Seek(0, io.SeekStart)
		check(t, err)
		dst, err := f.OpenFile("dst", os.O_RDWR|os.O_CREATE, 0o600)
		check(t, err)
		defer dst.Close()
		if n, err := dst.(*File).ReadFrom(src); n != 10 || err != nil {
			t.Errorf("ReadFrom another file: %d, %v", n, err)
		}
		if n, err := dst.(*File).ReadFrom(strings.NewReader("more")); n != 4 || err != nil {
			t.Errorf("ReadFrom a reader: %d, %v", n, err)
		}
		check(t, dst.Truncate(12))
		_, err = dst.Seek(0, io.SeekStart)
		check(t, err)
		var b bytes.Buffer
		if n, err := dst.(*File).WriteTo(&b); n != 12 || err != nil || b.String() != "0123XY6789mo" {
			t.Errorf("WriteTo: %d, %v, %q", n, err, b.String())
		}
		check(t, dst.(*File).Chmod(0o640))
		if info, err := dst.(*File).File().Stat(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		check(t, dst.Sync())
	})
}

// TestClosedFile fails by the file's name below the root, whatever is asked.
func TestClosedFile(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		f := v.open(t, dir, nil)
		check(t, f.Mkdir("d", 0o755))
		file, err := f.Create("d/file")
		check(t, err)
		check(t, file.Close())
		handle := file.(*File)
		for name, call := range map[string]func(f *File) error{
			"close":        func(f *File) error { return f.Close() },
			"readat":       func(f *File) error { _, err := f.ReadAt(make([]byte, 1), 0); return err },
			"writeat":      func(f *File) error { _, err := f.WriteAt([]byte("x"), 0); return err },
			"writestring":  func(f *File) error { _, err := f.WriteString("x"); return err },
			"readfrom":     func(f *File) error { _, err := f.ReadFrom(strings.NewReader("x")); return err },
			"writeto":      func(f *File) error { _, err := f.WriteTo(io.Discard); return err },
			"seek":         func(f *File) error { _, err := f.Seek(0, io.SeekStart); return err },
			"stat":         func(f *File) error { _, err := f.Stat(); return err },
			"sync":         func(f *File) error { return f.Sync() },
			"truncate":     func(f *File) error { return f.Truncate(0) },
			"chmod":        func(f *File) error { return f.Chmod(0o600) },
			"readdir":      func(f *File) error { _, err := f.Readdir(1); return err },
			"readdirnames": func(f *File) error { _, err := f.Readdirnames(1); return err },
			"ReadDir":      func(f *File) error { _, err := f.ReadDir(1); return err },
		} {
			err := call(handle)
			var path *fs.PathError
			closed := errors.Is(err, fs.ErrClosed) || strings.Contains(name, "eaddir") || name == "ReadDir" // package os words these itself
			if err == nil || !closed || !errors.As(err, &path) || path.Path != "d/file" || strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestDirEntries(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		f := v.open(t, t.TempDir(), nil)
		check(t, f.Mkdir("d", 0o755))
		check(t, afero.WriteFile(f, "d/file", []byte("abc"), 0o600))
		d, err := f.Open("d")
		check(t, err)
		entries, err := d.(*File).ReadDir(-1)
		check(t, errors.Join(err, d.Close()))
		if len(entries) != 1 {
			t.Fatalf("%d entries", len(entries))
		}
		if info, err := entries[0].Info(); err != nil || info.Size() != 3 {
			t.Errorf("info %+v, %v", info, err)
		}
		if s, ok := entries[0].(interface{ String() string }); !ok || s.String() != "- file" {
			t.Errorf("entry is %v", entries[0])
		}
		check(t, f.Remove("d/file"))
		if _, err := entries[0].Info(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("info of what is gone: %v", err)
		}
	})
}
