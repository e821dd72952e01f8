package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maxLinks bounds the symbolic links in one resolution, as Linux does.
const maxLinks = 40

// follow says what an operation does with a link at the end of its name.
type follow bool

const (
	followLast follow = true  // works on the link's target
	keepLast   follow = false // works on the link itself
)

// do runs one operation of the backend. When resolution leaves the root, do
// resolves the name by hand and runs the operation again on a name without
// links. That second run is confined like the first: whatever changed in
// between, it cannot lead outside either.
func (f *FS) do(name string, last follow, run func(b backend, name string) error) error {
	if err := f.checkName(name); err != nil {
		return err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return fs.ErrClosed
	}
	err := run(f.b, name)
	if !errors.Is(err, errBeyond) {
		return err
	}
	plain, rerr := f.resolve(name, last)
	if rerr != nil {
		return rerr
	}
	if err = run(f.b, plain); errors.Is(err, errBeyond) {
		return errMount
	}
	return err
}

// doEntry is do for operations on a directory entry: they keep a link at the
// end and refuse "." and "..", so that none reaches the root by its name.
func (f *FS) doEntry(name string, run func(b backend, name string) error) error {
	return f.do(name, keepLast, func(b backend, name string) error {
		if _, base, _ := split(name); isDots(base) {
			if _, err := f.resolve(name, followLast); errors.Is(err, errBeyond) {
				return errOutside
			}
			return errNamesRoot
		}
		return run(b, name)
	})
}

// resolve walks name element by element and returns a name for the same file
// without links and dots. Elements from the first missing one on are kept as
// they are, unless a ".." is among them. It returns errBeyond where the name
// leaves the root and errMount where it leaves the root's mount. The result is
// a hint, true for an instant only.
func (f *FS) resolve(name string, last follow) (string, error) {
	todo := elements(name)
	var done []string
	dir := asksDir(name)
	for links := 0; len(todo) > 0; {
		elem := todo[0]
		todo = todo[1:]
		if elem == ".." {
			if len(done) == 0 {
				return "", errBeyond
			}
			done = done[:len(done)-1]
			continue
		}
		path := strings.Join(append(done, elem), "/")
		final := len(todo) == 0
		info, err := f.b.stat(path, keepLast)
		switch {
		case errors.Is(err, errBeyond):
			return "", errMount
		case errors.Is(err, fs.ErrNotExist) && !slices.Contains(todo, ".."):
			return plainName(slices.Concat(done, []string{elem}, todo), dir), nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink != 0 && (!final || dir || bool(last)):
			if links++; links > maxLinks {
				return "", syscall.ELOOP
			}
			target, rooted, err := f.target(path)
			if err != nil {
				return "", err
			}
			if rooted {
				done = nil
			}
			dir = dir || final && asksDir(target)
			todo = slices.Concat(elements(target), todo)
			continue
		case !final && !info.IsDir():
			return "", syscall.ENOTDIR
		}
		done = append(done, elem)
	}
	return plainName(done, dir), nil
}

// plainName joins elements, with a trailing slash to ask for a directory.
func plainName(elems []string, dir bool) string {
	plain := strings.Join(elems, "/")
	if plain == "" {
		return "."
	}
	if dir {
		plain += "/"
	}
	return plain
}

// asksDir reports whether the end of a name stands for a directory only.
func asksDir(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.")
}

// elements cuts a name at its slashes and drops what means nothing.
func elements(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "/"), func(e string) bool { return e == "" || e == "." })
}

// target reads a link. For an absolute link into the root it returns the part
// below the root and true; for any other absolute link errBeyond.
func (f *FS) target(path string) (target string, rooted bool, err error) {
	target, err = f.b.readlink(path)
	if err != nil {
		return "", false, err
	}
	if !filepath.IsAbs(target) && !strings.HasPrefix(target, "/") {
		return filepath.ToSlash(target), false, nil
	}
	target, err = f.inner(filepath.ToSlash(target))
	return target, true, err
}

// inner returns the part of an absolute host path below the root, or
// errBeyond. A path counts only while the root is still to be found there.
func (f *FS) inner(target string) (string, error) {
	for _, root := range f.paths {
		rest, ok := strings.CutPrefix(target, strings.TrimSuffix(root, "/"))
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if now, err := os.Stat(filepath.FromSlash(root)); err == nil && os.SameFile(now, f.self) {
			return rest, nil
		}
	}
	return "", errBeyond
}
