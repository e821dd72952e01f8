package fsimpl

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
)

// A file that grows while it is copied counts with the bytes it turned out to
// have. What was copied of it does not stay.
func TestCopyOfAGrowingFile(t *testing.T) {
	f := working(t, lying{afero.NewMemMapFs()}, &Options{MaxCopyBytes: 10}, map[string]string{"small": "0123456789", "large": "0123456789a"})
	out, err := f.Copy(t.Context(), facade.CopyInput{Source: "small", Destination: "copy"})
	if err != nil || out.Bytes != 10 {
		t.Errorf("%+v, %v", out, err)
	}
	contains(t, f, "copy", "0123456789")
	_, err = f.Copy(t.Context(), facade.CopyInput{Source: "large", Destination: "other"})
	coded(t, err, facade.CodeTooLarge)
	if err != nil && !strings.Contains(err.Error(), "'large' has more than the 10 bytes") {
		t.Error(err)
	}
	lacks(t, f, "other")
	untidy(t, f, ".")
	contains(t, f, "large", "0123456789a")
}

// ending cancels a context when a directory is made.
type ending struct {
	afero.Fs
	cancel context.CancelFunc
}

func (e ending) Mkdir(name string, perm os.FileMode) error {
	e.cancel()
	return e.Fs.Mkdir(name, perm)
}

// A copy of a tree that is given up half way leaves nothing.
func TestCopyIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := working(t, ending{afero.NewMemMapFs(), cancel}, nil, map[string]string{"d/a": "a", "d/b": "b"})
	_, err := f.Copy(ctx, facade.CopyInput{Source: "d", Destination: "e"})
	coded(t, err, facade.CodeCanceled)
	lacks(t, f, "e")
	untidy(t, f, ".")
	contains(t, f, "d/a", "a")
}

// What somebody else removes while a tree is walked is no obstacle.
func TestDeleteOfAVanishingFile(t *testing.T) {
	f, fsys := failing(t, map[string]string{"d/gone": "x", "d/stays": "y"})
	fsys.Arm(facadetest.Fault{Op: facadetest.OpLstat, Name: "gone", Err: fs.ErrNotExist})
	out, err := f.Delete(t.Context(), facade.DeleteInput{Paths: []string{"d"}, Recursive: true})
	if err != nil || len(out.Deleted) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	lacks(t, f, "d")

	f, fsys = failing(t, map[string]string{"d/a": "x"})
	fsys.Arm(facadetest.Fault{Op: facadetest.OpLstat, Name: "a", Err: syscall.EIO})
	_, err = f.Delete(t.Context(), facade.DeleteInput{Paths: []string{"d"}, Recursive: true})
	coded(t, err, facade.CodeIO)
	fsys.Arm()
	contains(t, f, "d/a", "x")
}

// A file that grows beyond the limit while it is read is not read.
func TestReadAllOfAGrowingFile(t *testing.T) {
	f := working(t, lying{afero.NewMemMapFs()}, nil, map[string]string{"f": "0123456789"})
	if data, _, err := f.tree.readAll("f", 10); err != nil || string(data) != "0123456789" {
		t.Errorf("%q, %v", data, err)
	}
	data, _, err := f.tree.readAll("f", 9)
	coded(t, err, facade.CodeTooLarge)
	if data != nil {
		t.Errorf("%q in spite of the error", data)
	}
}

func TestSpecial(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		fs.ModeNamedPipe:                    "FIFO",
		fs.ModeSocket:                       "socket",
		fs.ModeSymlink:                      "symbolic link",
		fs.ModeDevice:                       "device",
		fs.ModeDevice | fs.ModeCharDevice:   "device",
		fs.ModeIrregular:                    "special file",
		fs.ModeIrregular | fs.ModeSticky:    "special file",
		fs.ModeNamedPipe | fs.FileMode(0o6): "FIFO",
	} {
		if got := special(mode); got != want {
			t.Errorf("%v is a %s, want %s", mode, got, want)
		}
	}
}

// A path that does not exist is answered with what there is, at most a few
// names of it.
func TestMissing(t *testing.T) {
	content := map[string]string{"one/a": ""}
	for _, name := range strings.Split("abcdefghi", "") {
		content["many/"+strings.Repeat(name, 3)] = ""
	}
	f := working(t, afero.NewMemMapFs(), nil, content)
	must(t, f.tree.fs.Mkdir("/empty", 0o755))
	for name, want := range map[string]string{
		"many/zzzzzz":   "'many' has: aaa, bbb, ccc, ddd, eee, fff, ggg, hhh, …",
		"one/zzzzzz/y":  "'one' has: a",
		"empty/zzz":     "the directory 'empty' is empty",
		"many/aab":      "did you mean 'many/aaa'?",
		"many/*":        "a path is no pattern",
		"many/aaa/file": "",
	} {
		_, err := f.Read(t.Context(), facade.ReadInput{Path: name})
		if err == nil {
			t.Errorf("%s was read", name)
			continue
		}
		e := f.asFailure(name, err)
		if !strings.Contains(e.Hint, want) || e.Hint == "" || strings.Contains(e.Hint, "iii") {
			t.Errorf("%s: %q, want %q", name, e.Hint, want)
		}
	}
}
