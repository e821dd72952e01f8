package fsimpl

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// failure turns an error of the file system into one for a model: what is
// wrong with which path, and the next right call. It never shows a host path.
func (f *Files) failure(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if h, ok := errors.AsType[*halfDoneError](err); ok {
		return f.halfDone(op, name, h)
	}
	if e, ok := errors.AsType[*facade.Error](err); ok && (e.Path != "" || e.Hint != "") {
		c := *e
		if c.Path == "" {
			c.Path = shown(name)
		}
		return hinted(&c)
	}
	code := facade.CodeOf(err)
	if code == facade.CodeNotFound {
		return f.missing(".", name)
	}
	e := &facade.Error{Code: code, Path: shown(name), Err: err}
	if format, ok := messages[code]; ok {
		e.Message = fmt.Sprintf(format, named(name))
		return hinted(e)
	}
	if own, ok := errors.AsType[*facade.Error](err); ok {
		e.Message, e.Field = own.Message, own.Field
		return hinted(e)
	}
	e.Message = fmt.Sprintf("cannot %s '%s': %s", op, named(name), cause(err))
	if code == facade.CodeInternal {
		e.Code = facade.CodeIO
	}
	return hinted(e)
}

// halfDone says that a change failed, and that a part of it could not be taken
// back.
func (f *Files) halfDone(op, name string, h *halfDoneError) error {
	e, ok := errors.AsType[*facade.Error](f.failure(op, name, h.err))
	if !ok {
		return h
	}
	c := *e
	c.Message += "; reverting failed too: " + h.left
	c.Hint = "a part of the change may be in place: list and read what it was about"
	return &c
}

// messages say what is wrong with a path.
var messages = map[facade.Code]string{
	facade.CodeIsDirectory:      "'%s' is a directory",
	facade.CodeNotDirectory:     "a part of '%s' is a file, not a directory",
	facade.CodeNotRegular:       "'%s' is neither a regular file nor a directory",
	facade.CodeNotEmpty:         "the directory '%s' is not empty",
	facade.CodeAlreadyExists:    "'%s' exists already",
	facade.CodeOutsideRoot:      "'%s' is, or leads, outside the root",
	facade.CodePermissionDenied: "the operating system does not permit this with '%s'",
	facade.CodeNoSpace:          "no space is left to write '%s'; its old content is intact",
	facade.CodeCanceled:         "the call was given up before '%s' was done",
	facade.CodeTimeout:          "the time was up before '%s' was done",
}

// hints tell the next right call where the error does not say it itself.
var hints = map[facade.Code]string{
	facade.CodeInvalidArgument:     "use a shorter path without symbolic links; list shows what there is",
	facade.CodeIsDirectory:         "use list to see what is in it, or name a file",
	facade.CodeNotDirectory:        "name a directory, or use list on its parent",
	facade.CodeNotRegular:          "only regular files can be read and written",
	facade.CodeNotEmpty:            "set recursive to delete what is in it too",
	facade.CodeAlreadyExists:       "choose another name, or delete it first",
	facade.CodeOutsideRoot:         "use a path below the root; '.' is the current directory",
	facade.CodePermissionDenied:    "work on other files, or ask for the permission to be changed",
	facade.CodeNoSpace:             "delete something first",
	facade.CodeNoMatch:             "read the file and copy the text exactly",
	facade.CodeBinaryContent:       "read its bytes with output_format=base64 and write them with mode=binary",
	facade.CodeUnsupportedEncoding: "use write with file_encoding=utf-8, or leave the file as it is",
	facade.CodeIO:                  "try again; if it fails again the file system has a problem",
	facade.CodeCanceled:            "nothing has changed; the call can be repeated",
	facade.CodeTimeout:             "nothing has changed; the call can be repeated with less to do",
}

func hinted(e *facade.Error) error {
	if e.Hint == "" && (e.Field == "" || e.Code != facade.CodeInvalidArgument) {
		e.Hint = hints[e.Code]
	}
	return e
}

// cause is the innermost text of an error, without paths; of several errors,
// that of the first.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			inner = joined.Unwrap()[0]
		}
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// missing reports a path that does not exist, with the nearest names that do,
// as a session with the current directory from writes them.
func (f *Files) missing(from, name string) error {
	e := absent(name)
	if strings.ContainsAny(name, "*?") {
		return e.WithHint("a path is no pattern: find what fits with the action find and patterns, then name it")
	}
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
		return e.WithHint("did you mean '%s'?", named(relative(from, path.Join(dir, near))))
	}
	if len(names) == 0 {
		return e.WithHint("the directory '%s' is empty", named(dir))
	}
	const most = 8
	note := ""
	if len(names) > most {
		names, note = names[:most], ", …"
	}
	for i := range names {
		names[i] = named(names[i])
	}
	return e.WithHint("'%s' has: %s%s", named(dir), strings.Join(names, ", "), note)
}
