package rootfs

import (
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/toolfacade/toolfacade/facade"
)

// checkName refuses names that no operation takes. What a name leads to is
// not checked here but by resolution itself.
func (f *FS) checkName(name string) error {
	switch {
	case name == "":
		return &facade.Error{
			Code: facade.CodeInvalidArgument, Message: "the path is empty", Err: syscall.ENOENT,
			Hint: `the root directory is "."`,
		}
	case strings.IndexByte(name, 0) >= 0:
		return &facade.Error{Code: facade.CodeInvalidArgument, Message: "the path has a NUL byte", Err: syscall.EINVAL}
	case len(name) > f.opts.MaxPath:
		return &facade.Error{Code: facade.CodeInvalidArgument, Message: "the path is too long", Err: syscall.ENAMETOOLONG}
	case name[0] == '/':
		return errOutside
	}
	if runtime.GOOS == "windows" {
		return checkWindowsName(name)
	}
	return nil
}

// checkWindowsName refuses what Windows takes for a separator, a drive, a
// stream or a device. Names are '/'-separated on every system.
func checkWindowsName(name string) error {
	if strings.ContainsAny(name, `\:`) {
		return errOutside
	}
	for elem := range strings.SplitSeq(name, "/") {
		if elem != "" && elem != ".." && !filepath.IsLocal(elem) {
			return &facade.Error{Code: facade.CodeInvalidArgument, Message: "the path has a reserved name", Err: fs.ErrInvalid}
		}
	}
	return nil
}

// split cuts the last element off name. slash reports trailing slashes, which
// are in neither part. dir is "." when name has one element.
func split(name string) (dir, base string, slash bool) {
	trimmed := strings.TrimRight(name, "/")
	slash = len(trimmed) < len(name)
	i := strings.LastIndexByte(trimmed, '/')
	if i < 0 {
		return ".", trimmed, slash
	}
	return trimmed[:i+1], trimmed[i+1:], slash
}

// isDots reports whether an element names a directory by its position.
func isDots(elem string) bool { return elem == "." || elem == ".." || elem == "" }

// join appends an element to a directory's name.
func join(dir, elem string) string {
	if dir == "." || dir == "" {
		return elem
	}
	return strings.TrimRight(dir, "/") + "/" + elem
}
