package rootfs

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Readlink returns a link's target when it stays below the root, existing or
// not. An absolute target is returned relative to the link's directory. A
// target outside is refused: its name is none of the caller's business.
func (f *FS) Readlink(name string) (string, error) {
	var target string
	err := f.doEntry(name, func(b backend, plain string) error {
		text, err := b.readlink(plain)
		if err != nil {
			return err
		}
		target, err = f.contain(plain, filepath.ToSlash(text))
		return outside(err)
	})
	if err != nil {
		return "", fail("readlink", name, err)
	}
	return target, nil
}

// ReadlinkIfPossible implements [afero.LinkReader] by Readlink.
func (f *FS) ReadlinkIfPossible(name string) (string, error) { return f.Readlink(name) }

// Symlink makes a link. The target is relative to the link's directory; an
// absolute one and one that leads outside the root are refused.
func (f *FS) Symlink(target, name string) error {
	err := f.doEntry(name, func(b backend, plain string) error {
		if target == "" || strings.IndexByte(target, 0) >= 0 || len(target) > f.opts.MaxPath {
			return &facade.Error{Code: facade.CodeInvalidArgument, Message: "the link's target is no path"}
		}
		if strings.HasPrefix(target, "/") || filepath.IsAbs(target) || filepath.VolumeName(target) != "" {
			return errOutside
		}
		if _, err := f.contain(plain, filepath.ToSlash(target)); err != nil {
			return outside(err)
		}
		return b.symlink(target, plain)
	})
	return failLink("symlink", target, name, err)
}

// SymlinkIfPossible implements [afero.Linker] by Symlink.
func (f *FS) SymlinkIfPossible(target, name string) error { return f.Symlink(target, name) }

// contain returns the target of the link at name relative to its directory,
// or errBeyond if the target, followed or not, leads outside.
func (f *FS) contain(name, target string) (string, error) {
	dir, _, _ := split(name)
	dir, err := f.resolve(dir, followLast)
	if err != nil {
		return "", err
	}
	dir = strings.TrimSuffix(dir, "/")
	full := path.Join(dir, target)
	if strings.HasPrefix(target, "/") {
		rest, err := f.inner(target)
		if err != nil {
			return "", err
		}
		if full = path.Clean("." + rest); isAbove(full) {
			return "", errBeyond
		}
		target = relative(dir, full)
	}
	if isAbove(full) {
		return "", errBeyond
	}
	if _, err := f.resolve(join(dir, target), followLast); errors.Is(err, errBeyond) {
		return "", err
	}
	return target, nil
}

// isAbove reports whether a cleaned relative path starts with "..".
func isAbove(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }

// relative returns the way from one directory below the root to a path.
func relative(dir, full string) string {
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(full))
	if err != nil {
		return full
	}
	return filepath.ToSlash(rel)
}
