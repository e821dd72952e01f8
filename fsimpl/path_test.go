package fsimpl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

func TestRelative(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{".", "a/b", "a/b"},
		{"a", "a/b", "b"},
		{"a/c", "a/b", "../b"},
		{"..", "a", "a"}, // not to be told: the name stays as it is
	} {
		if got := relative(c.dir, c.name); got != c.want {
			t.Errorf("relative(%q, %q) = %q, want %q", c.dir, c.name, got, c.want)
		}
	}
}

// A directory opened through a link is known by both of its names.
func TestOpenThroughALink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	target, name := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	must(t, os.Mkdir(target, 0o755))
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	must(t, os.WriteFile(filepath.Join(target, "f"), []byte("content"), 0o600))
	f := opened(t, name, nil)
	for _, root := range []string{target, name} {
		out, err := f.Read(t.Context(), facade.ReadInput{Path: filepath.Join(root, "f")})
		if err != nil || out.Files[0].Path != "f" || out.Files[0].Content != "content" {
			t.Errorf("below %s: %+v, %v", root, out, err)
		}
	}
	_, err = f.Read(t.Context(), facade.ReadInput{Path: filepath.Join(dir, "f")})
	coded(t, err, facade.CodeOutsideRoot)
}

// A relative directory is not taken for anything once the process stands
// nowhere.
func TestHostPathsOfNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	must(t, err)
	if err := os.Remove(dir); err != nil {
		t.Skip("the current directory cannot be removed here: ", err)
	}
	if _, err := filepath.Abs("x"); err == nil {
		t.Skip("the current directory is known without being there")
	}
	if got := hostPaths("x"); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if f, err := Open("x", nil); err == nil {
		t.Errorf("opened: %v", f.Close())
	}
}

// linking has symbolic links whose targets nobody checks.
type linking struct {
	afero.Fs
	links map[string]string
}

func (l linking) LstatIfPossible(name string) (os.FileInfo, bool, error) {
	info, err := l.Stat(name)
	if l.links[name] != "" && err == nil {
		info = linkInfo{info}
	}
	return info, true, err
}

func (l linking) ReadlinkIfPossible(name string) (string, error) { return l.links[name], nil }

type linkInfo struct{ os.FileInfo }

func (linkInfo) Mode() os.FileMode { return os.ModeSymlink | 0o777 }

// A change through a link to an absolute path is refused where the path is not
// below the root, whatever the file system says.
func TestAbsoluteLink(t *testing.T) {
	base, err := filepath.Abs(string(filepath.Separator))
	must(t, err)
	root, other := filepath.Join(base, "the", "root"), filepath.Join(base, "another", "d")
	l := linking{afero.NewMemMapFs(), map[string]string{"in": filepath.Join(root, "d"), "out": other}}
	for _, name := range []string{"in", "out", "d/f"} {
		must(t, afero.WriteFile(l.Fs, name, []byte("content"), 0o644))
	}
	f, err := newFiles(&tree{fs: l, host: []string{filepath.ToSlash(root)}}, &Options{Journal: JournalOptions{InMemory: true}})
	must(t, err)
	defer f.Close()
	if got, err := f.canonical("in/f", true); err != nil || got != "d/f" {
		t.Errorf("%q, %v", got, err)
	}
	got, err := f.canonical("out/f", true)
	coded(t, err, facade.CodeOutsideRoot)
	if got != "" {
		t.Errorf("%q in spite of the error", got)
	}
	_, err = f.Write(t.Context(), facade.WriteInput{Path: "out/f", Content: "planted"})
	coded(t, err, facade.CodeOutsideRoot)
	contains(t, f, "d/f", "content")
}

// Open and New say why they refuse.
func TestOpenFails(t *testing.T) {
	if f, err := Open(filepath.Join(t.TempDir(), "nothing"), nil); !os.IsNotExist(err) && facade.CodeOf(err) != facade.CodeNotFound {
		t.Errorf("%v, %v", f, err)
	}
	if f, err := New(nil, nil); err == nil || f != nil {
		t.Errorf("%v, %v", f, err)
	}
}
