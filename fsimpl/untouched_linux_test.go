package fsimpl

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
)

// settled opens a file and skips the test where the file system's times are not
// relied on.
func settled(t *testing.T, name string, flag int) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !settle(f) {
		t.Skip("the temporary directory is neither on ext4 nor on xfs nor on btrfs")
	}
	return f
}

// A write through a map whose page was dirty already moves the times, once the
// file is settled.
func TestSettle(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, bytes.Repeat([]byte("x"), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	f := settled(t, name, os.O_RDWR)
	page, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Munmap(page); err != nil {
			t.Error(err)
		}
	}()
	page[0] = 'y'
	if !settle(f) {
		t.Fatal("not settled")
	}
	then, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * tick)
	page[0] = 'z'
	now, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if untouched(then, now, then.ModTime().Add(time.Second)) {
		t.Error("the change is not seen")
	}
}

func TestLargeReplaceKeepsNoCopy(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "journal")
	name := filepath.Join(dir, "large.txt")
	if err := os.WriteFile(name, bytes.Repeat([]byte("a line with a needle in it\n"), 350_000), 0o600); err != nil {
		t.Fatal(err)
	}
	settled(t, name, os.O_RDONLY)
	files, err := Open(dir, &Options{Journal: JournalOptions{Dir: kept}})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	time.Sleep(2 * tick)
	in := facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true}
	if _, err := files.Replace(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	err = filepath.WalkDir(kept, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil || total == 0 || total > 4<<20 {
		t.Errorf("the journal has %d bytes, %v", total, err)
	}
}

func TestUntouched(t *testing.T) {
	for _, c := range []struct {
		name string
		late time.Duration // how long after the last change the description was taken
		do   func(name string) error
		want bool
	}{
		{"nothing happened", time.Second, func(string) error { return nil }, true},
		{"the clock has hardly moved", time.Millisecond, func(string) error { return nil }, false},
		{"written in place, the time set back", time.Second, func(name string) error {
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			if _, err := f.WriteAt([]byte("X"), 0); err != nil {
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
			return os.Chtimes(name, info.ModTime(), info.ModTime())
		}, false},
		{"grown", time.Second, func(name string) error { return os.Truncate(name, 100) }, false},
		{"another file", time.Second, func(name string) error {
			if err := os.WriteFile(name+".new", []byte("content"), 0o600); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(name, []byte("content"), 0o600); err != nil {
				t.Fatal(err)
			}
			then, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * tick) // the next change gets another time
			if err := c.do(name); err != nil {
				t.Fatal(err)
			}
			now, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := untouched(then, now, then.ModTime().Add(c.late)); got != c.want {
				t.Errorf("untouched %v", got)
			}
		})
	}
}
