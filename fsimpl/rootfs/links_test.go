package rootfs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/toolfacade/toolfacade/facade"
)

func TestReadlink(t *testing.T) {
	tests := []struct{ name, target, want string }{ // "" wants outside_root
		{"rel", "a/b", "a/b"},
		{"missing", "nowhere/x", "nowhere/x"},
		{"a/up", "../x", "../x"},
		{"abs", "{root}/a/b", "a/b"},
		{"a/b/abs", "{root}/x", "../../x"},
		{"absroot", "{root}", "."},
		{"self", ".", "."},
		{"parent", "..", ""},
		{"out", "../outside", ""},
		{"a/out", "../../outside", ""},
		{"absout", "/etc/hostname", ""},
		{"evil", "{root}-evil", ""},
		{"absup", "{root}/../x", ""},
		{"detour", "a/../../x", ""},
		{"missingup", "missing/../../x", ""},
		{"toout", "out/x", ""},
	}
	eachVariant(t, func(t *testing.T, v variant) {
		dir := filepath.Join(t.TempDir(), "root")
		check(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
		f := v.open(t, dir, nil)
		for _, tt := range tests {
			target := tt.target
			if rest, ok := cutRoot(target); ok {
				target = dir + rest
			}
			check(t, os.Symlink(target, filepath.Join(dir, tt.name)))
		}
		for _, tt := range tests {
			got, err := f.Readlink(tt.name)
			switch {
			case tt.want == "" && facade.CodeOf(err) != facade.CodeOutsideRoot:
				t.Errorf("%s: %q, %v, want outside_root", tt.name, got, err)
			case tt.want != "" && (err != nil || got != tt.want):
				t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
			}
		}
	})
}

func cutRoot(s string) (string, bool) {
	if len(s) < 6 || s[:6] != "{root}" {
		return "", false
	}
	return s[6:], true
}

func TestSymlink(t *testing.T) {
	tests := []struct {
		target, name string
		want         facade.Code
	}{
		{"file", "l1", ""},
		{"../file", "dir/l2", ""},
		{"missing/x", "l3", ""},
		{".", "l4", ""},
		{"../..", "dir/sub/l5", ""},
		{"..", "l6", facade.CodeOutsideRoot},
		{"../x", "l7", facade.CodeOutsideRoot},
		{"../../x", "dir/l8", facade.CodeOutsideRoot},
		{"dir/../../x", "l9", facade.CodeOutsideRoot},
		{"/etc/hostname", "l10", facade.CodeOutsideRoot},
		{"out", "l11", facade.CodeOutsideRoot},
		{"out/x", "l12", facade.CodeOutsideRoot},
		{"", "l13", facade.CodeInvalidArgument},
		{"a\x00b", "l14", facade.CodeInvalidArgument},
		{"file", "file", facade.CodeAlreadyExists},
		{"file", "missing/l15", facade.CodeNotFound},
		{"file", "../l16", facade.CodeOutsideRoot},
		{"file", "dir/..", facade.CodeInvalidArgument},
	}
	eachVariant(t, func(t *testing.T, v variant) {
		dir := t.TempDir()
		plantKinds(t, dir)
		f := v.open(t, dir, nil)
		for _, tt := range tests {
			err := f.Symlink(tt.target, tt.name)
			if got := facade.CodeOf(err); got != tt.want {
				t.Errorf("%q -> %q: %q (%v), want %q", tt.name, tt.target, got, err, tt.want)
			}
			if tt.want != "" {
				continue
			}
			if got, err := os.Readlink(filepath.Join(dir, tt.name)); err != nil || got != tt.target {
				t.Errorf("%q leads to %q, %v", tt.name, got, err)
			}
		}
	})
}

// TestRootMoved: an absolute link counts only while the root is where the
// link says.
func TestRootMoved(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		top := t.TempDir()
		dir := filepath.Join(top, "root")
		check(t, os.Mkdir(dir, 0o755))
		check(t, os.WriteFile(filepath.Join(dir, "file"), []byte("inside"), 0o644))
		check(t, os.Symlink(filepath.Join(dir, "file"), filepath.Join(dir, "abs")))
		f := v.open(t, dir, nil)
		if _, err := f.ReadFile("abs", 10); err != nil {
			t.Error(err)
		}
		check(t, os.Rename(dir, filepath.Join(top, "moved")))
		if data, err := f.ReadFile("file", 10); string(data) != "inside" {
			t.Errorf("%q, %v after the root was renamed", data, err)
		}
		if _, err := f.ReadFile("abs", 10); facade.CodeOf(err) != facade.CodeOutsideRoot {
			t.Errorf("absolute link to the old place: %v", err)
		}
	})
}
