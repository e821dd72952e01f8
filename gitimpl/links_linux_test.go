package gitimpl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLinksIn compares with package os, in a directory that takes many reads.
func TestLinksIn(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 600 {
		name := fmt.Sprintf("an entry with a name of some length, %d", i)
		path := filepath.Join(dir, name)
		var err error
		switch i % 3 {
		case 0:
			err = os.WriteFile(path, nil, 0o600)
		case 1:
			err = os.Mkdir(path, 0o700)
		default:
			err = os.Symlink("nowhere", path)
			want = append(want, name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := linksIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	same, err := readLinks(dir)
	slices.Sort(same)
	if d := cmp.Diff(want, same); d != "" || err != nil {
		t.Error(err, d)
	}
	if _, err := linksIn(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
}

// TestReadRegularRefuses holds that neither a link nor a FIFO is read.
func TestReadRegularRefuses(t *testing.T) {
	dir := t.TempDir()
	file, link, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "fifo")
	if err := errors.Join(os.WriteFile(file, []byte("x"), 0o600), os.Symlink(file, link), syscall.Mkfifo(fifo, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, fifo} {
		if got, err := readRegular(path, 10); err == nil {
			t.Errorf("%s was read: %q", filepath.Base(path), got)
		}
	}
}

// FuzzLinksAmong reads anything as a directory: it must not panic, and every
// name must come from it.
func FuzzLinksAmong(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x18\x00\x0alink\x00"))
	f.Add(make([]byte, 40))
	f.Fuzz(func(t *testing.T, list []byte) {
		names, _ := linksAmong(list)
		total := 0
		for _, name := range names {
			total += len(name)
		}
		if total > len(list) {
			t.Errorf("%d bytes of names in %d bytes", total, len(list))
		}
	})
}
