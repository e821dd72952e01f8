package rootfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// action does one thing with a path and returns all it learnt by it.
type action struct {
	name string
	// opens marks the plain way to read a file or directory, changes all that
	// may leave something behind.
	opens, changes bool
	run            func(fsys afero.Fs, path string) (string, error)
}

// actions use the methods that every afero.Fs has, so that they can also show
// how others escape.
var actions = []action{
	{"Open", true, false, func(f afero.Fs, p string) (string, error) { return readFrom(f.Open(p)) }},
	{"OpenFile read", true, false, func(f afero.Fs, p string) (string, error) { return readFrom(f.OpenFile(p, os.O_RDONLY, 0)) }},
	{"OpenFile write", false, true, writer(os.O_WRONLY)},
	{"OpenFile read write", false, true, writer(os.O_RDWR)},
	{"OpenFile append", false, true, writer(os.O_WRONLY | os.O_APPEND)},
	{"OpenFile truncate", false, true, writer(os.O_WRONLY | os.O_TRUNC)},
	{"OpenFile read truncate", false, true, writer(os.O_RDONLY | os.O_TRUNC)},
	{"OpenFile create", false, true, writer(os.O_WRONLY | os.O_CREATE)},
	{"OpenFile create truncate", false, true, writer(os.O_WRONLY | os.O_CREATE | os.O_TRUNC)},
	{"OpenFile create exclusive", false, true, writer(os.O_WRONLY | os.O_CREATE | os.O_EXCL)},
	{"Create", false, true, func(f afero.Fs, p string) (string, error) { return writeTo(f.Create(p)) }},
	{"Create below", false, true, func(f afero.Fs, p string) (string, error) { return writeTo(f.Create(p + "/planted.txt")) }},
	{"Open below", false, false, func(f afero.Fs, p string) (string, error) { return readFrom(f.Open(p + "/secret.txt")) }},
	{"Stat", false, false, func(f afero.Fs, p string) (string, error) { return described(f.Stat(p)) }},
	{"Stat below", false, false, func(f afero.Fs, p string) (string, error) { return described(f.Stat(p + "/secret.txt")) }},
	{"Lstat", false, false, func(f afero.Fs, p string) (string, error) {
		info, _, err := f.(afero.Lstater).LstatIfPossible(p)
		return described(info, err)
	}},
	{"Readlink", false, false, func(f afero.Fs, p string) (string, error) { return f.(afero.LinkReader).ReadlinkIfPossible(p) }},
	{"Readdir", false, false, func(f afero.Fs, p string) (string, error) {
		infos, err := afero.ReadDir(f, p)
		return list(infos), err
	}},
	{"Walk", false, false, walk},
	{"Mkdir", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Mkdir(p, 0o755) }},
	{"Mkdir below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Mkdir(p+"/planted", 0o755) }},
	{"MkdirAll", false, true, func(f afero.Fs, p string) (string, error) { return "", f.MkdirAll(p, 0o755) }},
	{"MkdirAll below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.MkdirAll(p+"/planted/deep", 0o755) }},
	{"Remove", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Remove(p) }},
	{"Remove below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Remove(p + "/secret.txt") }},
	{"RemoveAll", false, true, func(f afero.Fs, p string) (string, error) { return "", f.RemoveAll(p) }},
	{"RemoveAll slash", false, true, func(f afero.Fs, p string) (string, error) { return "", f.RemoveAll(p + "/") }},
	{"RemoveAll below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.RemoveAll(p + "/dir") }},
	{"Rename from", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Rename(p, "moved") }},
	{"Rename from below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Rename(p+"/secret.txt", "moved") }},
	{"Rename to", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Rename("inside.txt", p) }},
	{"Rename to below", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Rename("inside.txt", p+"/planted.txt") }},
	{"Rename dir to", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Rename("empty", p) }},
	{"Chmod", false, true, func(f afero.Fs, p string) (string, error) { return "", f.Chmod(p, 0o711) }},
	{"Chown", false, true, func(f afero.Fs, p string) (string, error) {
		return "", f.Chown(p, os.Getuid(), os.Getgid()+chownStep())
	}},
	{"Chtimes", false, true, func(f afero.Fs, p string) (string, error) {
		return "", f.Chtimes(p, time.Unix(1, 0), time.Unix(2, 0))
	}},
	{"Symlink at", false, true, func(f afero.Fs, p string) (string, error) {
		return "", f.(afero.Linker).SymlinkIfPossible("inside.txt", p)
	}},
	{"Symlink to", false, true, func(f afero.Fs, p string) (string, error) {
		if err := f.(afero.Linker).SymlinkIfPossible(p, "new-link"); err != nil {
			return "", err
		}
		return readFrom(f.Open("new-link"))
	}},
}

// extraActions use what only FS has.
var extraActions = []action{
	{"OpenRegular", false, false, extra(func(f *FS, p string) (string, error) { return readRegular(f.OpenRegular(p, os.O_RDONLY, 0)) })},
	{"OpenRegular write", false, true, extra(func(f *FS, p string) (string, error) {
		return readRegular(f.OpenRegular(p, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644))
	})},
	{"OpenDir", false, false, extra(func(f *FS, p string) (string, error) {
		d, err := f.OpenDir(p)
		if err != nil {
			return "", err
		}
		defer d.Close()
		entries, err := d.ReadDir(-1)
		text := d.Name()
		for _, e := range entries {
			info, ierr := e.Info()
			s, _ := described(info, ierr)
			text += e.Name() + s + fmt.Sprint(ierr)
		}
		return text, err
	})},
	{"ReadFile", false, false, extra(func(f *FS, p string) (string, error) {
		data, err := f.ReadFile(p, 1<<20)
		return string(data), err
	})},
	{"CreateTemp", false, true, extra(func(f *FS, p string) (string, error) {
		file, err := f.CreateTemp(p, "planted-*")
		if err != nil {
			return "", err
		}
		return file.Name(), file.Close()
	})},
	{"RenameNoReplace from", false, true, extra(func(f *FS, p string) (string, error) { return "", f.RenameNoReplace(p, "moved") })},
	{"RenameNoReplace to", false, true, extra(func(f *FS, p string) (string, error) { return "", f.RenameNoReplace("inside.txt", p) })},
	{"SyncDir", false, false, extra(func(f *FS, p string) (string, error) { return "", f.SyncDir(p) })},
}

func extra(run func(f *FS, p string) (string, error)) func(afero.Fs, string) (string, error) {
	return func(f afero.Fs, p string) (string, error) { return run(f.(*FS), p) }
}

// chownStep is 1 for root, who alone may change a group at will.
func chownStep() int {
	if os.Getuid() == 0 {
		return 1
	}
	return 0
}

// readFrom reads the start of a file, or lists a directory.
func readFrom(f afero.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	text := f.Name() + escapetest.Describe(info)
	if info.IsDir() {
		infos, err := f.Readdir(-1)
		return text + list(infos), err
	}
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	return text + string(data), err
}

func readRegular(f *os.File, info fs.FileInfo, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	return f.Name() + escapetest.Describe(info) + string(data), err
}

func writer(flag int) func(afero.Fs, string) (string, error) {
	return func(f afero.Fs, p string) (string, error) { return writeTo(f.OpenFile(p, flag, 0o644)) }
}

func writeTo(f afero.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	_, err = f.WriteString("PLANTED")
	return f.Name(), errors.Join(err, f.Close())
}

func described(info fs.FileInfo, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return escapetest.Describe(info), nil
}

func list(infos []fs.FileInfo) string {
	var b strings.Builder
	for _, info := range infos {
		b.WriteString(escapetest.Describe(info) + "\n")
	}
	return b.String()
}

func walk(f afero.Fs, p string) (string, error) {
	var b strings.Builder
	n := 0
	err := afero.Walk(f, p, func(path string, info fs.FileInfo, err error) error {
		if n++; n > 1000 {
			return io.ErrShortBuffer
		}
		if err != nil {
			return err
		}
		b.WriteString(path + " " + escapetest.Describe(info) + "\n")
		return nil
	})
	return b.String(), err
}
