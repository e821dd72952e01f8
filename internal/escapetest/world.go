// Package escapetest is the attack on anything that promises to stay in one
// directory: a table of hostile paths, a canary tree that shows what was
// touched, and an attacker who exchanges directories for links meanwhile.
//
// It is imported by tests only. No payload leads anywhere but to the canary
// tree, so that even code without any confinement does no harm.
package escapetest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Marks of what lies outside. Whatever a tested call returns must have none.
const (
	// Secret is in the content of each file outside the root.
	Secret = "OUTSIDE-CONTENT"
	// SecretName is in the name of a file in each directory outside.
	SecretName = "outside-only-name"
	// secretSize is the size of each file outside, and of none inside.
	secretSize = 7919
)

// Payload is one hostile path.
type Payload struct {
	Name string
	// Path is what to hand to the call under test.
	Path string
	// MustRefuse says that opening Path for reading has to fail.
	MustRefuse bool
	// Shared says that Path is a hard link of an outside file: it may be read
	// and described, but the file must stay as it is.
	Shared bool
}

// World is a directory with a root to stay in and a canary tree around it:
//
//	root/inside.txt  root/sub/deep/inside.txt  root/empty/
//	outside/         with secret.txt and dir/secret.txt
//	root-evil/       a sibling whose name starts like the root's
type World struct {
	Dir, Root string
	Payloads  []Payload

	recipes  []recipe
	undo     []func()          // ends mounts
	before   map[string]string // what is outside
	inside   map[string]string
	rootInfo fs.FileInfo
	outside  []string // descriptions of what lies outside
}

// Build makes a world in dir, which must be empty, with all payloads or only
// those of the given names. Payloads that this system or user cannot have are
// left out and logged. What Build holds open is closed when the test ends.
func Build(t testing.TB, dir string, only ...string) *World {
	t.Helper()
	w := &World{Dir: dir, Root: filepath.Join(dir, "root")}
	for _, d := range []string{"root", "outside/dir", "root-evil"} {
		check(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	secret := Secret + strings.Repeat(".", secretSize-len(Secret))
	for _, d := range []string{"outside", "outside/dir", "root-evil"} {
		for _, f := range []string{"secret.txt", SecretName} {
			check(t, os.WriteFile(filepath.Join(dir, d, f), []byte(secret), 0o640))
		}
	}
	for _, r := range slices.Concat(lexical, links, special) {
		if len(only) == 0 || slices.Contains(only, r.name) {
			w.recipes = append(w.recipes, r)
		}
	}
	w.furnish(t)
	w.remember(t)
	return w
}

// Renew makes the inside of the root anew, for another call to be tested. The
// root stays the directory it was; what is outside is taken to be unharmed.
func (w *World) Renew(t testing.TB) {
	t.Helper()
	for _, undo := range w.undo {
		undo()
	}
	entries, err := os.ReadDir(w.Root)
	check(t, err)
	for _, e := range entries {
		check(t, os.RemoveAll(filepath.Join(w.Root, e.Name())))
	}
	check(t, os.Chmod(w.Root, 0o755)) // a call may have had a right to change it
	w.furnish(t)
}

// furnish fills the root and notes how it is.
func (w *World) furnish(t testing.TB) {
	t.Helper()
	w.Payloads, w.undo = nil, nil
	for _, d := range []string{"sub/deep", "empty"} {
		check(t, os.MkdirAll(filepath.Join(w.Root, d), 0o755))
	}
	for _, f := range []string{"inside.txt", "sub/deep/inside.txt"} {
		check(t, os.WriteFile(filepath.Join(w.Root, f), []byte("inside\n"), 0o644))
	}
	for _, r := range w.recipes {
		w.plant(t, r)
	}
	var err error
	w.inside, err = Snapshot(w.Root, "")
	check(t, err)
}

// Names returns the names of all payloads, for worlds with one of them each.
func Names() []string {
	var names []string
	for _, r := range slices.Concat(lexical, links, special) {
		names = append(names, r.name)
	}
	return names
}

// recipe makes a payload.
type recipe struct {
	name string
	// path may have {dir}, {root} and {back} for the host paths of the world
	// and for enough ".." to reach the file system's root.
	path string
	// links are made first, as "name -> target", both like path.
	links  []string
	plant  func(t testing.TB, w *World) error
	refuse bool
	shared bool
}

func (w *World) plant(t testing.TB, r recipe) {
	t.Helper()
	for _, link := range r.links {
		name, target, _ := strings.Cut(w.expand(link), " -> ")
		if err := os.Symlink(target, filepath.Join(w.Root, name)); err != nil && !os.IsExist(err) {
			t.Logf("payload %q left out: %v", r.name, err)
			return
		}
	}
	if r.plant != nil {
		if err := r.plant(t, w); err != nil && !os.IsExist(err) {
			t.Logf("payload %q left out: %v", r.name, err)
			return
		}
	}
	w.Payloads = append(w.Payloads, Payload{Name: r.name, Path: w.expand(r.path), MustRefuse: r.refuse, Shared: r.shared})
}

func (w *World) expand(s string) string {
	s = strings.ReplaceAll(s, "{dir}", filepath.ToSlash(w.Dir))
	s = strings.ReplaceAll(s, "{root}", filepath.ToSlash(w.Root))
	back := strings.Repeat("../", 40)
	return strings.ReplaceAll(s, "{back}", strings.TrimSuffix(back, "/"))
}

// Describe renders what a call learnt about a file, so that [World.Leak]
// recognises a file outside.
func Describe(info fs.FileInfo) string {
	return fmt.Sprintf("name=%q size=%d %s", info.Name(), info.Size(), identity(info))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
