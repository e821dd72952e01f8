package fssync_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fssync"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// world is two sides that people change while they are synchronized, and an
// account of what they wrote.
type world struct {
	t     *testing.T
	rng   *rand.Rand
	disk  pair
	names int

	mu       sync.Mutex
	versions int
	// live are the versions that nobody has replaced or deleted having seen
	// them: each must be there, on one side at least.
	live map[string]map[string]bool // by path
}

// stormy is a side during a run: people change files between its operations,
// and the process may die at one.
type stormy struct {
	afero.Fs
	w *world
	// left is how many operations are left until the crash, shared.
	left *int
}

var errCrash = fmt.Errorf("the process is dead")

func (s stormy) tick() error {
	if *s.left--; *s.left < 0 {
		return errCrash
	}
	return nil
}

func (s stormy) Open(name string) (afero.File, error) {
	if err := s.tick(); err != nil {
		return nil, err
	}
	return s.Fs.Open(name)
}

// OpenFile is where a new file begins: far from the last look before a rename,
// so people may change something now.
func (s stormy) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	if err := s.tick(); err != nil {
		return nil, err
	}
	s.w.change(1)
	return s.Fs.OpenFile(name, flag, perm)
}

func (s stormy) Rename(from, to string) error {
	if err := s.tick(); err != nil {
		return err
	}
	return s.Fs.Rename(from, to)
}

func (s stormy) Remove(name string) error {
	if err := s.tick(); err != nil {
		return err
	}
	return s.Fs.Remove(name)
}

func (s stormy) Stat(name string) (os.FileInfo, error) {
	if err := s.tick(); err != nil {
		return nil, err
	}
	return s.Fs.Stat(name)
}

// change makes n changes somewhere.
func (w *world) change(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range n {
		side := w.disk.source
		if w.rng.IntN(2) == 0 {
			side = w.disk.target
		}
		i := w.rng.IntN(w.names)
		w.put(side, fmt.Sprintf("/d%d/f%d", i%97, i), w.rng.IntN(5) == 0)
	}
}

// put replaces or deletes a file having seen what it holds.
func (w *world) put(side afero.Fs, name string, remove bool) {
	if before, err := afero.ReadFile(side, name); err == nil {
		delete(w.live[name], string(before))
		if remove {
			if err := side.Remove(name); err != nil {
				w.t.Error(err)
			}
		}
	}
	if remove {
		return
	}
	w.versions++
	text := fmt.Sprintf("version %d", w.versions)
	if err := afero.WriteFile(side, name, []byte(text), 0o644); err != nil {
		w.t.Error(err)
	}
	if w.live[name] == nil {
		w.live[name] = map[string]bool{}
	}
	w.live[name][text] = true
}

// account looks for versions that are on neither side.
func (w *world) account(when string) {
	w.t.Helper()
	lost := 0
	for name, versions := range w.live {
		for version := range versions {
			if !holds(w.disk.source, name, version) && !holds(w.disk.target, name, version) {
				if lost++; lost < 5 {
					w.t.Errorf("%s: %q of %s is lost", when, version, name)
				}
			}
		}
	}
	if lost > 0 {
		w.t.Fatalf("%s: %d versions are lost", when, lost)
	}
}

func holds(side afero.Fs, name, version string) bool {
	text, err := afero.ReadFile(side, name)
	return err == nil && string(text) == version
}

// run synchronizes once in a new process, that dies after so many operations.
func (w *world) run(operations int) (facade.SyncTriggerOutput, error) {
	left := operations
	s, err := fssync.New(stormy{w.disk.source, w, &left}, stormy{w.disk.target, w, &left},
		&fssync.Options{State: stormy{w.disk.state, w, &left}, StateFile: "/pair.json"})
	if err != nil {
		return facade.SyncTriggerOutput{}, err
	}
	defer func() { _ = s.Close() }()
	return s.Trigger(w.t.Context(), facade.SyncTriggerInput{Direction: facade.SyncBoth})
}

// Two big trees change on both sides, also during the runs, and the process dies
// again and again at a random operation. No version is lost, and once people rest
// and settle the conflicts, both sides are alike.
func TestRandom(t *testing.T) {
	names, rounds := 600, 25
	if testenv.Full() {
		names, rounds = 10_000, 60
	}
	seed := rand.Uint64()
	t.Logf("seed %d, %d files, %d crashes", seed, names, rounds)
	w := &world{t: t, rng: rand.New(rand.NewPCG(seed, 1)), disk: pairOn(afero.NewMemMapFs()), names: names, live: map[string]map[string]bool{}}
	w.change(names * 2)
	for round := range rounds {
		if _, err := w.run(w.rng.IntN(6 * names)); err != nil && !strings.Contains(err.Error(), errCrash.Error()) {
			t.Logf("round %d: %v", round, err)
		}
		w.account(fmt.Sprintf("round %d", round))
		w.change(names / 20)
	}
	calm := w.disk.open(t)
	out := both(t, calm)
	w.account("at the end")
	t.Logf("%d versions, %d conflicts at the end", w.versions, len(out.Conflicts))
	for _, c := range out.Conflicts { // somebody decides for the source
		w.put(w.disk.target, "/"+c.Path, true)
		if text, err := afero.ReadFile(w.disk.source, "/"+c.Path); err == nil {
			write(t, w.disk.target, map[string]string{"/" + c.Path: string(text)})
		}
	}
	if out = both(t, calm); len(out.Conflicts) > 0 {
		t.Errorf("conflicts are left: %+v", out.Conflicts[:min(5, len(out.Conflicts))])
	}
	w.account("after the conflicts")
	alike(t, w.disk)
	if out = both(t, calm); len(out.Copied)+len(out.Deleted)+len(out.Conflicts) > 0 {
		t.Errorf("one more run did %+v", out)
	}
}

func alike(t *testing.T, p pair) {
	t.Helper()
	source, target := files(t, p.source), files(t, p.target)
	if len(source) == 0 || len(source) != len(target) {
		t.Errorf("%d files on the source, %d on the target", len(source), len(target))
	}
	for name, text := range source {
		if target[name] != text {
			t.Errorf("%s is %q on the source, %q on the target", name, text, target[name])
		}
	}
	for name := range target {
		if strings.Contains(name, ".fssync-") {
			t.Errorf("%s is left", name)
		}
	}
}
