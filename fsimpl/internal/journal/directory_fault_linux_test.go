package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// limit is the size of the largest file that withLimit lets grow: above what
// else the test process may write.
const limit = 1 << 20

// withLimit runs f while no file can grow beyond the limit, as on a disk that
// is full.
func withLimit(t *testing.T, f func()) {
	t.Helper()
	var old unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &old))
	must(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: old.Max}))
	defer func() { must(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &old)) }()
	f()
}

// A full disk keeps an operation from beginning, leaves nothing behind, and
// what was recorded before can still be undone.
func TestDiskFull(t *testing.T) {
	ctx := context.Background()
	for _, noSync := range []bool{false, true} {
		dir := t.TempDir()
		j := open(t, dir, &Options{NoSync: noSync})
		big := large(2 * limit)
		tr := newTree("a", "one", "big", big)
		writeFile(t, j, tr, "a", "two")
		d := j.store.(*directory)
		withLimit(t, func() {
			c := change(tr, "big", "small")
			if _, err := j.Begin(ctx, "s", "write", c, tr); !errors.Is(err, unix.EFBIG) || !strings.Contains(err.Error(), "keep the content in the journal") {
				t.Errorf("whole content: %v", err)
			}
			_, c[0].Reverse = substitute(big, big, "small")
			if _, err := j.Begin(ctx, "s", "write", c, tr); !errors.Is(err, unix.EFBIG) || !strings.Contains(err.Error(), "keep the way back in the journal") {
				t.Errorf("way back: %v", err)
			}
			if err := d.rewrite(logName("s"), []record{{Kind: recordBegin, Seq: 1, Action: big}}); !errors.Is(err, unix.EFBIG) {
				t.Errorf("log: %v", err)
			}
		})
		if left := temps(t, dir); len(left) != 0 {
			t.Errorf("left %v", left)
		}
		if whole, way := kept(j, big, "small"); whole || way {
			t.Errorf("kept whole %v, the way back %v", whole, way)
		}
		if got, err := undo(t, j, tr, 9, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
			t.Errorf("undo: %v, %v", ids(got), err)
		}
	}
}

// A record of which only a part finds room is taken back: the log is as it was
// before, for this journal and for others.
func TestDiskFullWithinRecord(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	j := open(t, dir, nil)
	tr := newTree("a", "one")
	writeFile(t, j, tr, "a", "two")
	tx, err := j.Begin(ctx, "s", "write", change(tr, "a", "three"), tr)
	must(t, err)
	tr.write("a", "three")
	before, err := os.ReadFile(logFile(dir))
	must(t, err)
	before = append(before, strings.Repeat("#", limit-len(before)-6)+"\n"...) // a line to skip
	must(t, os.WriteFile(logFile(dir), before, 0o600))
	withLimit(t, func() {
		if err := tx.Commit(ctx); !errors.Is(err, unix.EFBIG) || !strings.Contains(err.Error(), "record in the journal") {
			t.Errorf("commit: %v", err)
		}
	})
	if after, err := os.ReadFile(logFile(dir)); err != nil || string(after) != string(before) {
		t.Errorf("the log has %d bytes, not %d; %v", len(after), len(before), err)
	}
	if ops, err := open(t, dir, nil).Recover(ctx, "s", tr); err != nil || len(ops) != 0 {
		t.Errorf("recover: %v, %v", ops, err)
	}
	if got, err := undo(t, j, tr, 9, ""); err != nil || ids(got) != "c2 c1" || tr.nodes["a"].data != "one" {
		t.Errorf("undo: %v, %v, then %q", ids(got), err, tr.nodes["a"].data)
	}
}

// Undo whose record does not get onto the disk is taken back.
func TestDiskFullAfterUndo(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, nil)
	tr := newTree("a", "one")
	writeFile(t, j, tr, "a", "two")
	before, err := os.ReadFile(logFile(dir))
	must(t, err)
	before = append(before, strings.Repeat("#", limit-len(before)-6)+"\n"...)
	must(t, os.WriteFile(logFile(dir), before, 0o600))
	withLimit(t, func() {
		if _, err := undo(t, j, tr, 1, ""); !errors.Is(err, unix.EFBIG) || tr.nodes["a"].data != "two" {
			t.Errorf("undo: %v, then %q", err, tr.nodes["a"].data)
		}
	})
	if got, err := undo(t, j, tr, 1, ""); err != nil || ids(got) != "c1" || tr.nodes["a"].data != "one" {
		t.Errorf("undo: %v, %v, then %q", ids(got), err, tr.nodes["a"].data)
	}
}

// A log that is something else is an error that says so, never an empty
// history, and nothing is written through it.
func TestLogIsSomethingElse(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name, target string
		read         bool // fails
	}{
		{"loop", "", true},
		{"link to nowhere", "/nowhere/at/all", false},
		{"device", "/dev/null", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			j := open(t, dir, nil)
			tr := newTree()
			target := tt.target
			if target == "" {
				target = filepath.Base(logFile(dir))
			}
			if f, err := os.OpenFile(tt.target, os.O_RDWR, 0); errors.Is(err, os.ErrPermission) {
				t.Skip("the device cannot be opened here: ", err)
			} else if err == nil {
				must(t, f.Close())
			}
			must(t, os.Symlink(target, logFile(dir)))
			if _, err := j.History("s", "", 1); (err != nil) != tt.read || err != nil && !errors.Is(err, unix.ELOOP) {
				t.Errorf("history: %v", err)
			}
			if _, err := j.Begin(ctx, "s", "write", change(tr, "a", "one"), tr); err == nil || !strings.Contains(err.Error(), "record in the journal") {
				t.Errorf("begin: %v", err)
			}
			must(t, os.Remove(logFile(dir)))
			writeFile(t, j, tr, "a", "one")
			if got := historyIDs(t, j, ""); got != "c1" {
				t.Errorf("history %q", got)
			}
		})
	}
}

// A content that cannot be opened refuses undo with the cause: it is not taken
// for one that was swept.
func TestUnreadableContent(t *testing.T) {
	for _, way := range []bool{false, true} {
		dir := t.TempDir()
		j := open(t, dir, nil)
		tr := newTree("f", "a needle")
		d := j.store.(*directory)
		blob := d.blobPath(fileState("a needle").Hash)
		if way {
			substituteFile(t, j, tr, "f", "needle", "pin")
			blob = d.blobPath(reverseKey(fileState("a needle"), fileState("a pin")))
		} else {
			writeFile(t, j, tr, "f", "a pin")
		}
		aside := filepath.Join(t.TempDir(), "aside")
		must(t, os.Rename(blob, aside), os.Symlink(filepath.Base(blob), blob))
		if _, err := undo(t, j, tr, 1, ""); !errors.Is(err, unix.ELOOP) || tr.nodes["f"].data != "a pin" {
			t.Errorf("way %v: undo: %v, then %q", way, err, tr.nodes["f"].data)
		}
		must(t, os.Remove(blob), os.Rename(aside, blob))
		if _, err := undo(t, j, tr, 1, ""); err != nil || tr.nodes["f"].data != "a needle" {
			t.Errorf("way %v: undo: %v, then %q", way, err, tr.nodes["f"].data)
		}
	}
}

// A directory that cannot be protected is not used.
func TestOpenOnReadOnlyFileSystem(t *testing.T) {
	if !escapetest.InMountNamespace(t) {
		return
	}
	dir := t.TempDir()
	for _, sub := range []string{blobDir, tempDir, logDir} {
		must(t, os.Mkdir(filepath.Join(dir, sub), 0o700))
	}
	// Private first: nothing of this may reach the host's namespace.
	must(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), unix.Mount(dir, dir, "", unix.MS_BIND, ""))
	defer func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) }()
	if err := unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("no read-only mount for this user: ", err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), "protect the journal's directory") {
		t.Errorf("open: %v", err)
	}
}

// A journal that does not open keeps no file open.
func TestFailedOpenReleasesLock(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, logDir, "x"+logExt, "not empty"), 0o700))
	if _, err := Open(dir, nil); err == nil {
		t.Fatal("a directory for a log passed")
	}
	fds, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, fd := range fds {
		if target, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(target, dir) {
			t.Errorf("%s is still open", strings.TrimPrefix(target, dir))
		}
	}
}
