package fsimpl

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/toolfacade/toolfacade/facade"
)

// failure turns an error of the file system into one for a model: what is
// wrong with which path, and the next right call. It never shows a host path.
func (f *Files) failure(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*facade.Error](err); ok {
		if e.Path == "" {
			c := *e
			c.Path = shown(name)
			return &c
		}
		return e
	}
	code := facade.CodeOf(err)
	e := &facade.Error{Code: code, Path: shown(name), Err: err}
	switch code { //nolint:exhaustive // the rest shares the last case
	case facade.CodeNotFound:
		return f.missing(name)
	case facade.CodeIsDirectory:
		e.Message = fmt.Sprintf("'%s' is a directory", shown(name))
		e.Hint = "use list to see what is in it"
	case facade.CodeNotDirectory:
		e.Message = fmt.Sprintf("a part of '%s' is a file, not a directory", shown(name))
	case facade.CodeNotEmpty:
		e.Message = fmt.Sprintf("the directory '%s' is not empty", shown(name))
		e.Hint = "set recursive to delete what is in it too"
	case facade.CodeAlreadyExists:
		e.Message = fmt.Sprintf("'%s' exists already", shown(name))
	case facade.CodePermissionDenied:
		e.Message = fmt.Sprintf("the operating system refuses to %s '%s'", op, shown(name))
	case facade.CodeNoSpace:
		e.Message = fmt.Sprintf("no space left to %s '%s'; its old content is intact", op, shown(name))
	case facade.CodeCanceled, facade.CodeTimeout:
		e.Message = fmt.Sprintf("stopped before '%s' was done", shown(name))
	default:
		e.Message = fmt.Sprintf("cannot %s '%s': %s", op, shown(name), cause(err))
		if errors.Is(err, syscall.EROFS) {
			e.Code = facade.CodePermissionDenied
		}
		if e.Code == facade.CodeInternal {
			e.Code = facade.CodeIO
		}
	}
	return e
}

// cause is the innermost text of an error, without paths.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// missing reports a path that does not exist, with the nearest names that do.
func (f *Files) missing(name string) error {
	e := facade.Errorf(facade.CodeNotFound, "'%s' does not exist", shown(name)).WithPath(shown(name))
	e.Err = fs.ErrNotExist
	dir := path.Dir(name)
	for dir != "." {
		if info, err := f.tree.lstat(dir); err == nil && info.IsDir() {
			break
		}
		dir = path.Dir(dir)
	}
	wanted := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
	first, _, _ := strings.Cut(wanted, "/")
	names, err := f.tree.someNames(dir)
	if err != nil {
		return e
	}
	if near := facade.Nearest(first, names); near != "" {
		return e.WithHint("did you mean '%s'?", shown(path.Join(dir, near)))
	}
	if len(names) == 0 {
		return e.WithHint("the directory '%s' is empty", shown(dir))
	}
	const most = 8
	note := ""
	if len(names) > most {
		names, note = names[:most], ", …"
	}
	for i := range names {
		names[i] = shown(names[i])
	}
	return e.WithHint("'%s' has: %s%s", shown(dir), strings.Join(names, ", "), note)
}
