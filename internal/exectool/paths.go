package exectool

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Directory checks a directory below the root and returns its absolute path.
func (r *Runner) Directory(cwd string) (string, error) {
	rel, err := r.Relative("cwd", cwd)
	if err != nil {
		return "", err
	}
	info, err := r.root.Stat(rel)
	if err != nil {
		return "", r.pathError("cwd", cwd, rel, err)
	}
	if !info.IsDir() {
		return "", facade.Errorf(facade.CodeNotDirectory, "%s is not a directory", cwd).WithPath(cwd).
			WithHint("name the directory to run in, or leave out 'cwd' for the root")
	}
	return filepath.Join(r.dir, rel), nil
}

// File checks a regular file below the root and returns its path relative to
// the root.
func (r *Runner) File(field, name string) (string, error) {
	rel, err := r.Relative(field, name)
	if err != nil {
		return "", err
	}
	info, err := r.root.Stat(rel)
	switch {
	case err != nil:
		return "", r.pathError(field, name, rel, err)
	case info.IsDir():
		return "", facade.Errorf(facade.CodeIsDirectory, "%s is a directory", name).WithPath(name).WithHint("name a file")
	case !info.Mode().IsRegular():
		return "", facade.Errorf(facade.CodeNotRegular, "%s is not a regular file", name).WithPath(name).WithHint("name a file")
	}
	return rel, nil
}

// Relative turns a path as models write it into one relative to the root.
func (r *Runner) Relative(field, path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", facade.InvalidArgument(field, "%.80q has a zero byte, which no path can have", path)
	}
	rel := filepath.FromSlash(path)
	if rel == "" {
		rel = "."
	}
	if filepath.IsAbs(rel) {
		below, err := filepath.Rel(r.dir, rel)
		if err != nil {
			below = ".."
		}
		rel = below
	}
	if rel = filepath.Clean(rel); !filepath.IsLocal(rel) {
		e := facade.Errorf(facade.CodeOutsideRoot, "%s is outside the root", path).WithPath(path)
		e.Field = field
		return "", e.WithHint("use a path relative to the root")
	}
	return rel, nil
}

// pathError is the error for a path that was sent, which is rel below the root.
func (r *Runner) pathError(field, path, rel string, err error) error {
	code, hint := facade.CodeOf(err), "list the directory to see what is there"
	if code == facade.CodeNotFound {
		if near := r.nearest(rel); near != "" {
			hint = "did you mean " + near + "?"
		}
	}
	if code == facade.CodeInternal { // how os.Root reports an escape
		code, hint = facade.CodeOutsideRoot, "use a path that leads to something below the root"
	}
	why := map[facade.Code]string{
		facade.CodeNotFound: "does not exist", facade.CodeOutsideRoot: "leads outside the root",
		facade.CodeNotDirectory: "leads through something that is no directory",
	}[code]
	if why == "" {
		why = "cannot be used"
	}
	e := facade.Errorf(code, "%s %s", path, why).WithPath(path).WithHint("%s", hint)
	e.Field, e.Err = field, err
	return e
}

// mostNames is how many names of a directory are looked through for one that
// may be meant.
const mostNames = 10_000

// nearest is the path below the root that is most like one which is not there,
// "" when none is alike.
func (r *Runner) nearest(rel string) string {
	rel = filepath.ToSlash(rel)
	for parent, want := path.Dir(rel), path.Base(rel); ; parent, want = path.Dir(parent), path.Base(parent) {
		d, err := r.root.Open(parent)
		if err != nil {
			if parent == "." {
				return ""
			}
			continue
		}
		entries, _ := d.ReadDir(mostNames) // none where it cannot be read
		_ = d.Close()                      // it was only read
		var names []string
		for _, e := range entries {
			if e.IsDir() || e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 {
				names = append(names, e.Name())
			}
		}
		if name := facade.Nearest(want, names); name != "" {
			return path.Join(parent, name)
		}
		return ""
	}
}
