package fsimpl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/internal/escapetest"
	"github.com/toolfacade/toolfacade/internal/testenv"
)

// raceAction is a call on names below "victim", which is now a directory
// inside and now a link to one outside, or on "victim" itself.
type raceAction struct {
	name string
	file bool // victim is a file
	args func(i int) []any
	act  facade.FileAction
	// prepare, if any, is a call before each that makes it worth trying.
	prepare json.RawMessage
	// shows says that without confinement each call may show the outside.
	shows bool
}

func fixed(kv ...any) func(int) []any { return func(int) []any { return kv } }

func raceActions() []raceAction {
	secret := "victim/secret.txt"
	return []raceAction{
		{"list", false, fixed("path", "victim"), facade.FileList, nil, false},
		{"find", false, fixed("path", "victim", "keywords_file_content", []string{secretPattern}, "regex_keywords", true), facade.FileFind, nil, true},
		{"grep", false, fixed("path", secret, "pattern", secretPattern), facade.FileGrep, nil, true},
		{"read", false, fixed("path", secret, "max_bytes", 64), facade.FileRead, nil, true},
		{"read file", true, fixed("path", "victim", "max_bytes", 64), facade.FileRead, nil, true},
		{"info", false, fixed("path", secret), facade.FileInfo, nil, true},
		{"cd", false, fixed("path", "victim/."), facade.FileCd, args(facade.FilePwd), false},
		{"create", false, func(i int) []any { return []any{"paths", []string{fmt.Sprint("victim/dir-", i%64, "/deep")}} }, facade.FileCreate, nil, false},
		{"write", false, fixed("path", secret, "content", "planted"), facade.FileWrite, nil, false},
		{"write file", true, fixed("path", "victim", "content", "planted"), facade.FileWrite, nil, false},
		{"write new", false, func(i int) []any {
			return []any{"path", fmt.Sprint("victim/new-", i%8), "content", "planted"}
		}, facade.FileWrite, nil, false},
		{"modify", false, fixed("path", secret, "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "planted\n"), facade.FileModify, nil, false},
		{"replace", false, func(i int) []any {
			return []any{"path", secret, "old_content", "^.{5}", "is_regex", true, "new_content", fmt.Sprintf("%05d", i)}
		}, facade.FileReplace, nil, false},
		{"delete", false, fixed("paths", []string{secret}, "recursive", true), facade.FileDelete, args(facade.FileWrite, "path", secret, "content", "x"), false},
		{"move", false, func(i int) []any {
			a, b := "victim/inside.txt", "victim/moved.txt"
			if i%2 == 1 {
				a, b = b, a
			}
			return []any{"source", a, "destination", b, "overwrite", true}
		}, facade.FileMove, nil, false},
		{"copy out", false, fixed("source", secret, "destination", "stolen", "overwrite", true), facade.FileCopy, nil, false},
		{"copy in", false, fixed("source", "inside.txt", "destination", secret, "overwrite", true), facade.FileCopy, nil, false},
	}
}

// attempts is how often each action is tried while names are exchanged, in the
// full run; the ordinary one takes a twentieth.
const attempts = 20_000

// TestRace exchanges a directory or file for a link to one outside, while each
// action is tried: none ever gets there. TOOLFACADE_FULL=1 runs 20,000 calls of
// each.
func TestRace(t *testing.T) {
	n := attempts / 20
	if testenv.Full() {
		n = attempts
	}
	for _, a := range raceActions() {
		t.Run(a.name, func(t *testing.T) {
			// On a busy machine one of the two may not get a turn: such a race shows
			// nothing and is run again, in a world of its own.
			for turn := 1; ; turn++ {
				w := escapetest.Build(t, escapetest.TempDir(t), "dot")
				files, err := fsimpl.Open(w.Root, &fsimpl.Options{NoSync: true})
				check(t, err)
				r := race(t, w, files, a, n)
				check(t, files.Close())
				t.Logf("%d calls, %d succeeded, %d exchanges, %d escapes", n, r.succeeded, r.swaps, r.escapes)
				if r.escapes > 0 {
					t.Errorf("%d of %d calls escape: %s", r.escapes, n, r.how)
				}
				if r.swaps >= int64(n)/20 && r.succeeded > 0 {
					break
				}
				if turn == 4 {
					t.Errorf("no race: %d calls succeeded during %d exchanges", r.succeeded, r.swaps)
					break
				}
			}
		})
	}
}

// TestRaceControl shows what the same attack does without confinement.
func TestRaceControl(t *testing.T) {
	total := 0
	for _, a := range raceActions() {
		if a.name == "cd" || a.name == "delete" {
			continue // they leave nothing to see
		}
		// On a busy machine the attacker may not get a turn: give it more than one
		// chance, each in a world of its own, as an attack leaves names exchanged.
		escapes, calls := int64(0), 0
		for ; escapes == 0 && calls < 8000 && (a.shows || calls == 0); calls += 400 {
			w := escapetest.Build(t, escapetest.TempDir(t), "dot")
			files := basePath(t, w.Root)
			escapes = race(t, w, files, a, 400).escapes
			check(t, files.Close())
		}
		t.Logf("BasePathFs: %s: %d of %d calls escape", a.name, escapes, calls)
		total += int(escapes)
		if escapes == 0 && a.shows {
			t.Errorf("%s never escapes from BasePathFs: the attack proves nothing", a.name)
		}
	}
	if total < 20 {
		t.Errorf("%d escapes from BasePathFs, want many", total)
	}
}

type raceResult struct {
	succeeded      int
	escapes, swaps int64
	how            string
}

// race counts the calls that return something of the outside, and one more if
// the outside has changed.
func race(t *testing.T, w *escapetest.World, files *fsimpl.Files, a raceAction, n int) raceResult {
	t.Helper()
	attack := w.AttackDir
	if a.file {
		attack = w.AttackFile
	}
	attacker := attack(t)
	tool := facade.Files(files)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var r raceResult
	for i := range n {
		if a.prepare != nil {
			_, err := tool.Call(ctx, facade.Call{Args: a.prepare})
			check(t, err)
		}
		res, err := tool.Call(ctx, facade.Call{Session: strconv.Itoa(i % 64), Args: args(a.act, a.args(i)...)})
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		if res.Error == nil {
			r.succeeded++
		}
		if res.Error != nil && res.Error.Code == facade.CodeInternal {
			t.Fatalf("call %d: %s", i, res.Text)
		}
		if leak := leaked(w, w.Payloads[0], res); leak != "" {
			r.escapes++
			r.how = leak + " in " + res.Text
		}
	}
	r.swaps = attacker.Stop()
	if damage := w.Damage(); damage != "" {
		r.escapes++
		r.how = damage
	}
	return r
}
