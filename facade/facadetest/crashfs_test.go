package facadetest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

// replaceFile writes a file the safe way: a temporary file, synced, renamed,
// its directory synced. Tests leave out one step or another.
func replaceFile(fsys afero.Fs, leaveOut Op) error {
	const name, content = "/d/f", "new content"
	tmp, err := fsys.OpenFile("/d/.tmp-1", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := tmp.WriteString(content); err != nil {
		return errors.Join(err, tmp.Close(), fsys.Remove("/d/.tmp-1"))
	}
	if leaveOut != OpSync {
		if err := tmp.Sync(); err != nil {
			return errors.Join(err, tmp.Close(), fsys.Remove("/d/.tmp-1"))
		}
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := fsys.Rename("/d/.tmp-1", name); err != nil {
		return errors.Join(err, fsys.Remove("/d/.tmp-1"))
	}
	if leaveOut == OpRename {
		return nil
	}
	dir, err := fsys.Open("/d")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func seededCrashFs(t *testing.T) *CrashFs {
	t.Helper()
	c := NewCrashFs()
	if err := c.MkdirAll("/d", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := afero.WriteFile(c, "/d/f", []byte("old content"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.Settle()
	return c
}

// outcomes returns what /d/f holds after a crash anywhere, and after the write
// was acknowledged.
func outcomes(t *testing.T, c *CrashFs) (anywhere, acknowledged []string) {
	t.Helper()
	last := len(c.Operations())
	all, after := map[string]bool{}, map[string]bool{}
	for at, image := range c.Crashes(20) {
		raw, err := afero.ReadFile(image, "/d/f")
		got := string(raw)
		if err != nil {
			got = "missing"
		}
		all[got] = true
		if at.N == last {
			after[got] = true
		}
	}
	return slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(after))
}

func TestCrashFsSafeReplace(t *testing.T) {
	c := seededCrashFs(t)
	if err := replaceFile(c, ""); err != nil {
		t.Fatal(err)
	}
	anywhere, acknowledged := outcomes(t, c)
	if diff := cmp.Diff([]string{"new content", "old content"}, anywhere); diff != "" {
		t.Errorf("after a crash anywhere (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"new content"}, acknowledged); diff != "" {
		t.Errorf("after the write was acknowledged (-want +got):\n%s", diff)
	}
	var ops []Op
	for _, o := range c.Operations() {
		ops = append(ops, o.Op)
	}
	if diff := cmp.Diff([]Op{OpCreate, OpWrite, OpSync, OpRename, OpSync}, ops); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	if got := c.CrashClone(4, LoseAll()); !exists(got, "/d/f") || exists(got, "/d/.tmp-1") {
		t.Error("a rename that is not synced must leave the old names, and no name never synced")
	}
	if got := c.CrashClone(2, LoseNone()); !exists(got, "/d/.tmp-1") {
		t.Error("with nothing lost the temporary file must be there")
	}
}

func exists(fsys afero.Fs, name string) bool {
	_, err := fsys.Stat(name)
	return err == nil
}

func TestCrashFsFindsUnsafeWrites(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(fsys afero.Fs) error
		// bad is an outcome that must be found anywhere or after the
		// acknowledgement.
		bad          string
		acknowledged bool
	}{
		{"in place", func(fsys afero.Fs) error {
			return afero.WriteFile(fsys, "/d/f", []byte("new content"), 0o644)
		}, "", false},
		{"without sync of the file", func(fsys afero.Fs) error {
			return replaceFile(fsys, OpSync)
		}, "", true},
		{"without sync of the directory", func(fsys afero.Fs) error {
			return replaceFile(fsys, OpRename)
		}, "old content", true},
		{"remove, then rename", func(fsys afero.Fs) error {
			return errors.Join(fsys.Remove("/d/f"), replaceFile(fsys, ""))
		}, "missing", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := seededCrashFs(t)
			if err := c.write(fsys); err != nil {
				t.Fatal(err)
			}
			anywhere, acknowledged := outcomes(t, fsys)
			if got := acknowledged; c.acknowledged && !slices.Contains(got, c.bad) {
				t.Errorf("after the acknowledgement: %q, want %q among them", got, c.bad)
			}
			if !slices.Contains(anywhere, c.bad) {
				t.Errorf("after a crash anywhere: %q, want %q among them", anywhere, c.bad)
			}
		})
	}
}

func TestCrashFsLossIsRepeatable(t *testing.T) {
	c := seededCrashFs(t)
	for _, content := range []string{"first", "second, longer", "third"} {
		if err := afero.WriteFile(c, "/d/f", []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	distinct := map[string]bool{}
	for seed := range uint64(30) {
		a, errA := afero.ReadFile(c.CrashClone(99, LoseSome(seed)), "/d/f")
		b, errB := afero.ReadFile(c.CrashClone(99, LoseSome(seed)), "/d/f")
		if string(a) != string(b) || (errA == nil) != (errB == nil) {
			t.Fatalf("seed %d leaves %q and %q", seed, a, b)
		}
		distinct[string(a)] = true
	}
	if len(distinct) < 3 {
		t.Errorf("30 seeds leave %d different contents, want several", len(distinct))
	}
	if raw, err := afero.ReadFile(c, "/d/f"); err != nil || string(raw) != "third" {
		t.Errorf("the file system itself holds %q, %v; a clone must not change it", raw, err)
	}
}

func TestCrashFsModeNeedsSync(t *testing.T) {
	c := seededCrashFs(t)
	if err := errors.Join(c.Chmod("/d/f", 0o755), c.Chown("/d/f", 7, 7)); err != nil {
		t.Fatal(err)
	}
	mode := func(fsys afero.Fs) fs.FileMode {
		info, err := fsys.Stat("/d/f")
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if got := mode(c.CrashClone(9, LoseAll())); got != 0o644 {
		t.Errorf("mode not synced is %v after a crash, want 0644", got)
	}
	f, err := c.Open("/d/f")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := mode(c.CrashClone(9, LoseAll())); got != 0o755 {
		t.Errorf("synced mode is %v after a crash, want 0755", got)
	}
}

// TestCrashFsBehavesLikeOs runs the same script on a CrashFs and on the host.
func TestCrashFsBehavesLikeOs(t *testing.T) {
	script := func(fsys afero.Fs) (log []string) {
		say := func(what string, err error) {
			for _, known := range []error{fs.ErrNotExist, fs.ErrExist, syscall.EISDIR, syscall.ENOTDIR, syscall.ENOTEMPTY, fs.ErrClosed, syscall.EBADF} {
				if errors.Is(err, known) {
					log = append(log, what+": "+known.Error())
					return
				}
			}
			if err != nil {
				what += ": another error"
			}
			log = append(log, what)
		}
		say("mkdir", fsys.Mkdir("/a", 0o755))
		say("mkdir again", fsys.Mkdir("/a", 0o755))
		say("mkdir without parent", fsys.Mkdir("/x/y", 0o755))
		say("mkdirall", fsys.MkdirAll("/a/b/c", 0o755))
		say("write", afero.WriteFile(fsys, "/a/f", []byte("hello"), 0o644))
		say("write without parent", afero.WriteFile(fsys, "/no/f", nil, 0o644))
		say("write below a file", afero.WriteFile(fsys, "/a/f/g", nil, 0o644))
		say("write a directory", afero.WriteFile(fsys, "/a/b", nil, 0o644))
		_, err := fsys.OpenFile("/a/f", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		say("exclusive", err)
		say("remove non-empty", fsys.Remove("/a/b"))
		say("rename over a directory", fsys.Rename("/a/f", "/a/b"))
		say("rename missing", fsys.Rename("/a/zzz", "/a/q"))
		f, err := fsys.OpenFile("/a/f", os.O_RDWR|os.O_APPEND, 0)
		say("open", err)
		_, err = f.WriteString(" world")
		say("append", err)
		say("rename open", fsys.Rename("/a/f", "/a/g"))
		_, err = f.WriteString("!")
		say("append after the rename", err)
		say("close", f.Close())
		say("close again", f.Close())
		raw, err := afero.ReadFile(fsys, "/a/g")
		say(string(raw), err)
		infos, err := afero.ReadDir(fsys, "/a")
		for _, i := range infos {
			say(i.Name()+" "+i.Mode().Type().String(), err)
		}
		say("truncate", afero.WriteFile(fsys, "/a/g", []byte("x"), 0o644))
		ro, err := fsys.Open("/a/g")
		say("open to read", err)
		_, err = ro.WriteString("no")
		say("write what is open to read", err)
		say("close", ro.Close())
		say("removeall", fsys.RemoveAll("/a"))
		say("removeall of nothing", fsys.RemoveAll("/a"))
		_, err = fsys.Stat("/a/g")
		say("stat", err)
		return log
	}
	if runtime.GOOS == "windows" {
		t.Skip("CrashFs behaves like a Unix file system")
	}
	want := script(afero.NewBasePathFs(afero.NewOsFs(), t.TempDir()))
	if diff := cmp.Diff(want, script(NewCrashFs())); diff != "" {
		t.Errorf("unlike the host (-host +CrashFs):\n%s", diff)
	}
	if len(want) < 25 || !strings.Contains(strings.Join(want, "\n"), "hello world!") {
		t.Errorf("the script did not run through: %q", want)
	}
}
