package escapetest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Snapshot describes every entry below dir but those below skip: kind, mode,
// size, owner, time of change and, up to 1 MiB, content.
func Snapshot(dir, skip string) (map[string]string, error) {
	seen := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == skip {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := contentOf(path, info)
		if err != nil {
			return err
		}
		seen[rel] = fmt.Sprintf("%s %s %s %s %s", info.Mode(), info.ModTime(), owner(info), size(info), content)
		return nil
	})
	return seen, err
}

func size(info fs.FileInfo) string {
	if info.IsDir() {
		return "-"
	}
	return fmt.Sprint(info.Size())
}

func contentOf(path string, info fs.FileInfo) (string, error) {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return os.Readlink(path)
	case info.Mode().IsRegular() && info.Size() < 1<<20:
		data, err := os.ReadFile(path)
		return fmt.Sprintf("%x", sha256.Sum256(data)), err
	}
	return "", nil
}

// remember takes the state that [World.Damage] compares with.
func (w *World) remember(t testing.TB) {
	t.Helper()
	var err error
	w.before, err = Snapshot(w.Dir, w.Root)
	check(t, err)
	w.rootInfo, err = os.Lstat(w.Root)
	check(t, err)
	for rel := range w.before {
		info, err := os.Lstat(filepath.Join(w.Dir, rel))
		check(t, err)
		if id := identity(info); id != "" {
			w.outside = append(w.outside, id)
		}
	}
}

// Damage describes what was created, changed or removed outside the root, and
// the loss of the root itself; "" when all is as it was.
func (w *World) Damage() string {
	if now, err := os.Lstat(w.Root); err != nil || !os.SameFile(now, w.rootInfo) {
		return "the root is gone or another one"
	}
	now, err := Snapshot(w.Dir, w.Root)
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(w.before, now)
}

// Touched reports whether anything inside the root changed, so that the world
// cannot serve for another call.
func (w *World) Touched() bool {
	now, err := Snapshot(w.Root, "")
	return err != nil || !maps.Equal(w.inside, now)
}

// Leak returns which mark of the outside is in what a call returned: content,
// names, descriptions made by [Describe], or the host path of the root. It
// returns "" when there is none.
func (w *World) Leak(p Payload, text string) string {
	// A payload may contain host paths itself and be quoted in an error.
	text = strings.ReplaceAll(text, p.Path, "<path>")
	text = strings.ReplaceAll(text, fmt.Sprintf("%q", p.Path), "<path>")
	marks := []string{w.Dir}
	if !p.Shared {
		marks = slices.Concat(marks, []string{Secret, SecretName, fmt.Sprintf("size=%d ", secretSize)}, w.outside)
	}
	for _, mark := range marks {
		if strings.Contains(text, mark) {
			return mark
		}
	}
	return ""
}
