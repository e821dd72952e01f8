package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/toolfacade/toolfacade/facade"
)

// errBeyond is what a backend returns when resolution left the root or its
// mount. It never reaches a caller: resolve finds out which of the two it was
// and whether an absolute link leads back inside.
var errBeyond = errors.New("beyond the root")

var (
	errOutside = &facade.Error{
		Code: facade.CodeOutsideRoot, Message: "the path leads outside the root",
		Hint: "use a path relative to the root directory",
	}
	errMount     = &facade.Error{Code: facade.CodeOutsideRoot, Message: "the path leads to another mounted file system", Err: syscall.EXDEV}
	errIrregular = &facade.Error{Code: facade.CodeNotRegular, Message: "neither a regular file nor a directory"}
	errNamesRoot = &facade.Error{
		Code: facade.CodeInvalidArgument, Message: `the path ends in "." or ".."`, Err: syscall.EINVAL,
		Hint: "name the entry itself; the root cannot be removed or renamed",
	}
	errHardLink = &facade.Error{
		Code: facade.CodePermissionDenied, Message: "the file has other hard links, which may lie outside the root",
		Err: syscall.EMLINK, Hint: "replace the file: create a new one beside it and rename it over this one",
	}
)

// fail makes the error of an operation from its bare cause.
func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: cause(err)}
}

// failLink is fail for an operation with two names.
func failLink(op, oldname, newname string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: oldname, New: newname, Err: cause(err)}
}

// cause strips what may carry a host path and gives the errors that package
// facade does not know their code.
func cause(err error) error {
	err = bare(err)
	err = outside(err)
	if e, ok := errors.AsType[*facade.Error](err); ok {
		own := *e // callers may add to it
		return &own
	}
	errno, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return err
	}
	for _, m := range codes {
		if errno == m.errno {
			return &facade.Error{Code: m.code, Message: m.message, Err: errno}
		}
	}
	return errno
}

// outside settles errBeyond.
func outside(err error) error {
	if errors.Is(err, errBeyond) {
		return errOutside
	}
	return err
}

// bare returns the innermost cause of an error that names a path.
func bare(err error) error {
	for {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		} else if le, ok := errors.AsType[*os.LinkError](err); ok {
			err = le.Err
		} else if se, ok := errors.AsType[*os.SyscallError](err); ok {
			err = se.Err
		} else {
			return err
		}
	}
}

// codes holds the error numbers that facade.CodeOf would call internal.
var codes = []struct {
	errno   syscall.Errno
	code    facade.Code
	message string
}{
	{syscall.ELOOP, facade.CodeInvalidArgument, "too many levels of symbolic links"},
	{syscall.ENAMETOOLONG, facade.CodeInvalidArgument, "the path or a name in it is too long"},
	{syscall.EINVAL, facade.CodeInvalidArgument, "invalid argument"},
	{syscall.ENXIO, facade.CodeNotRegular, errIrregular.Message},
	{syscall.ENODEV, facade.CodeNotRegular, errIrregular.Message},
	{syscall.EROFS, facade.CodePermissionDenied, "the file system is read-only"},
	{syscall.EXDEV, facade.CodeUnsupported, "cannot rename across file systems"},
	{syscall.EMLINK, facade.CodeNoSpace, "too many links"},
	{syscall.EDQUOT, facade.CodeNoSpace, "the disk quota is used up"},
	{syscall.EFBIG, facade.CodeTooLarge, "the file would be too large"},
	{syscall.EBUSY, facade.CodeBusy, "in use by the system, as a mount point is"},
	{syscall.ETXTBSY, facade.CodeBusy, "the program is running"},
	{syscall.EAGAIN, facade.CodeBusy, "the tree kept changing; try again"},
	{syscall.EMFILE, facade.CodeBusy, "too many open files"},
	{syscall.ENFILE, facade.CodeBusy, "too many open files on the host"},
}
