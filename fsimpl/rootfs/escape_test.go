package rootfs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/internal/escapetest"
)

const (
	callTimeout = 10 * time.Second
	callMemory  = 64 << 20
)

// TestEscapes runs every payload through every method: nothing outside is
// read, named, created, changed or removed, no call hangs, and none takes much
// memory.
func TestEscapes(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		names := escapetest.Names()
		if len(names) < 65 {
			t.Fatalf("%d payloads, want 65 at least", len(names))
		}
		for _, name := range names {
			t.Run(name, func(t *testing.T) { runPayload(t, v, nil, name) })
		}
	})
}

// runPayload gives each action a world as good as new.
func runPayload(t *testing.T, v variant, opts *Options, name string) {
	w := build(t, name)
	f := v.open(t, w.Root, opts)
	for i, a := range slices.Concat(actions, extraActions) {
		p := w.Payloads[0]
		text, err := guarded(t, a, f, p.Path)
		if leak := w.Leak(p, fmt.Sprint(text, err)); leak != "" {
			t.Errorf("%s leaks %q: %q, %v", a.name, leak, text, err)
		}
		if a.opens && p.MustRefuse && err == nil {
			t.Errorf("%s returns %q, want an error", a.name, text)
		}
		last := i == len(actions)+len(extraActions)-1
		if !a.changes && !last {
			continue
		}
		if damage := w.Damage(); damage != "" {
			t.Fatalf("%s does damage (%v): %s", a.name, err, damage)
		}
		if w.Touched() {
			w.Renew(t)
		}
	}
}

// build returns a world with one payload and skips if it cannot be had.
func build(t *testing.T, name string) *escapetest.World {
	t.Helper()
	w := escapetest.Build(t, escapetest.TempDir(t), name)
	if len(w.Payloads) == 0 {
		t.Skip("this system or user cannot have it")
	}
	return w
}

// guarded watches a call's time and memory.
func guarded(t *testing.T, a action, f afero.Fs, path string) (text string, err error) {
	t.Helper()
	before := allocated()
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = a.run(f, path)
	}()
	select {
	case <-done:
	case <-time.After(callTimeout):
		t.Fatalf("%s hangs", a.name)
	}
	if n := allocated() - before; n > callMemory {
		t.Errorf("%s takes %d MiB", a.name, n>>20)
	}
	return text, err
}

// allocated returns the bytes allocated since the process began.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestEscapesAllAtOnce plants all payloads in one tree, which each action may
// change, so that later ones meet what earlier ones made.
func TestEscapesAllAtOnce(t *testing.T) {
	w := escapetest.Build(t, escapetest.TempDir(t))
	f := variants()[0].open(t, w.Root, nil)
	for _, a := range slices.Concat(actions, extraActions) {
		for _, p := range w.Payloads {
			_, _ = guarded(t, a, f, p.Path)
		}
		if damage := w.Damage(); damage != "" {
			t.Fatalf("%s does damage: %s", a.name, damage)
		}
	}
}

// TestControl proves that the table can fail: payloads do lead out of afero's
// own confinement. With TOOLFACADE_LONG=1 it counts for all of them.
func TestControl(t *testing.T) {
	names := []string{"sibling prefix", "link to file", "absolute link to file", "through link to dir", "dangling", "chain", "new through link"}
	want := len(names)
	if os.Getenv("TOOLFACADE_LONG") != "" {
		names = slices.DeleteFunc(escapetest.Names(), func(n string) bool {
			return strings.Contains(n, "fifo") || strings.Contains(n, "mount") // one hangs, the other needs TestMounts
		})
	}
	escaped, cells := 0, 0
	for _, name := range names {
		if n := controlPayload(t, name); n > 0 {
			escaped++
			cells += n
		} else if len(names) == want {
			t.Errorf("%q does not escape from BasePathFs: the table proves nothing", name)
		}
	}
	t.Logf("BasePathFs: %d of %d payloads escape, in %d cells", escaped, len(names), cells)
}

// controlPayload counts the actions that escape from BasePathFs.
func controlPayload(t *testing.T, name string) (cells int) {
	var w *escapetest.World
	for _, a := range actions {
		if w == nil {
			w = build(t, name)
		}
		p := w.Payloads[0]
		text, _ := a.run(afero.NewBasePathFs(afero.NewOsFs(), w.Root), p.Path)
		damaged := a.changes && w.Damage() != ""
		if damaged || w.Leak(p, text) != "" {
			cells++
		}
		switch {
		case damaged:
			w = nil
		case a.changes && w.Touched():
			w.Renew(t)
		}
	}
	return cells
}

// TestRootSurvives removes the root by each of its names.
func TestRootSurvives(t *testing.T) {
	names := []string{"", ".", "./", "./.", "sub/..", "sub/../", "sub/deep/../..", "sub/../.", "..", "/", "//"}
	eachVariant(t, func(t *testing.T, v variant) {
		dir := escapetest.TempDir(t)
		check(t, os.MkdirAll(filepath.Join(dir, "sub/deep"), 0o755))
		f := v.open(t, dir, nil)
		for _, name := range append(names, dir, dir+"/", dir+"/.") {
			for op, err := range map[string]error{
				"Remove":          f.Remove(name),
				"RemoveAll":       f.RemoveAll(name),
				"Rename":          f.Rename(name, "moved"),
				"RenameNoReplace": f.RenameNoReplace(name, "moved"),
			} {
				if err == nil {
					t.Errorf("%s(%q) succeeds", op, name)
				}
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "sub/deep")); err != nil {
			t.Error(err)
		}
	})
}
