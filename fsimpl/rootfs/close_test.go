package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"

	"github.com/spf13/afero"
)

func TestClose(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		f, err := open(t.TempDir(), nil, v.new)
		check(t, err)
		file, err := f.Create("file")
		check(t, err)
		check(t, f.Close())
		check(t, f.Close())
		_, err = file.WriteString("x")
		check(t, errors.Join(err, file.Close()))
		_, statErr := f.Stat("file")
		_, openErr := f.Open("file")
		for _, err := range []error{statErr, openErr, f.Mkdir("x", 0o755), f.RemoveAll("file"), f.Rename("file", "x")} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		}
	})
}

// TestCloseWaits closes while calls run: each of them works or is refused,
// and none uses another file's descriptor.
func TestCloseWaits(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		for range 20 {
			f, err := open(t.TempDir(), nil, v.new)
			check(t, err)
			check(t, afero.WriteFile(f, "file", []byte("content"), 0o644))
			start := make(chan struct{})
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					<-start
					for range 50 {
						data, err := f.ReadFile("file", 100)
						if err != nil && !errors.Is(err, fs.ErrClosed) || err == nil && string(data) != "content" {
							t.Errorf("%q, %v", data, err)
						}
					}
				})
			}
			close(start)
			err = f.Close()
			wg.Wait()
			check(t, err)
		}
	})
}

// TestNoDescriptorLeft counts open files after every kind of failure.
func TestNoDescriptorLeft(t *testing.T) {
	const table = "/proc/self/fd"
	count := func() int {
		entries, err := os.ReadDir(table)
		if err != nil {
			t.Skipf("no table of open files: %v", err)
		}
		return len(entries)
	}
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, &Options{StrictHardLinks: true})
		check(t, os.Link(dir+"/file", dir+"/hard"))
		before := count()
		for _, name := range []string{"file", "dir", "dir/sub", "out", "loop", "dangling", "hard", "../x", "missing", "file/x", ".", "dir/..", "new/deep/er"} {
			for _, a := range append(actions, extraActions...) {
				_, _ = a.run(f, name)
			}
		}
		if after := count(); after != before {
			t.Errorf("%d open files, %d before", after, before)
		}
	})
}
