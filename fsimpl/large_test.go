package fsimpl_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// largeText is replaced in without being held in memory.
func largeText() []byte {
	return bytes.Repeat([]byte("a line with a needle in it, and some more words after it\n"), 9<<20/57)
}

// openLarge returns the tools on a directory, and the name of a large file in
// it.
func openLarge(t *testing.T) (files *fsimpl.Files, name string) {
	t.Helper()
	dir := t.TempDir()
	name = filepath.Join(dir, "large.txt")
	check(t, os.WriteFile(name, largeText(), 0o640))
	files, err := fsimpl.Open(dir, &fsimpl.Options{Journal: fsimpl.JournalOptions{Dir: filepath.Join(t.TempDir(), "journal")}})
	check(t, err)
	t.Cleanup(func() { check(t, files.Close()) })
	return files, name
}

func TestLargeReplaceIsUndone(t *testing.T) {
	files, name := openLarge(t)
	holds := func(want []byte) {
		t.Helper()
		got, err := os.ReadFile(name)
		check(t, err)
		info, err := os.Stat(name)
		check(t, err)
		if !bytes.Equal(got, want) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Fatalf("%d bytes, want %d; mode %v", len(got), len(want), info.Mode())
		}
	}
	before := largeText()
	first := bytes.ReplaceAll(before, []byte("needle"), []byte("pin"))
	second := bytes.ReplaceAll(first, []byte("some more words"), []byte("nothing"))
	ctx := context.Background()
	time.Sleep(50 * time.Millisecond) // so that the file's times tell whether it is changed
	_, err := files.Replace(ctx, facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true})
	check(t, err)
	holds(first)
	_, err = files.Replace(ctx, facade.ReplaceInput{Path: "large.txt", OldContent: "some more words", NewContent: "nothing", ReplaceAll: true})
	check(t, err)
	for range 2 {
		holds(second)
		_, err = files.Undo(ctx, facade.UndoInput{Steps: 1})
		check(t, err)
		holds(first)
		_, err = files.Undo(ctx, facade.UndoInput{Steps: 1})
		check(t, err)
		holds(before)
		_, err = files.Redo(ctx, facade.UndoInput{Steps: 2})
		check(t, err)
	}
	check(t, os.WriteFile(name, before[1:], 0o640)) // by somebody else
	if _, err = files.Undo(ctx, facade.UndoInput{Steps: 1}); facade.CodeOf(err) != facade.CodeStale {
		t.Errorf("undo: %v", err)
	}
	holds(before[1:])
}

// meddler changes something while a call goes on, which asks now and then
// whether its context has ended.
type meddler struct {
	context.Context
	asked atomic.Int64
	at    int64
	do    func()
}

func (m *meddler) Err() error {
	if m.asked.Add(1) == m.at {
		m.do()
	}
	return m.Context.Err()
}

// A program that changes a part of the file that has been read already does
// not lose its change.
func TestLargeReplaceOfAFileThatChanges(t *testing.T) {
	files, name := openLarge(t)
	time.Sleep(50 * time.Millisecond)
	want := largeText()
	want[0] = 'A'
	ctx := &meddler{Context: context.Background(), at: 40, do: func() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteAt(want[:1], 0)
		}
		if err != nil || f.Close() != nil {
			t.Errorf("meddle: %v", err)
		}
	}}
	_, err := files.Replace(ctx, facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true})
	if facade.CodeOf(err) != facade.CodeStale {
		t.Errorf("replace: %v", err)
	}
	if ctx.asked.Load() < ctx.at {
		t.Errorf("the context was asked %d times only", ctx.asked.Load())
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
