package rootfs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// TestOddNames creates, reads, lists, renames and removes files whose names
// look like attacks or are rare, and are neither.
func TestOddNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("most of these names cannot exist on Windows")
	}
	names := []string{
		"...", "....", "..a", "a..", "a..b", ".hidden", "-rf", "--", "~", "~root", "$HOME", "%2e%2e", "%", "C:", `C:\x`, `a\b`, `..\x`, `\`,
		" ", "  x", "x ", "x.", "a b", "a\tb", "a\nb", "a\rb", "\x01", "\x7f", "*", "?", "[a]", "{a,b}", "a:b", "a|b", "<a>", `"a"`, "'a'", "a;b", "a&b", "`a`", "$(a)",
		"\xff\xfe", "\xc0\xae\xc0\xae", "a\x80b", "日本語", "é", "e\u0301", "．．", "..／x", "\u202etxt.exe", "\u200b", "\ufeffx", "👩‍👩‍👧", "CON", "nul", "aux.txt", "com1",
		strings.Repeat("n", 255), strings.Repeat("é", 127), "root-evil", "proc",
	}
	eachVariant(t, func(t *testing.T, v variant) {
		for i, name := range names {
			t.Run(fmt.Sprintf("%d %q", i, name), func(t *testing.T) { oddName(t, v, name) })
		}
	})
}

func oddName(t *testing.T, v variant, name string) {
	f := v.open(t, t.TempDir(), nil)
	check(t, f.Mkdir(name, 0o755))
	file := name + "/" + name
	check(t, afero.WriteFile(f, file, []byte("x"), 0o644))
	data, err := f.ReadFile(file, 10)
	check(t, err)
	if string(data) != "x" {
		t.Errorf("content %q, want x", data)
	}
	d, err := f.OpenDir(name)
	check(t, err)
	entries, err := d.ReadDir(-1)
	check(t, err)
	check(t, d.Close())
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("entries %v, want %q", entries, name)
	}
	check(t, f.Rename(file, name+"/other"))
	check(t, f.Symlink(name+"/other", "link"))
	if _, err := f.Stat("link"); err != nil {
		t.Error(err)
	}
	check(t, f.RemoveAll(name))
	if _, err := f.Stat(name); !os.IsNotExist(err) {
		t.Errorf("after RemoveAll: %v", err)
	}
}

// TestInnerLinks follows links whose way stays inside, and reaches what
// package os reaches.
func TestInnerLinks(t *testing.T) {
	links := []struct{ name, target string }{
		{"rel", "a/file"},
		{"dir", "a"},
		{"updown", "a/../a/file"},
		{"a/up", "../b/file"},
		{"a/here", "."},
		{"a/top", ".."},
		{"chain1", "chain2"},
		{"chain2", "chain3"},
		{"chain3", "rel"},
		{"abs", "{root}/a/file"},
		{"absdir", "{root}/a"},
		{"absroot", "{root}"},
		{"absslash", "{root}/"},
		{"a/absup", "{root}/a/../b/file"},
		{"abschain", "{root}/absdir/up"},
		{"other", "{alias}/a/file"},
	}
	paths := []string{
		"rel", "dir", "dir/", "dir/.", "dir/file", "dir/../b/file", "updown", "a/up", "dir/up", "a/here/here/here/file", "a/top/b/file", "dir/top/a/top/a/file",
		"chain1", "abs", "absdir", "absdir/", "absdir/file", "absdir/../b/file", "absroot", "absroot/a/absup", "absslash/b/file", "a/absup", "abschain", "other",
		"absroot/absroot/absroot/abs", "./a//file", "a/./file", "a/../a/../b/file",
	}
	for i := range 20 { // more than os.Root follows, fewer than the kernel
		links = append(links, struct{ name, target string }{fmt.Sprint("n", i+1), fmt.Sprint("n", i)})
	}
	links = append(links, struct{ name, target string }{"n0", "a/file"})
	paths = append(paths, "n20")

	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		root, alias := filepath.Join(dir, "root"), filepath.Join(dir, "alias")
		check(t, os.MkdirAll(filepath.Join(root, "a"), 0o755))
		check(t, os.MkdirAll(filepath.Join(root, "b"), 0o755))
		check(t, os.WriteFile(filepath.Join(root, "a/file"), []byte("a"), 0o644))
		check(t, os.WriteFile(filepath.Join(root, "b/file"), []byte("b"), 0o644))
		check(t, os.Symlink(root, alias))
		for _, l := range links {
			check(t, os.Symlink(strings.NewReplacer("{root}", root, "{alias}", alias).Replace(l.target), filepath.Join(root, l.name)))
		}
		f := v.open(t, alias, nil) // so that both spellings are known
		for _, path := range paths {
			want, err := os.Stat(root + "/" + path)
			check(t, err)
			got, err := f.Stat(path)
			if err != nil {
				t.Error(err)
				continue
			}
			if !SameFile(got, want) {
				t.Errorf("%s is another file than package os finds", path)
			}
			if want.IsDir() {
				checkDir(t, f, path)
				continue
			}
			wantData, err := os.ReadFile(root + "/" + path)
			check(t, err)
			if data, err := f.ReadFile(path, 10); err != nil || string(data) != string(wantData) {
				t.Errorf("ReadFile(%q) = %q, %v", path, data, err)
			}
		}
	})
}

// checkDir works in a directory reached by a link.
func checkDir(t *testing.T, f *FS, path string) {
	t.Helper()
	base := strings.TrimRight(path, "/")
	check(t, afero.WriteFile(f, base+"/new", []byte("new"), 0o644))
	check(t, f.Rename(base+"/new", base+"/newer"))
	check(t, f.Chmod(base+"/newer", 0o600))
	check(t, f.MkdirAll(base+"/x/y/z", 0o755))
	check(t, f.RemoveAll(base+"/x"))
	check(t, f.Remove(base+"/newer"))
	check(t, f.SyncDir(path))
}

// TestCreateThroughLink follows a dangling link whose target is inside.
func TestCreateThroughLink(t *testing.T) {
	for name, target := range map[string]string{"relative": "sub/new", "absolute": "{root}/sub/new", "chain": "hop"} {
		eachVariant(t, func(t *testing.T, v variant) {
			dir := t.TempDir()
			check(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
			check(t, os.Symlink(strings.ReplaceAll(target, "{root}", dir), filepath.Join(dir, name)))
			check(t, os.Symlink("sub/new", filepath.Join(dir, "hop")))
			f := v.open(t, dir, nil)
			check(t, afero.WriteFile(f, name, []byte("new"), 0o644))
			data, err := os.ReadFile(filepath.Join(dir, "sub/new"))
			if err != nil || string(data) != "new" {
				t.Errorf("%s: %q, %v", name, data, err)
			}
			if _, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); !os.IsExist(err) {
				t.Errorf("%s: exclusive creation through a link: %v", name, err)
			}
		})
	}
}

// TestRemoveKeepsTargets removes links, not what they lead to.
func TestRemoveKeepsTargets(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		check(t, os.MkdirAll(filepath.Join(dir, "keep/sub"), 0o755))
		check(t, os.MkdirAll(filepath.Join(dir, "tree/sub"), 0o755))
		check(t, os.WriteFile(filepath.Join(dir, "keep/file"), nil, 0o644))
		for _, name := range []string{"l1", "l2", "tree/l3", "tree/sub/l4"} {
			check(t, os.Symlink(filepath.Join(dir, "keep"), filepath.Join(dir, name)))
		}
		f := v.open(t, dir, nil)
		check(t, f.Remove("l1"))
		if err := f.RemoveAll("l2/"); err == nil {
			t.Error(`RemoveAll("l2/") follows or removes a link`)
		}
		check(t, f.RemoveAll("l2"))
		check(t, f.RemoveAll("tree"))
		check(t, f.RemoveAll("tree"))
		check(t, f.RemoveAll("missing/below"))
		if _, err := os.Stat(filepath.Join(dir, "keep/file")); err != nil {
			t.Error(err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("left: %v, %v", entries, err)
		}
	})
}
