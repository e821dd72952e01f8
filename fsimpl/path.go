package fsimpl

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

const (
	maxPath      = 4096 // bytes of a path, PATH_MAX of Linux
	maxComponent = 255  // bytes of a name, NAME_MAX of every common file system
	maxLinks     = 40   // symbolic links in a path, as in Linux
)

// shown is a name as models see and send it.
func shown(name string) string { return pathname.Escape(name) }

// named is a name as messages have it.
func named(name string) string { return pathname.Line(name) }

// hostPaths lists the absolute paths that mean the root: as given and with
// links resolved.
func hostPaths(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	paths := []string{filepath.ToSlash(abs)}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		paths = append(paths, filepath.ToSlash(real))
	}
	return paths
}

// target is a resolved path.
type target struct {
	name  string // relative to the root, "." for the root itself
	slash bool   // the path ended in a slash or "/.": it has to be a directory
}

// resolve turns a path of a call into a name below the root. It decides
// nothing about confinement that the file system does not decide again: names
// with ".." are walked, since a/../b is not b where a is a link, and the rest
// is left to the confined open.
func (f *Files) resolve(ctx context.Context, field, p string) (target, error) {
	name := pathname.Unescape(p)
	if err := checkName(field, name); err != nil {
		return target{}, err
	}
	t := target{slash: strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/.")}
	start := "."
	if strings.HasPrefix(name, "/") || filepath.IsAbs(name) {
		rel, ok := f.insideRoot(name)
		if !ok {
			return target{}, outside(field, name).
				WithHint("use a path relative to %s, as '%s'", f.base(ctx), named(relative(f.current(ctx), strings.TrimPrefix(path.Clean(name), "/"))))
		}
		name = rel
	} else {
		start = f.current(ctx)
	}
	joined := path.Join(start, name)
	if strings.Contains("/"+name+"/", "/../") {
		var err error
		joined, err = f.canonical(start+"/"+name, false)
		if facade.CodeOf(err) == facade.CodeOutsideRoot {
			return target{}, outside(field, pathname.Unescape(p))
		}
		if err != nil {
			return target{}, err
		}
	}
	t.name = joined
	return t, nil
}

func checkName(field, name string) error {
	switch {
	case name == "":
		return facade.InvalidArgument(field, "field '%s' must not be empty", field).WithHint("use '.' for the current directory")
	case strings.ContainsRune(name, 0):
		return facade.InvalidArgument(field, "a path cannot hold a NUL character")
	case len(name) > maxPath:
		return facade.InvalidArgument(field, "the path has %d bytes, the limit is %d", len(name), maxPath)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxComponent {
			return facade.InvalidArgument(field, "the name '%s…' has %d bytes, the limit is %d", named(part[:32]), len(part), maxComponent)
		}
	}
	return nil
}

func outside(field, name string) *facade.Error {
	e := facade.Errorf(facade.CodeOutsideRoot, "'%s' is outside the root", named(name)).WithPath(shown(name)).
		WithHint("use a path below the root; '.' is the current directory")
	e.Field = field
	return e
}

// base says what relative paths start from.
func (f *Files) base(ctx context.Context) string {
	if dir := f.current(ctx); dir != "." {
		return "the current directory '" + named(dir) + "'"
	}
	return "the root"
}

// insideRoot cuts the root's own absolute path off name.
func (f *Files) insideRoot(name string) (string, bool) {
	if f.tree.prefix != "" {
		return strings.TrimLeft(name, "/") + "/.", true
	}
	name = filepath.ToSlash(name)
	for _, root := range f.tree.host {
		if rest, ok := strings.CutPrefix(name, root); ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(root, "/")) {
			return strings.TrimLeft(rest, "/") + "/.", true
		}
	}
	return "", false
}

// canonical resolves the links and the ".." of a name, component by component
// as the kernel does. What does not exist is kept as it is, unless ".." follows.
// With followLast a link at the end is resolved too.
func (f *Files) canonical(name string, followLast bool) (string, error) {
	rest := strings.Split(name, "/")
	var done []string
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", outside("path", name)
			}
			done = done[:len(done)-1]
			continue
		}
		at := path.Join(path.Join(done...), part)
		info, err := f.tree.lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			if hasDotDot(rest) {
				return "", f.failure("open", at, err)
			}
			return path.Join(at, path.Join(rest...)), nil
		}
		if err != nil {
			return "", f.failure("open", at, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 && !info.IsDir() && hasDotDot(rest) {
			return "", facade.Errorf(facade.CodeNotDirectory, "'%s' is not a directory", named(at)).
				WithPath(shown(at)).WithHint("'..' leads up from a directory only")
		}
		if info.Mode()&fs.ModeSymlink == 0 || len(rest) == 0 && !followLast {
			done = append(done, part)
			continue
		}
		if links++; links > maxLinks {
			return "", facade.InvalidArgument("path", "'%s' leads through more than %d symbolic links", named(name), maxLinks)
		}
		link, err := f.tree.readlink(at)
		if err != nil {
			return "", f.failure("readlink", at, err)
		}
		if strings.HasPrefix(link, "/") || filepath.IsAbs(link) {
			inner, ok := f.insideRoot(link)
			if !ok {
				return "", outside("path", at).WithHint("'%s' is a symbolic link that leaves the root", named(at))
			}
			link, done = inner, nil
		}
		rest = append(strings.Split(link, "/"), rest...)
	}
	if len(done) == 0 {
		return ".", nil
	}
	return path.Join(done...), nil
}

// present resolves a path that has to be there. Results name paths from the
// root, and a model that has changed its directory sends them back as they are:
// what is not there, but would be from the root, is told with the path to use.
func (f *Files) present(ctx context.Context, p string) (target, error) {
	t, err := f.resolve(ctx, "path", p)
	if err == nil {
		err = f.fromRoot(ctx, t.name)
	}
	return t, err
}

// fromRoot reports a name that is not there, to a session with a current
// directory: what it would be from there that was meant from the root, or what
// is there under a name nearly the same.
func (f *Files) fromRoot(ctx context.Context, name string) error {
	dir := f.current(ctx)
	if dir == "." {
		return nil
	}
	if _, err := f.tree.lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if meant, ok := strings.CutPrefix(name, dir+"/"); ok {
		if _, err := f.tree.lstat(meant); err == nil {
			return absent(name).WithHint("paths start from the current directory '%s': use '%s'", named(dir), named(relative(dir, meant)))
		}
	}
	return f.missing(dir, name)
}

// absent says that a path does not exist.
func absent(name string) *facade.Error {
	e := facade.Errorf(facade.CodeNotFound, "'%s' does not exist", named(name)).WithPath(shown(name))
	e.Err = fs.ErrNotExist
	return e
}

// relative is a name as a session in dir writes it.
func relative(dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

func hasDotDot(parts []string) bool {
	for _, p := range parts {
		if p == ".." {
			return true
		}
	}
	return false
}

// changing is changeable for a path that has to be there.
func (f *Files) changing(ctx context.Context, field, p string, follow bool) (target, error) {
	t, err := f.changeable(ctx, field, p, follow)
	if err == nil {
		err = f.fromRoot(ctx, t.name)
	}
	return t, err
}

// changeable resolves a path that is about to change: canonical, so that two
// names of one file share a lock, and not protected. follow says whether a link
// at the end stands for its target; without it, the root is refused.
func (f *Files) changeable(ctx context.Context, field, p string, follow bool) (target, error) {
	if f.opts.ReadOnly {
		return target{}, facade.Errorf(facade.CodeDenied, "this root is read-only").WithPath(p)
	}
	t, err := f.resolve(ctx, field, p)
	if err != nil {
		return target{}, err
	}
	if t.name, err = f.canonical(t.name, follow); err != nil {
		return target{}, err
	}
	if t.name == "." && !follow {
		return target{}, facade.Errorf(facade.CodePermissionDenied, "the root itself cannot be changed").
			WithPath(".").WithHint("name a file or directory below the root")
	}
	return t, f.guard(t.name)
}
