package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

// plantKinds makes one entry of each kind that errors are about.
func plantKinds(t *testing.T, dir string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Join(dir, "dir/sub"), 0o755))
	check(t, os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644))
	for name, target := range map[string]string{"out": "/etc/hostname", "loop": "loop", "dangling": "nowhere"} {
		check(t, os.Symlink(target, filepath.Join(dir, name)))
	}
}

// TestErrors holds the code, the sentinel and the text of each failure.
func TestErrors(t *testing.T) {
	open := func(name string) func(*FS) error {
		return func(f *FS) error { _, err := f.Open(name); return err }
	}
	long := strings.Repeat("n", 300)
	tests := []struct {
		name string
		run  func(*FS) error
		code facade.Code
		is   error
		text string
	}{
		{"missing", open("missing"), facade.CodeNotFound, fs.ErrNotExist, "open missing: no such file or directory"},
		{"missing parent", open("missing/x"), facade.CodeNotFound, fs.ErrNotExist, "open missing/x: no such file or directory"},
		{"dangling", open("dangling"), facade.CodeNotFound, fs.ErrNotExist, "open dangling: no such file or directory"},
		{"below file", open("file/x"), facade.CodeNotDirectory, syscall.ENOTDIR, "open file/x: not a directory"},
		{"file slash", open("file/"), facade.CodeNotDirectory, syscall.ENOTDIR, "open file/: not a directory"},
		{"outside", open("../x"), facade.CodeOutsideRoot, fs.ErrPermission, "open ../x: the path leads outside the root"},
		{"absolute", open("/etc/hostname"), facade.CodeOutsideRoot, fs.ErrPermission, "open /etc/hostname: the path leads outside the root"},
		{"link outside", open("out"), facade.CodeOutsideRoot, fs.ErrPermission, "open out: the path leads outside the root"},
		{"loop", open("loop"), facade.CodeInvalidArgument, syscall.ELOOP, "open loop: too many levels of symbolic links"},
		{"long name", open(long), facade.CodeInvalidArgument, syscall.ENAMETOOLONG, "open " + long + ": the path or a name in it is too long"},
		{"NUL", open("a\x00b"), facade.CodeInvalidArgument, syscall.EINVAL, "open a\x00b: the path has a NUL byte"},
		{"empty", open(""), facade.CodeInvalidArgument, fs.ErrInvalid, "open : the path is empty"},
		{
			"directory as file", func(f *FS) error { _, _, err := f.OpenRegular("dir", os.O_RDONLY, 0); return err },
			facade.CodeIsDirectory, syscall.EISDIR, "open dir: is a directory",
		},
		{
			"write to directory", func(f *FS) error { _, err := f.OpenFile("dir", os.O_WRONLY, 0); return err },
			facade.CodeIsDirectory, syscall.EISDIR, "open dir: is a directory",
		},
		{
			"file as directory", func(f *FS) error { _, err := f.OpenDir("file"); return err },
			facade.CodeNotDirectory, syscall.ENOTDIR, "open file: not a directory",
		},
		{
			"exclusive", func(f *FS) error { _, err := f.OpenFile("file", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644); return err },
			facade.CodeAlreadyExists, fs.ErrExist, "open file: file exists",
		},
		{"create with slash", func(f *FS) error { _, err := f.Create("new/"); return err }, facade.CodeIsDirectory, syscall.EISDIR, "open new/: is a directory"},
		{"mkdir again", func(f *FS) error { return f.Mkdir("dir", 0o755) }, facade.CodeAlreadyExists, fs.ErrExist, "mkdir dir: file exists"},
		{"mkdirall over file", func(f *FS) error { return f.MkdirAll("file", 0o755) }, facade.CodeNotDirectory, syscall.ENOTDIR, "mkdir file: not a directory"},
		{"mkdirall below file", func(f *FS) error { return f.MkdirAll("file/x/y", 0o755) }, facade.CodeNotDirectory, syscall.ENOTDIR, "mkdir file/x/y: not a directory"},
		{"remove full", func(f *FS) error { return f.Remove("dir") }, facade.CodeNotEmpty, syscall.ENOTEMPTY, "remove dir: directory not empty"},
		{"remove file slash", func(f *FS) error { return f.Remove("file/") }, facade.CodeNotDirectory, syscall.ENOTDIR, "remove file/: not a directory"},
		{"remove all file slash", func(f *FS) error { return f.RemoveAll("file/") }, facade.CodeNotDirectory, syscall.ENOTDIR, "remove file/: not a directory"},
		{"remove root", func(f *FS) error { return f.RemoveAll("dir/..") }, facade.CodeInvalidArgument, fs.ErrInvalid, `remove dir/..: the path ends in "." or ".."`},
		{"rename missing", func(f *FS) error { return f.Rename("missing", "new") }, facade.CodeNotFound, fs.ErrNotExist, "rename missing new: no such file or directory"},
		{"rename outside", func(f *FS) error { return f.Rename("file", "../new") }, facade.CodeOutsideRoot, fs.ErrPermission, "rename file ../new: the path leads outside the root"},
		{"rename onto directory", func(f *FS) error { return f.Rename("dir/sub", "dir") }, facade.CodeAlreadyExists, fs.ErrExist, "rename dir/sub dir: file exists"},
		{"rename file slash", func(f *FS) error { return f.Rename("file", "new/") }, facade.CodeNotDirectory, syscall.ENOTDIR, "rename file new/: not a directory"},
		{"rename below itself", func(f *FS) error { return f.Rename("dir", "dir/sub/x") }, facade.CodeInvalidArgument, syscall.EINVAL, "rename dir dir/sub/x: invalid argument"},
		{"readlink of file", func(f *FS) error { _, err := f.Readlink("file"); return err }, facade.CodeInvalidArgument, syscall.EINVAL, "readlink file: invalid argument"},
		{"temp with slash", func(f *FS) error { _, err := f.CreateTemp("dir", "../x*"); return err }, facade.CodeInvalidArgument, fs.ErrInvalid, "createtemp ../x*: the pattern has a slash"},
		{"too large", func(f *FS) error { _, err := f.ReadFile("file", 0); return err }, facade.CodeTooLarge, nil, "read file: the file has more than 0 bytes"},
	}
	eachVariant(t, func(t *testing.T, v variant) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				dir := t.TempDir()
				plantKinds(t, dir)
				err := tt.run(v.open(t, dir, nil))
				if err == nil {
					t.Fatal("no error")
				}
				if got := facade.CodeOf(err); got != tt.code {
					t.Errorf("code %q, want %q: %v", got, tt.code, err)
				}
				if tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("%v is not %v", err, tt.is)
				}
				if diff := cmp.Diff(tt.text, err.Error()); diff != "" {
					t.Error(diff)
				}
			})
		}
	})
}

// TestErrorIsOwn lets a caller add to an error without others seeing it.
func TestErrorIsOwn(t *testing.T) {
	f := variants()[0].open(t, t.TempDir(), nil)
	_, err := f.Open("../x")
	e, ok := errors.AsType[*facade.Error](err)
	if !ok {
		t.Fatalf("%T", err)
	}
	e.WithPath("changed")
	_, err = f.Open("../y")
	if e, _ := errors.AsType[*facade.Error](err); e.Path != "" {
		t.Errorf("path %q of another error", e.Path)
	}
}

func TestOpenErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o644))
	for name, run := range map[string]func() (*FS, error){
		"missing":  func() (*FS, error) { return Open(file+"-missing", nil) },
		"file":     func() (*FS, error) { return Open(file, nil) },
		"negative": func() (*FS, error) { return Open(filepath.Dir(file), &Options{MaxPath: -1}) },
	} {
		if f, err := run(); err == nil {
			t.Errorf("%s: no error", name)
			check(t, f.Close())
		}
	}
}

func TestMaxPath(t *testing.T) {
	f := variants()[0].open(t, t.TempDir(), &Options{MaxPath: 10})
	if err := f.Mkdir("0123456789", 0o755); err != nil {
		t.Error(err)
	}
	if _, err := f.Stat("0123456789/"); !errors.Is(err, syscall.ENAMETOOLONG) {
		t.Errorf("11 bytes: %v", err)
	}
}

func TestWindowsNames(t *testing.T) {
	for _, name := range []string{`a\b`, `..\x`, "C:", "C:/x", "file:stream", `\\host\x`} {
		if facade.CodeOf(checkWindowsName(name)) != facade.CodeOutsideRoot {
			t.Errorf("%q passes", name)
		}
	}
	for _, name := range []string{"a/b", "../x", "a/", ".", "a b"} {
		if err := checkWindowsName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
