package walk_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/fsimpl/internal/walk"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

func handlesIn(dir string) handleFs {
	return handleFs{afero.NewBasePathFs(afero.NewOsFs(), dir), dir}
}

// TestOddEntries has links, a FIFO, and names that are not UTF-8.
func TestOddEntries(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret"), nil, 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "d"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "d", "f\xff\n"), nil, 0o644))
	must(t, os.Symlink("d", filepath.Join(dir, "inner")))
	must(t, os.Symlink(outside, filepath.Join(dir, "outer")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	want := []string{"d 1", "d/f\xff\n 0", "fifo 3", "inner 2", "loop 2", "outer 2"}
	for _, fsys := range []afero.Fs{handlesIn(dir), afero.NewBasePathFs(afero.NewOsFs(), dir)} {
		var got []string
		_, err := walk.Each(t.Context(), fsys, ".", nil, func(e *walk.Entry) bool {
			got = append(got, fmt.Sprint(e.Path(), " ", e.Type))
			return true
		})
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("entries differ (-want +got):\n%s", diff)
		}
	}
}

// TestSwapped replaces a directory by a link, and a file by a FIFO and by a
// link, after they were listed.
func TestSwapped(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644))
	for _, name := range []string{"a", "f1", "f2"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644))
	}
	must(t, os.Mkdir(filepath.Join(dir, "z"), 0o755))
	work := func(_ context.Context, b *walk.Batch, emit func([]string, int) bool) error {
		var got []string
		for i := range b.Entries {
			e := &b.Entries[i]
			switch e.Name {
			case "a":
				must(t, os.Remove(filepath.Join(dir, "z")))
				must(t, os.Symlink(outside, filepath.Join(dir, "z")))
				must(t, os.Remove(filepath.Join(dir, "f1")))
				must(t, unix.Mkfifo(filepath.Join(dir, "f1"), 0o644))
				must(t, os.Remove(filepath.Join(dir, "f2")))
				must(t, os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "f2")))
			case "f1":
				f, err := b.Open(e)
				must(t, err)
				if f.Regular() == nil {
					t.Error("a FIFO passes for a regular file")
				}
				must(t, f.Close())
			case "f2":
				if f, err := b.Open(e); err == nil {
					t.Error("a link was opened")
					f.Close()
				}
			}
			got = append(got, e.Path())
		}
		emit(got, 0)
		return nil
	}
	var got []string
	stats, err := walk.Run(t.Context(), handlesIn(dir), ".", &walk.Options{Workers: 1}, work, func(names []string) bool {
		got = append(got, names...)
		return true
	})
	must(t, err)
	if diff := cmp.Diff([]string{"a", "f1", "f2", "z"}, got); diff != "" || stats.Failed != 1 {
		t.Errorf("stats %+v, entries differ (-want +got):\n%s", stats, diff)
	}
}

func TestMounts(t *testing.T) {
	var proc unix.Statfs_t
	if err := unix.Statfs("/proc", &proc); err != nil || proc.Type != unix.PROC_SUPER_MAGIC {
		testenv.Missing(t, "/proc is not mounted")
	}
	got, stats := paths(t, handlesIn("/"), ".", &walk.Options{Depth: 2, Include: set("proc", "proc/*"), IncludeIgnored: true})
	if stats.Mounts == 0 || slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, "proc/") && p != "proc/" }) {
		t.Errorf("stats %+v, entries %q; want /proc not entered", stats, got)
	}
}

// TestLargeDirectory has more entries in one directory than an unordered walk
// holds at once.
func TestLargeDirectory(t *testing.T) {
	dir := t.TempDir()
	const n = 20_000
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	target := filepath.Join(dir, "sub", "f0")
	must(t, os.WriteFile(target, nil, 0o644))
	for i := 1; i < n; i++ { // links are quicker to make than files
		must(t, os.Symlink("f0", filepath.Join(dir, "sub", fmt.Sprintf("f%d", i))))
	}
	must(t, os.WriteFile(filepath.Join(dir, "sub", ".gitignore"), []byte("f*7\n"), 0o644))
	for _, unordered := range []bool{false, true} {
		got, stats := paths(t, handlesIn(dir), ".", &walk.Options{Unordered: unordered, Workers: 3})
		seen := map[string]bool{}
		for _, p := range got {
			seen[p] = true
		}
		if len(got) != n-n/10+2 || len(seen) != len(got) || stats.Ignored != n/10 {
			t.Errorf("unordered %v: %d entries, %d different, %d ignored", unordered, len(got), len(seen), stats.Ignored)
		}
	}
}
