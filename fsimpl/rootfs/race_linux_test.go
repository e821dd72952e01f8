package rootfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/internal/escapetest"
)

// attempts is how often each action is tried while names are exchanged.
const attempts = 20000

// raceAction uses names below "victim", which is now a directory inside and
// now a link to one outside, or "victim" itself for a file.
type raceAction struct {
	name string
	file bool // victim is a file
	run  func(f afero.Fs, i int) (string, error)
}

var raceActions = []raceAction{
	{"read", false, func(f afero.Fs, _ int) (string, error) { return readFrom(f.Open("victim/secret.txt")) }},
	{"read file", true, func(f afero.Fs, _ int) (string, error) { return readFrom(f.Open("victim")) }},
	{"write", false, func(f afero.Fs, _ int) (string, error) {
		return writeTo(f.OpenFile("victim/secret.txt", os.O_WRONLY|os.O_TRUNC, 0))
	}},
	{"write file", true, func(f afero.Fs, _ int) (string, error) {
		return writeTo(f.OpenFile("victim", os.O_WRONLY|os.O_TRUNC, 0))
	}},
	{"create", false, func(f afero.Fs, i int) (string, error) { return writeTo(f.Create(fmt.Sprintf("victim/new-%d", i%8))) }},
	{"remove", false, func(f afero.Fs, _ int) (string, error) {
		err := f.Remove("victim/secret.txt")
		_ = afero.WriteFile(f, "spare", []byte("inside"), 0o644)
		_ = f.Rename("spare", "victim/secret.txt")
		return "", err
	}},
	{"remove all", false, func(f afero.Fs, i int) (string, error) {
		if i%16 == 0 {
			_ = f.MkdirAll("victim/tree/a/b", 0o755)
		}
		return "", errors.Join(f.RemoveAll("victim/tree"), f.RemoveAll("victim/dir"))
	}},
	{"rename", false, func(f afero.Fs, _ int) (string, error) {
		return "", errors.Join(f.Rename("victim/secret.txt", "victim/moved"), f.Rename("victim/moved", "victim/secret.txt"))
	}},
	{"chmod", false, func(f afero.Fs, i int) (string, error) {
		return "", f.Chmod("victim/secret.txt", os.FileMode(0o600+i%8))
	}},
	{"chmod file", true, func(f afero.Fs, i int) (string, error) { return "", f.Chmod("victim", os.FileMode(0o600+i%8)) }},
	{"chtimes file", true, func(f afero.Fs, i int) (string, error) {
		return "", f.Chtimes("victim", time.Unix(int64(i), 0), time.Unix(int64(i), 0))
	}},
	{"mkdir", false, func(f afero.Fs, i int) (string, error) { return "", f.Mkdir(fmt.Sprintf("victim/dir-%d", i%64), 0o755) }},
	{"mkdir all", false, func(f afero.Fs, i int) (string, error) {
		return "", f.MkdirAll(fmt.Sprintf("victim/dir-%d/deep", i%64), 0o755)
	}},
	{"stat", false, func(f afero.Fs, _ int) (string, error) { return described(f.Stat("victim/secret.txt")) }},
	{"stat file", true, func(f afero.Fs, _ int) (string, error) { return described(f.Stat("victim")) }},
	{"list", false, func(f afero.Fs, _ int) (string, error) { return readFrom(f.Open("victim")) }},
}

// TestRace exchanges a directory or file for a link to one outside, while
// each action is tried: none ever gets there.
func TestRace(t *testing.T) {
	for _, v := range variants() {
		n := attempts
		if v.name != "openat2" {
			n /= 20 // slower by far, and tested by package os as well
		}
		for _, a := range raceActions {
			t.Run(v.name+"/"+a.name, func(t *testing.T) {
				w := escapetest.Build(t, escapetest.TempDir(t), "dot")
				r := race(t, w, v.open(t, w.Root, nil), a, n)
				t.Logf("%d calls, %d succeeded, %d exchanges, %d escapes", n, r.succeeded, r.swaps, r.escapes)
				if r.escapes > 0 {
					t.Errorf("%d of %d calls escape", r.escapes, n)
				}
				if r.succeeded == 0 || r.swaps < int64(n)/20 {
					t.Errorf("no race: %d of %d calls succeeded during %d exchanges", r.succeeded, n, r.swaps)
				}
			})
		}
	}
}

// TestRaceControl shows what the attack does to afero's own confinement.
func TestRaceControl(t *testing.T) {
	for _, a := range raceActions {
		if strings.HasPrefix(a.name, "mkdir") || strings.HasPrefix(a.name, "remove") {
			continue // they would show once only
		}
		calls, r := 0, raceResult{}
		for r.escapes == 0 && calls < attempts {
			w := escapetest.Build(t, escapetest.TempDir(t), "dot")
			r = race(t, w, afero.NewBasePathFs(afero.NewOsFs(), w.Root), a, attempts/20)
			calls += attempts / 20
		}
		t.Logf("BasePathFs: %s: %d of %d calls escape", a.name, r.escapes, calls)
		if r.escapes == 0 {
			t.Errorf("%s never escapes from BasePathFs: the attack proves nothing", a.name)
		}
	}
}

type raceResult struct {
	succeeded int
	escapes   int64
	swaps     int64
}

// race counts the calls that return something of the outside, and one more if
// the outside has changed.
func race(t *testing.T, w *escapetest.World, f afero.Fs, a raceAction, n int) raceResult {
	t.Helper()
	attack := w.AttackDir
	if a.file {
		attack = w.AttackFile
	}
	attacker := attack(t)
	var r raceResult
	var progress atomic.Int64
	watchdog := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("%s hangs at call %d", a.name, progress.Load())) })
	defer watchdog.Stop()
	// On a busy machine either side may have to wait for its turn.
	busy := func() bool { return attacker.Swaps() < int64(n)/20 || r.succeeded == 0 }
	for i := 0; i < n || busy() && i < 100*n; i++ {
		text, err := a.run(f, i)
		progress.Add(1)
		if err == nil {
			r.succeeded++
		}
		if w.Leak(w.Payloads[0], text) != "" {
			r.escapes++
		}
	}
	r.swaps = attacker.Stop()
	if w.Damage() != "" {
		r.escapes++
	}
	if _, err := os.Lstat(filepath.Join(w.Root, "victim")); err != nil {
		t.Errorf("the victim is lost: %v", err)
	}
	return r
}
