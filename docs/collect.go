package docs

import (
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// Bounds of one index call.
const (
	maxIndexed = 100_000 // files
	maxDeep    = 64      // directories in one another
)

// selection is what the path of an index call means.
type selection struct {
	names  []string          // of regular files
	failed map[string]string // directories that could not be read, with the reason
	base   string            // the file, or the directory that all are below of
	single bool
	takes  func(name string) bool // whether a file of that name would be among them
}

// collect lists what a path means: a file, everything below a directory, or
// what matches a glob.
func (t *Tools) collect(ctx context.Context, p string) (*selection, error) {
	name, err := t.resolve(ctx, p)
	if err != nil {
		return nil, err
	}
	s := &selection{base: name, failed: map[string]string{}, takes: func(string) bool { return true }}
	info, err := t.fs.fs.Stat(t.fs.at(name))
	switch {
	case err == nil && !info.IsDir():
		s.names, s.single = []string{name}, true
		return s, nil
	case err == nil:
		return s, t.walk(ctx, s, name, 0)
	case !strings.ContainsAny(name, "*?[{"):
		return nil, t.fs.failure(name, err)
	}
	if strings.Count(name, "{") > 4 || !doublestar.ValidatePattern(name) {
		return nil, facade.InvalidArgument("path", "'%s' is no usable glob", p).WithHint("use a glob such as '**/*.{docx,pdf}'")
	}
	base, pattern := doublestar.SplitPattern(name)
	s.base = path.Clean(base)
	s.takes = func(name string) bool {
		if s.base != "." {
			name = strings.TrimPrefix(name, s.base+"/")
		}
		if !strings.Contains(p, "/") { // as find does: the base name at any depth
			name = path.Base(name)
		}
		ok, err := doublestar.Match(pattern, name)
		return ok && err == nil
	}
	if err = t.walk(ctx, s, s.base, 0); err == nil && len(s.names) == 0 {
		err = facade.Errorf(facade.CodeNotFound, "nothing matches '%s'", p).WithHint("use find of the filesystem tool to see what exists")
	}
	return s, err
}

// walk adds the regular files below a directory that the selection takes,
// without following symbolic links and without the data of version control.
// Only the first directory has to be readable.
func (t *Tools) walk(ctx context.Context, s *selection, dir string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d, err := t.fs.fs.Open(t.fs.at(dir))
	if err != nil {
		return t.fs.failure(dir, err)
	}
	defer d.Close()
	for {
		entries, err := d.Readdir(1000)
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case e.Mode().IsRegular():
				if s.takes(name) {
					s.names = append(s.names, name)
				}
			case e.IsDir() && !skippedDir(e.Name()) && depth < maxDeep:
				if err := t.walk(ctx, s, name, depth+1); err != nil {
					if ctx.Err() != nil || facade.CodeOf(err) == facade.CodeTooLarge {
						return err
					}
					s.failed[pathname.Escape(name)] = reason(err)
				}
			}
		}
		switch {
		case len(s.names) > maxIndexed:
			return facade.Errorf(facade.CodeTooLarge, "there are more than %d files, the limit of one call", maxIndexed).
				WithHint("index one directory after the other, or use a glob such as '**/*.pdf'")
		case errors.Is(err, io.EOF) || err == nil && len(entries) == 0:
			return nil
		case err != nil:
			return t.fs.failure(dir, err)
		}
	}
}

// skippedDir reports whether a directory holds no documents of the user's: the
// data of version control and the packages of a project.
func skippedDir(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules":
		return true
	}
	return false
}

// reason is the text of an error for a list, which names the path already.
func reason(err error) string {
	if e, ok := errors.AsType[*facade.Error](err); ok {
		return strings.TrimPrefix(e.Message, "'"+e.Path+"' ")
	}
	return err.Error()
}
