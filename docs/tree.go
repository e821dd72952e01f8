package docs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// tree is the file system below the root. Names are relative, "." for the
// root.
type tree struct {
	fs     afero.Fs
	prefix string // "/" for file systems that want absolute names
	host   string
}

// regularOpener opens a file without ever blocking on a FIFO, and refuses what
// is not regular. A file system that has it confines relative names.
type regularOpener interface {
	OpenRegular(name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error)
}

func newTree(fsys afero.Fs, host string) (tree, error) {
	if reachesHost(fsys, 0) {
		return tree{}, fmt.Errorf("docs: %T reaches the host's disk without confinement; use a rootfs.FS", fsys)
	}
	t := tree{fs: fsys, prefix: "/", host: strings.TrimSuffix(filepath.ToSlash(host), "/")}
	if _, ok := fsys.(regularOpener); ok {
		t.prefix = ""
	}
	return t, nil
}

// reachesHost reports whether a file system of afero's ends at the host's
// disk. Wrappers keep what they wrap in unexported fields.
func reachesHost(fsys any, depth int) bool {
	return fsys != nil && valueReachesHost(reflect.ValueOf(fsys), depth)
}

func valueReachesHost(v reflect.Value, depth int) bool {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	if v.Type() == reflect.TypeFor[afero.OsFs]() {
		return true
	}
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[afero.OsFs]().PkgPath() || depth > 16 {
		return false
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Interface && valueReachesHost(f, depth+1) {
			return true
		}
	}
	return false
}

func (t tree) at(name string) string {
	if t.prefix == "" {
		return name
	}
	return path.Join(t.prefix, name)
}

// resolve turns a path of a call into a name below the root: a relative one is
// meant from the working directory of the call.
func (t *Tools) resolve(ctx context.Context, p string) (string, error) {
	dir := "."
	if t.opts.WorkingDir != nil {
		dir = t.opts.WorkingDir(ctx)
	}
	return t.fs.resolve(dir, p)
}

func (t tree) resolve(dir, p string) (string, error) {
	name := filepath.ToSlash(pathname.Unescape(p))
	switch {
	case name == "":
		return "", facade.InvalidArgument("path", "field 'path' must not be empty")
	case strings.ContainsRune(name, 0):
		return "", facade.InvalidArgument("path", "a path cannot hold a NUL character")
	case len(name) > 4096:
		return "", facade.InvalidArgument("path", "the path has %d bytes, the limit is 4096", len(name))
	}
	if path.IsAbs(name) || filepath.IsAbs(name) {
		rest, ok := strings.CutPrefix(name, t.host)
		if !ok || rest != "" && rest[0] != '/' {
			return "", outside(p)
		}
		dir, name = ".", strings.TrimLeft(rest, "/")
	}
	name = path.Join(dir, name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", outside(p)
	}
	return name, nil
}

func outside(p string) error {
	e := facade.Errorf(facade.CodeOutsideRoot, "'%s' is outside the root", pathname.Escape(p)).WithPath(pathname.Escape(p)).
		WithHint("use a path below the root")
	e.Field = "path"
	return e
}

// open opens a regular file.
func (t tree) open(name string) (afero.File, fs.FileInfo, error) {
	if o, ok := t.fs.(regularOpener); ok {
		file, info, err := o.OpenRegular(t.at(name), os.O_RDONLY, 0)
		if err != nil {
			return nil, nil, t.failure(name, err)
		}
		return file, info, nil
	}
	info, err := t.fs.Stat(t.at(name))
	if err != nil {
		return nil, nil, t.failure(name, err)
	}
	switch {
	case info.IsDir():
		return nil, nil, facade.Errorf(facade.CodeIsDirectory, "'%s' is a directory", pathname.Escape(name)).
			WithPath(pathname.Escape(name)).WithHint("name a file; index takes directories")
	case !info.Mode().IsRegular():
		return nil, nil, facade.Errorf(facade.CodeNotRegular, "'%s' is no regular file", pathname.Escape(name)).
			WithPath(pathname.Escape(name)).WithHint("only regular files can be read")
	}
	file, err := t.fs.Open(t.at(name))
	if err != nil {
		return nil, nil, t.failure(name, err)
	}
	return file, info, nil
}

// failure turns an error of the file system into one for a model.
func (t tree) failure(name string, err error) error {
	shown := pathname.Escape(name)
	code := facade.CodeOf(err)
	e := &facade.Error{Code: code, Path: shown, Err: err}
	own, isOwn := errors.AsType[*facade.Error](err)
	switch code {
	case facade.CodeNotFound:
		e.Message = fmt.Sprintf("'%s' does not exist", shown)
		return t.nearest(e, name)
	case facade.CodeOutsideRoot, facade.CodePermissionDenied:
		e.Message = fmt.Sprintf("'%s' cannot be opened: it is forbidden, or leads outside the root", shown)
		e.Hint = "use a path below the root"
	case facade.CodeIsDirectory:
		e.Message = fmt.Sprintf("'%s' is a directory", shown)
		e.Hint = "name a file; index takes directories"
	case facade.CodeNotRegular:
		e.Message = fmt.Sprintf("'%s' is no regular file", shown)
		e.Hint = "only regular files can be read"
	default:
		if isOwn {
			c := *own
			c.Path = shown
			return &c
		}
		if e.Message = fmt.Sprintf("'%s' cannot be read (%s)", shown, code); code == facade.CodeInternal {
			e.Code, e.Message = facade.CodeIO, fmt.Sprintf("'%s' cannot be read", shown)
		}
	}
	return e
}

// nearest adds the most similar name beside the missing one.
func (t tree) nearest(e *facade.Error, name string) error {
	d, err := t.fs.Open(t.at(path.Dir(name)))
	if err != nil {
		return e.WithHint("its directory does not exist either; a relative path starts where cd of the filesystem tool led, see its pwd")
	}
	defer d.Close()
	names, err := d.Readdirnames(1000)
	if err != nil && len(names) == 0 {
		return e
	}
	slices.Sort(names)
	if near := facade.Nearest(path.Base(name), names); near != "" {
		return e.WithHint("did you mean '%s'?", pathname.Escape(path.Join(path.Dir(name), near)))
	}
	return e.WithHint("use list of the filesystem tool to see what exists")
}
