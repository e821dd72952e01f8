package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/facade"
)

// content fails the test unless a file has the content.
func content(t *testing.T, file, want string) {
	t.Helper()
	if data, err := os.ReadFile(file); err != nil || string(data) != want {
		t.Errorf("%s: %q, %v, want %q", filepath.Base(file), data, err, want)
	}
}

// TestNoDescription: a file that cannot be described is not given out, and its
// descriptor is closed.
func TestNoDescription(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		before := openFiles(t)
		withFailures(t, []syscallFails{{nr: unix.SYS_FSTAT, errno: unix.EIO}}, func() {
			if file, err := f.Open("file"); !errors.Is(err, unix.EIO) {
				t.Errorf("Open: %v, %v", file, err)
			}
			if v.name == "portable" {
				return // looks the name up instead
			}
			if err := f.Chmod("file", 0o777); !errors.Is(err, unix.EIO) {
				t.Errorf("Chmod: %v", err)
			}
		})
		if info, err := os.Stat(filepath.Join(dir, "file")); err != nil || info.Mode() == 0o777 {
			t.Errorf("%v, %v: the mode was set unseen", info, err)
		}
		if after := openFiles(t); after > before {
			t.Errorf("%d open files, %d before", after, before)
		}
	})
}

// TestNoDescriptorFree: the duplicate that a file needs is not to be had.
func TestNoDescriptorFree(t *testing.T) {
	failures := []syscallFails{{nr: unix.SYS_FCNTL, errno: unix.EMFILE, arg: 2, value: unix.F_DUPFD_CLOEXEC}}
	for _, v := range []variant{{"rootopener", newRootOpenerBackend}, {"portable", newPortableBackend}} {
		t.Run(v.name, func(t *testing.T) {
			dir := t.TempDir()
			plantKinds(t, dir)
			f := v.open(t, dir, nil)
			before := openFiles(t)
			withFailures(t, failures, func() {
				if _, err := f.Open("file"); facade.CodeOf(err) != facade.CodeBusy || !errors.Is(err, unix.EMFILE) {
					t.Errorf("code %q (%v), want busy", facade.CodeOf(err), err)
				}
			})
			if after := openFiles(t); after > before {
				t.Errorf("%d open files, %d before", after, before)
			}
		})
	}
}

// TestMountUnknown: what the mount of a file cannot be told for is refused.
func TestMountUnknown(t *testing.T) {
	dir := t.TempDir()
	plantKinds(t, dir)
	f := variant{"rootopener", newRootOpenerBackend}.open(t, dir, nil)
	before := openFiles(t)
	withFailures(t, []syscallFails{{nr: unix.SYS_STATX, errno: unix.EIO}}, func() {
		if _, err := f.Open("file"); !errors.Is(err, unix.EIO) {
			t.Errorf("Open: %v", err)
		}
		if err := f.Mkdir("new", 0o755); !errors.Is(err, unix.EIO) {
			t.Errorf("Mkdir: %v", err)
		}
	})
	if _, err := os.Lstat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("made on an unknown mount: %v", err)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d open files, %d before", after, before)
	}
}

// TestFilteredOpenat2 opens a root where the kernel lacks the system call or
// a filter forbids it.
func TestFilteredOpenat2(t *testing.T) {
	for _, errno := range []unix.Errno{unix.ENOSYS, unix.EPERM} {
		t.Run(errno.Error(), func(t *testing.T) {
			dir := t.TempDir()
			plantKinds(t, dir)
			withFailures(t, []syscallFails{{nr: unix.SYS_OPENAT2, errno: errno}}, func() {
				f, err := Open(dir, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if _, ok := f.b.(*linuxBackend).opener.(*rootOpener); !ok {
					t.Errorf("opener %T", f.b.(*linuxBackend).opener)
				}
				if info, err := f.Stat("file"); err != nil || !info.Mode().IsRegular() {
					t.Errorf("%v, %v", info, err)
				}
				if _, err := f.Stat("../x"); facade.CodeOf(err) != facade.CodeOutsideRoot {
					t.Errorf("code %q (%v), want outside_root", facade.CodeOf(err), err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestEndlessRetries: a tree whose names keep changing ends in an error that
// says so, not in a loop.
func TestEndlessRetries(t *testing.T) {
	f := variants()[0].open(t, t.TempDir(), nil)
	withFailures(t, []syscallFails{{nr: unix.SYS_OPENAT2, errno: unix.EAGAIN}}, func() {
		_, err := f.Stat("file")
		if facade.CodeOf(err) != facade.CodeBusy || err.Error() != "stat file: the tree kept changing; try again" {
			t.Errorf("code %q (%v), want busy", facade.CodeOf(err), err)
		}
	})
}

// TestOlderKernels sets attributes where the calls on handles are missing: by
// /proc, or with an error if there is none.
func TestOlderKernels(t *testing.T) {
	missing := []syscallFails{
		{nr: unix.SYS_FCHMODAT2, errno: unix.ENOSYS},
		{nr: unix.SYS_UTIMENSAT, errno: unix.EINVAL, arg: 4, value: unix.AT_EMPTY_PATH},
	}
	noProc := append([]syscallFails{
		{nr: unix.SYS_FCHMODAT, errno: unix.ENOENT},
		{nr: unix.SYS_UTIMENSAT, errno: unix.ENOENT, arg: 4, value: 0},
	}, missing...)
	when := time.Unix(1e9, 0)
	for name, failures := range map[string][]syscallFails{"with proc": missing, "without proc": noProc} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			plantKinds(t, dir)
			file := filepath.Join(dir, "file")
			check(t, os.Chmod(file, 0o600))
			f := variants()[0].open(t, dir, nil)
			var chmodErr, timesErr error
			withFailures(t, failures, func() {
				chmodErr = f.Chmod("file", 0o640)
				timesErr = f.Chtimes("file", when, when)
			})
			info, err := os.Stat(file)
			check(t, err)
			changed := info.Mode() == 0o640 && info.ModTime().Equal(when)
			kept := info.Mode() == 0o600 && !info.ModTime().Equal(when)
			if name == "with proc" {
				if chmodErr != nil || timesErr != nil || !changed {
					t.Errorf("%v, %v: %v %v", chmodErr, timesErr, info.Mode(), info.ModTime())
				}
				return
			}
			// Not ENOENT: the file is there.
			if !errors.Is(chmodErr, unix.EOPNOTSUPP) || !errors.Is(timesErr, unix.EINVAL) || !kept {
				t.Errorf("%v, %v: %v %v", chmodErr, timesErr, info.Mode(), info.ModTime())
			}
		})
	}
}

// TestWithoutNoReplace renames on a file system without RENAME_NOREPLACE.
func TestWithoutNoReplace(t *testing.T) {
	for _, errno := range []unix.Errno{unix.EINVAL, unix.ENOSYS} {
		dir := t.TempDir()
		plantKinds(t, dir)
		check(t, os.WriteFile(filepath.Join(dir, "second"), []byte("second"), 0o600))
		f := variants()[0].open(t, dir, nil)
		withFailures(t, []syscallFails{{nr: unix.SYS_RENAMEAT2, errno: errno}}, func() {
			if err := f.RenameNoReplace("second", "file"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("onto a file: %v", err)
			}
			if err := f.RenameNoReplace("second", "third"); err != nil {
				t.Error(err)
			}
		})
		content(t, filepath.Join(dir, "third"), "second")
		if info, err := os.Lstat(filepath.Join(dir, "second")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the old name: %v, %v", info, err)
		}
	}
}

// TestChmodOfOthers: the kernel's refusal is told, in whichever way it came.
func TestChmodOfOthers(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		file := filepath.Join(dir, "file")
		check(t, os.Chmod(file, 0o604))
		f := v.open(t, dir, nil)
		asStranger(t, func() {
			for name, err := range map[string]error{
				"chmod": f.Chmod("file", 0o666), "chown": f.Chown("file", stranger, -1), "chtimes": f.Chtimes("file", time.Unix(1, 0), time.Unix(1, 0)),
			} {
				if facade.CodeOf(err) != facade.CodePermissionDenied {
					t.Errorf("%s: code %q (%v), want permission_denied", name, facade.CodeOf(err), err)
				}
			}
		})
		if info, err := os.Stat(file); err != nil || info.Mode() != 0o604 {
			t.Errorf("%v, %v", info, err)
		}
	})
}

// TestRemoveOfOthers: in a directory like /tmp, entries of others stay, each
// of them, and the refusal is told as such. What the user may remove goes.
func TestRemoveOfOthers(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.Chmod(dir, 0o777))
		tmp := filepath.Join(dir, "tmp")
		check(t, os.MkdirAll(filepath.Join(tmp, "closed"), 0o700))
		check(t, os.Chmod(tmp, 0o777|fs.ModeSticky))
		check(t, os.WriteFile(filepath.Join(tmp, "closed/file"), []byte("secret"), 0o600))
		check(t, os.WriteFile(filepath.Join(tmp, "theirs"), []byte("theirs"), 0o644))
		check(t, os.WriteFile(filepath.Join(tmp, "mine"), nil, 0o644))
		check(t, os.Symlink("theirs", filepath.Join(tmp, "link")))
		f := v.open(t, dir, nil)
		asStranger(t, func() {
			for name, err := range map[string]error{
				"Remove file": f.Remove("tmp/theirs"), "Remove link": f.Remove("tmp/link"), "Remove closed": f.Remove("tmp/closed"),
				"RemoveAll file": f.RemoveAll("tmp/theirs"), "RemoveAll link": f.RemoveAll("tmp/link"),
				"RemoveAll closed": f.RemoveAll("tmp/closed"), "RemoveAll tmp": f.RemoveAll("tmp"),
			} {
				if facade.CodeOf(err) != facade.CodePermissionDenied {
					t.Errorf("%s: code %q (%v), want permission_denied", name, facade.CodeOf(err), err)
				}
			}
		})
		content(t, filepath.Join(tmp, "closed/file"), "secret")
		content(t, filepath.Join(tmp, "theirs"), "theirs")
		content(t, filepath.Join(tmp, "link"), "theirs")
		if v.name == "portable" {
			return // stops at the first refusal
		}
		check(t, os.Chown(filepath.Join(tmp, "mine"), stranger, stranger))
		asStranger(t, func() {
			if err := f.RemoveAll("tmp"); facade.CodeOf(err) != facade.CodePermissionDenied {
				t.Errorf("code %q (%v), want permission_denied", facade.CodeOf(err), err)
			}
		})
		if _, err := os.Lstat(filepath.Join(tmp, "mine")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("RemoveAll stopped before the user's own file: %v", err)
		}
	})
}

// TestMkdirAllDenied makes nothing where the user may not write.
func TestMkdirAllDenied(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.Mkdir(filepath.Join(dir, "theirs"), 0o755))
		f := v.open(t, dir, nil)
		asStranger(t, func() {
			if err := f.MkdirAll("theirs/a/b", 0o755); facade.CodeOf(err) != facade.CodePermissionDenied {
				t.Errorf("code %q (%v), want permission_denied", facade.CodeOf(err), err)
			}
		})
		if entries, err := os.ReadDir(filepath.Join(dir, "theirs")); err != nil || len(entries) > 0 {
			t.Errorf("%v, %v", entries, err)
		}
	})
}

// TestRemoveUnreadable: a directory that the disk does not give back is not
// taken for an empty one.
func TestRemoveUnreadable(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.Mkdir(filepath.Join(dir, "d"), 0o755))
		check(t, os.WriteFile(filepath.Join(dir, "d/file"), []byte("kept"), 0o600))
		f := v.open(t, dir, nil)
		withFailures(t, []syscallFails{{nr: unix.SYS_GETDENTS64, errno: unix.EIO}}, func() {
			if err := f.RemoveAll("d"); !errors.Is(err, unix.EIO) {
				t.Errorf("%v, want EIO", err)
			}
		})
		content(t, filepath.Join(dir, "d/file"), "kept")
	})
}

// TestUnlinkOfPOSIX: where unlink answers EPERM as it does for a directory, a
// file's refusal is told and not that it is no directory.
func TestUnlinkOfPOSIX(t *testing.T) {
	dir := t.TempDir()
	plantKinds(t, dir)
	check(t, os.MkdirAll(filepath.Join(dir, "empty"), 0o755))
	check(t, os.Symlink("file", filepath.Join(dir, "link")))
	f := variants()[0].open(t, dir, nil)
	withFailures(t, []syscallFails{{nr: unix.SYS_UNLINKAT, errno: unix.EPERM, arg: 3, value: 0}}, func() {
		for name, err := range map[string]error{
			"Remove file": f.Remove("file"), "Remove link": f.Remove("link"),
			"RemoveAll file": f.RemoveAll("file"), "RemoveAll link": f.RemoveAll("link"),
		} {
			if !errors.Is(err, unix.EPERM) {
				t.Errorf("%s: %v, want EPERM", name, err)
			}
		}
		if err := f.Remove("empty"); err != nil {
			t.Error(err)
		}
	})
	for name, want := range map[string]error{"file": nil, "link": nil, "empty": fs.ErrNotExist} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestRootUndescribed opens no root that cannot be described, and leaves no
// handle of it.
func TestRootUndescribed(t *testing.T) {
	dir := t.TempDir()
	before := openFiles(t)
	withFailures(t, []syscallFails{
		{nr: unix.SYS_FSTAT, errno: unix.EIO},
		{nr: newfstatat, errno: unix.EIO},
	}, func() {
		if f, err := Open(dir, nil); f != nil || !errors.Is(err, unix.EIO) {
			t.Errorf("%v, %v", f, err)
		}
	})
	if after := openFiles(t); after > before {
		t.Errorf("%d open files, %d before", after, before)
	}
}

// TestTooDeep: the descent ends before descriptors do, with an error.
func TestTooDeep(t *testing.T) {
	dir := t.TempDir()
	check(t, os.MkdirAll(filepath.Join(dir, "d/e"), 0o755))
	b := variants()[0].open(t, dir, nil).b.(*linuxBackend)
	fd, err := b.opener.open(".", unix.O_PATH, 0)
	check(t, err)
	defer closeFD(fd)
	if err := b.removeTree(fd, "d", maxDepth-1); !errors.Is(err, unix.ENAMETOOLONG) {
		t.Errorf("%v, want ENAMETOOLONG", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "d/e")); err != nil {
		t.Error(err)
	}
	check(t, b.removeTree(fd, "d", maxDepth-2))
}

// TestRemoveEntriesOfClosed removes nothing by a handle that is gone.
func TestRemoveEntriesOfClosed(t *testing.T) {
	b := variants()[0].open(t, t.TempDir(), nil).b.(*linuxBackend)
	d, err := os.Open(t.TempDir())
	check(t, err)
	check(t, d.Close())
	if n, err := b.removeEntries(d, 0); n != 0 || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%d removed, %v", n, err)
	}
}

// adder makes a new directory beside each one that is entered, up to a number.
type adder struct {
	opener
	dir   string
	added int
	max   int
}

func (a *adder) at(dir int, base string, flags int, perm uint32) (int, error) {
	if base != "d" && a.added < a.max {
		a.added++
		// Only a directory is entered, so that one more is made for it.
		_ = os.Mkdir(filepath.Join(a.dir, "added"+strconv.Itoa(a.added)), 0o755)
	}
	return a.opener.at(dir, base, flags, perm)
}

// TestRemoveWhileAdding removes a directory to which somebody adds. It goes
// on until all is removed, but not for ever.
func TestRemoveWhileAdding(t *testing.T) {
	for _, added := range []int{5, 10 * maxPasses} {
		dir := t.TempDir()
		check(t, os.MkdirAll(filepath.Join(dir, "d/first"), 0o755))
		f := variants()[0].open(t, dir, nil)
		b := f.b.(*linuxBackend)
		a := &adder{opener: b.opener, dir: filepath.Join(dir, "d"), max: added}
		b.opener = a
		err := f.RemoveAll("d")
		_, gone := os.Lstat(a.dir)
		switch {
		case err == nil && (a.added != added || !errors.Is(gone, fs.ErrNotExist)):
			t.Errorf("%d of %d: success, but %v", a.added, added, gone)
		case err != nil && (added == 5 || !errors.Is(err, unix.ENOTEMPTY) || a.added < maxPasses):
			t.Errorf("%d of %d: %v", a.added, added, err)
		}
	}
}

// TestSpecialBits keeps the special bits of the mode in both directions.
func TestSpecialBits(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		f := v.open(t, dir, nil)
		check(t, f.Mkdir("d", 0o755))
		for _, bit := range []fs.FileMode{fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky} {
			check(t, f.Chmod("d", 0o751|bit))
			want := 0o751 | bit | fs.ModeDir
			info, err := f.Stat("d")
			check(t, err)
			host, err := os.Stat(filepath.Join(dir, "d"))
			check(t, err)
			if info.Mode() != want || host.Mode() != want {
				t.Errorf("%v, the system has %v, want %v", info.Mode(), host.Mode(), want)
			}
		}
	})
}

// TestStaleDescriptor describes nothing by a descriptor that is closed.
func TestStaleDescriptor(t *testing.T) {
	if info, err := fdInfo(-1, "x"); !errors.Is(err, syscall.EBADF) {
		t.Errorf("%v, %v", info, err)
	}
}

// TestUnsearchableRoot: a root below which nothing can be looked up does not
// open.
func TestUnsearchableRoot(t *testing.T) {
	dir := t.TempDir()
	check(t, os.Mkdir(filepath.Join(dir, "file"), 0o755))
	t.Chdir(dir) // found without the directories above
	check(t, os.Chmod(dir, 0o444))
	defer func() { check(t, os.Chmod(dir, 0o700)) }()
	asStranger(t, func() {
		if f, err := Open(".", nil); facade.CodeOf(err) != facade.CodePermissionDenied {
			t.Errorf("%v, %v", f, err)
		}
	})
}
