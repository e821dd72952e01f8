//go:build unix

package fsimpl

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

// sweptFs lets another process open the tree, and so sweep it, right after
// a temporary file or directory was made.
type sweptFs struct {
	*rootfs.FS
	sweep func()
	left  int // how many to sweep
}

func (s *sweptFs) made(name string, err error) {
	if err == nil && s.left > 0 && strings.HasPrefix(path.Base(name), ".toolfacade-") {
		s.left--
		s.sweep()
	}
}

func (s *sweptFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	f, err := s.FS.OpenFile(name, flag, perm)
	if flag&os.O_CREATE != 0 {
		s.made(name, err)
	}
	return f, err
}

func (s *sweptFs) Mkdir(name string, perm os.FileMode) error {
	err := s.FS.Mkdir(name, perm)
	s.made(name, err)
	return err
}

// openedFs lets a sweep come right after a directory of its own was opened and
// before it is locked.
type openedFs struct {
	*sweptFs
}

func (o *openedFs) Open(name string) (afero.File, error) {
	f, err := o.FS.Open(name)
	if strings.HasSuffix(name, asideSuffix) {
		o.made(name, err)
	}
	return f, err
}

func (o *openedFs) Mkdir(name string, perm os.FileMode) error { return o.FS.Mkdir(name, perm) }

// A refuge that a sweep takes before it is locked is made again.
func TestSweepBeforeTheLock(t *testing.T) {
	dir := t.TempDir()
	for file, content := range map[string]string{"d/x": "d\n", "e/x": "e\n"} {
		must(t, os.MkdirAll(path.Join(dir, path.Dir(file)), 0o755))
		must(t, os.WriteFile(path.Join(dir, file), []byte(content), 0o644))
	}
	root, err := rootfs.Open(dir, nil)
	must(t, err)
	o := &openedFs{&sweptFs{FS: root, sweep: func() {
		other, err := Open(dir, nil)
		must(t, err)
		must(t, other.Close())
	}}}
	files, err := newFiles(&tree{fs: o}, &Options{Journal: JournalOptions{InMemory: true}})
	must(t, err)
	defer func() { must(t, files.Close()) }()
	o.left = 2
	_, err = files.Move(t.Context(), facade.MoveInput{Source: "d", Destination: "e", Overwrite: true})
	if err != nil || o.left != 0 {
		t.Errorf("%d sweeps are left, %v", o.left, err)
	}
	contains(t, files, "e/x", "d\n")
	lacks(t, files, "d")
	untidy(t, files, ".")
}

// TestSweepBetween has a sweep come between the making of a temporary file and
// its lock: the change holds all the same.
func TestSweepBetween(t *testing.T) {
	for name, call := range map[string]struct {
		args string
		want map[string]string
	}{
		"replace":  {`{"action":"replace","path":"f","old_content":"old","new_content":"new"}`, map[string]string{"f": "new\n"}},
		"write":    {`{"action":"write","path":"g","content":"new\n"}`, map[string]string{"f": "old\n", "g": "new\n"}},
		"move dir": {`{"action":"move","source":"d","destination":"e","overwrite":true}`, map[string]string{"e/x": "d\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, content := range map[string]string{"f": "old\n", "d/x": "d\n", "e/x": "e\n"} {
				must(t, os.MkdirAll(path.Join(dir, path.Dir(file)), 0o755))
				must(t, os.WriteFile(path.Join(dir, file), []byte(content), 0o644))
			}
			root, err := rootfs.Open(dir, nil)
			must(t, err)
			defer func() { must(t, root.Close()) }()
			swept := &sweptFs{FS: root, sweep: func() {
				other, err := Open(dir, nil)
				must(t, err)
				must(t, other.Close())
			}}
			files, err := newFiles(&tree{fs: swept}, nil)
			must(t, err)
			defer func() { must(t, files.Close()) }()
			swept.left = 2
			r, err := facade.Files(files).Call(t.Context(), facade.Call{Args: json.RawMessage(call.args)})
			must(t, err)
			if !r.OK() || swept.left == 2 {
				t.Fatalf("after %d sweeps: %s", 2-swept.left, r.Text)
			}
			for file, want := range call.want {
				if got, err := os.ReadFile(path.Join(dir, file)); err != nil || string(got) != want {
					t.Errorf("%s has %q, %v; want %q", file, got, err, want)
				}
			}
			left, err := os.ReadDir(dir)
			must(t, err)
			for _, e := range left {
				if strings.HasPrefix(e.Name(), ".toolfacade-") {
					t.Errorf("%s is left", e.Name())
				}
			}
		})
	}
}

// TestSweepAtWork has a sweep hold the lock of a new temporary file, which it is
// about to remove: the change takes another one.
func TestSweepAtWork(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(path.Join(dir, "f"), []byte("old\n"), 0o644))
	root, err := rootfs.Open(dir, nil)
	must(t, err)
	var sweeping []*os.File
	defer func() {
		for _, f := range sweeping {
			must(t, f.Close())
		}
	}()
	swept := &sweptFs{FS: root, left: 2, sweep: func() {
		found, err := filepath.Glob(path.Join(dir, ".toolfacade-*"))
		must(t, err)
		for _, name := range found {
			f, err := os.Open(name)
			must(t, err)
			sweeping = append(sweeping, f)
			must(t, unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB))
			must(t, os.Remove(name))
		}
	}}
	files, err := newFiles(&tree{fs: swept}, nil)
	must(t, err)
	defer func() { must(t, files.Close()) }()
	_, err = files.Write(t.Context(), facade.WriteInput{Path: "f", Content: "new\n"})
	must(t, err)
	if len(sweeping) != 2 {
		t.Errorf("%d temporary files were swept", len(sweeping))
	}
	got, err := os.ReadFile(path.Join(dir, "f"))
	if err != nil || string(got) != "new\n" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}
