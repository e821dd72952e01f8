package rootfs

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// errRefused is the oracle's answer for whatever leaves the root.
var errRefused = errors.New("refused")

// oracle resolves a name the slow and obvious way: one handle for each
// directory on the way from the root, never following a link, with ".."
// going back to the handle before.
type oracle struct {
	root  string
	stack []int
	links int
}

// walk returns a handle for what name leads to, which the oracle closes.
func (o *oracle) walk(t *testing.T, name string) (*os.File, error) {
	t.Helper()
	if name == "" || strings.HasPrefix(name, "/") || strings.Contains(name, "\x00") || len(name) > DefaultMaxPath {
		return nil, errRefused
	}
	root, err := unix.Open(o.root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	check(t, err)
	o.stack = []int{root}
	defer o.close()
	if err := o.steps(name, true); err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(uintptr(o.top()), unix.F_DUPFD_CLOEXEC, 0)
	check(t, err)
	return os.NewFile(uintptr(fd), name), nil
}

func (o *oracle) top() int { return o.stack[len(o.stack)-1] }

func (o *oracle) close() {
	for _, fd := range o.stack {
		unix.Close(fd)
	}
}

// steps walks the elements of a name or of a link's target.
func (o *oracle) steps(name string, final bool) error {
	elems := strings.Split(name, "/")
	for i, elem := range elems {
		// What follows, be it only a slash, needs a directory here.
		more := i < len(elems)-1
		var err error
		switch elem {
		case "", ".":
			err = o.needDir()
		case "..":
			if err = o.needDir(); err == nil {
				err = o.up()
			}
		default:
			err = o.down(elem, final && !more)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *oracle) needDir() error {
	var st unix.Stat_t
	if err := unix.Fstat(o.top(), &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return unix.ENOTDIR
	}
	return nil
}

func (o *oracle) up() error {
	if len(o.stack) == 1 {
		return errRefused
	}
	unix.Close(o.top())
	o.stack = o.stack[:len(o.stack)-1]
	return nil
}

func (o *oracle) down(elem string, final bool) error {
	fd, err := unix.Openat(o.top(), elem, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFLNK {
		o.stack = append(o.stack, fd)
		return err
	}
	defer unix.Close(fd)
	if o.links++; o.links > maxLinks {
		return unix.ELOOP
	}
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", buf)
	if err != nil {
		return err
	}
	target := string(buf[:n])
	if strings.HasPrefix(target, "/") {
		rest, ok := strings.CutPrefix(target, o.root)
		if !ok || rest != "" && rest[0] != '/' {
			return errRefused
		}
		for len(o.stack) > 1 {
			if err := o.up(); err != nil {
				return err
			}
		}
		target = "." + rest
	}
	return o.steps(target, final)
}

// plantMaze makes a tree in which most short names lead somewhere.
func plantMaze(t testing.TB, root string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Join(root, "a/b/c"), 0o755))
	for _, file := range []string{"f", "a/f", "a/b/f", "a/b/c/f"} {
		check(t, os.WriteFile(filepath.Join(root, file), nil, 0o644))
	}
	for name, target := range map[string]string{
		"l": "a", "a/l": "b", "a/b/l": "..", "a/b/c/l": "../../..", "k": "a/b/../l/c", "a/k": "../f", "a/b/k": "c/f/", "s": "a/", "d": "a/.", "e": "a/..",
		"r": root, "a/r": root + "/a/b", "a/b/r": root + "/a/../f", "rf": root + "/f/", "rd": root + "/a/.", "o": "..", "a/o": "../..", "ao": "/", "a/ao": root + "-evil",
		"x": "x", "y": "z", "z": root + "/y", "m": "missing", "rm": root + "/missing", "a/m": "missing/..", "h": "a/b/c/l/a/r/r",
	} {
		check(t, os.Symlink(target, filepath.Join(root, name)))
	}
}

// FuzzResolve compares each way of resolving names with the oracle: they
// reach the same file or refuse together.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		".", "f", "a/f", "l/l/f", "k", "k/f", "a/b/k", "s/f", "d/f", "e", "e/f", "r/a/r/c", "a/b/r", "rf", "rd/k", "o", "o/x", "a/o/x", "ao/etc", "x", "y", "m", "rm", "a/m", "h",
		"..", "../x", "a/../f", "a/b/c/l/f", "f/", "f/.", "f/..", "l/", "l/.", "l/..", "r/", "r/..", "rd/../f", "a//b///f", "./././f", "r/r/r/r/a/b/c/l/r/f", "", "/", "a\x00",
		"missing/..", "m/..", "rm/..", "a/r/../f", "l/l/l/l/l/l/l/l/l/l/l/l/f", strings.Repeat("l/../", 50) + "f", strings.Repeat("r/", 41) + "f",
	} {
		f.Add(seed)
	}
	root := filepath.Join(f.TempDir(), "root")
	plantMaze(f, root)
	compare := newComparison(f, root)
	f.Fuzz(func(t *testing.T, name string) { compare(t, name) })
}

// TestResolveRandom does the same with names made of what the maze has.
func TestResolveRandom(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	plantMaze(t, root)
	compare := newComparison(t, root)
	words := strings.Fields("a a b b c l l f k s d e r r rf rd o ao x y z m rm h .. .. .. . missing")
	words = append(words, "")
	r := rand.New(rand.NewPCG(1, 2))
	reached := 0
	for range 2000 {
		elems := make([]string, 1+r.IntN(9))
		for i := range elems {
			elems[i] = words[r.IntN(len(words))]
		}
		if compare(t, strings.Join(elems, "/")) {
			reached++
		}
	}
	if reached < 100 {
		t.Errorf("only %d names lead anywhere", reached)
	}
}

// newComparison returns a function that compares all variants with the oracle
// and reports whether the name leads anywhere.
func newComparison(t testing.TB, root string) func(t *testing.T, name string) bool {
	t.Helper()
	var all []*FS
	for _, v := range variants() {
		all = append(all, v.open(t, root, nil))
	}
	return func(t *testing.T, name string) bool {
		t.Helper()
		o := &oracle{root: root}
		want, oerr := o.walk(t, name)
		if oerr == nil {
			defer want.Close()
		}
		for i, v := range variants() {
			got, err := all[i].Stat(name)
			if v.name != "openat2" && strings.Count(name, "/") > 100 {
				continue // os.Root has a limit of its own
			}
			switch {
			case (err == nil) != (oerr == nil):
				t.Errorf("%s: %q gives %v, the oracle %v", v.name, name, err, oerr)
			case err == nil:
				info, err := want.Stat()
				check(t, err)
				if !SameFile(got, info) {
					t.Errorf("%s: %q leads to another file than the oracle finds", v.name, name)
				}
			}
		}
		return oerr == nil
	}
}
