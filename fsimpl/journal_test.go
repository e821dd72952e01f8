package fsimpl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl/internal/journal"
)

// cacheAt makes the user's cache a directory, "" for none.
func cacheAt(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, dir)
	}
}

// undoes checks that a write can be taken back as long as the tool is open.
func undoes(t *testing.T, f *Files) {
	t.Helper()
	_, err := f.Write(t.Context(), facade.WriteInput{Path: "new.txt", Content: "x"})
	must(t, err)
	contains(t, f, "new.txt", "x")
	out, err := f.Undo(t.Context(), facade.UndoInput{})
	must(t, err)
	if len(out.Reverted) != 1 {
		t.Errorf("%d changes were undone", len(out.Reverted))
	}
	lacks(t, f, "new.txt")
}

// Where the journal finds no place outside the tree it is kept in memory:
// nothing is written into the tree, where a model could reach it.
func TestJournalWithoutAPlace(t *testing.T) {
	for _, c := range []struct {
		name  string
		place func(t *testing.T, root string) JournalOptions
	}{
		{"no cache", func(t *testing.T, _ string) JournalOptions {
			cacheAt(t, "")
			return JournalOptions{}
		}},
		{"the cache is a file", func(t *testing.T, _ string) JournalOptions {
			file := filepath.Join(t.TempDir(), "cache")
			must(t, os.WriteFile(file, nil, 0o600))
			cacheAt(t, file)
			return JournalOptions{}
		}},
		{"the cache is in the tree", func(t *testing.T, root string) JournalOptions {
			cacheAt(t, root)
			return JournalOptions{}
		}},
		{"named in the tree", func(_ *testing.T, root string) JournalOptions {
			return JournalOptions{Dir: filepath.Join(root, "a", "journal")}
		}},
		{"named right in the tree", func(_ *testing.T, root string) JournalOptions {
			return JournalOptions{Dir: filepath.Join(root, "journal")}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			undoes(t, opened(t, root, &Options{Journal: c.place(t, root)}))
			if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
				t.Errorf("the tree has %v, %v", entries, err)
			}
		})
	}
}

// A journal that the host names has to be kept there or the tool does not open:
// changes that cannot be undone would come as a surprise.
func TestJournalThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, []byte("mine"), 0o600))
	for _, dir := range []string{filepath.Join(file, "a", "journal"), file} {
		opts := &Options{Journal: JournalOptions{Dir: dir}}
		if f, err := Open(t.TempDir(), opts); err == nil || f != nil || !strings.Contains(err.Error(), "fsimpl: the journal: ") {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "mine" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// State reports what it cannot find out instead of taking it for absent.
func TestJournaledState(t *testing.T) {
	f, fsys := failing(t, map[string]string{"f": "content"})
	if s, err := (journaled{f}).State(t.Context(), "nothing"); err != nil || s.Kind != journal.Absent {
		t.Errorf("%+v, %v", s, err)
	}
	for _, op := range []facadetest.Op{facadetest.OpLstat, facadetest.OpOpen, facadetest.OpRead} {
		fsys.Arm(facadetest.Fault{Op: op, Err: syscall.EIO})
		if _, err := (journaled{f}).State(t.Context(), "f"); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s fails: %v", op, err)
		}
	}
	fsys.Arm()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (journaled{f}).State(ctx, "f"); !errors.Is(err, context.Canceled) {
		t.Errorf("the call has ended: %v", err)
	}
}

// Restore either brings a state back or leaves what is there.
func TestJournaledRestore(t *testing.T) {
	broken := readerFunc(func([]byte) (int, error) { return 0, syscall.EIO })
	for _, c := range []struct {
		name    string
		path    string
		state   journal.State
		content io.Reader
		fault   facadetest.Fault
		want    error
	}{
		{"what stands there is not known", "f", journal.State{Kind: journal.Absent}, nil, facadetest.Fault{Op: facadetest.OpLstat, Err: syscall.EIO}, syscall.EIO},
		{"gone already", "nothing", journal.State{Kind: journal.Absent}, nil, facadetest.Fault{}, nil},
		{"a directory that is not empty", "d", journal.State{Kind: journal.Absent}, nil, facadetest.Fault{}, &facade.Error{Code: facade.CodeNotEmpty}},
		{"a directory that is there", "d", journal.State{Kind: journal.Directory, Mode: 0o755}, nil, facadetest.Fault{}, nil},
		{"content that cannot be read", "f", journal.State{Kind: journal.Regular, Mode: 0o644}, broken, facadetest.Fault{}, syscall.EIO},
		{"no space", "g", journal.State{Kind: journal.Regular, Mode: 0o644}, strings.NewReader("g"), facadetest.Fault{Op: facadetest.OpWrite, Err: syscall.ENOSPC}, syscall.ENOSPC},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, fsys := failing(t, map[string]string{"f": "old", "d/in": "in"})
			if c.fault.Op != "" {
				fsys.Arm(c.fault)
			}
			err := journaled{f}.Restore(t.Context(), c.path, c.state, c.content)
			fsys.Arm()
			if e, ok := errors.AsType[*facade.Error](c.want); ok {
				coded(t, err, e.Code)
			} else if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			contains(t, f, "f", "old")
			contains(t, f, "d/in", "in")
			lacks(t, f, "g")
			untidy(t, f, ".")
		})
	}
}

// A file system without symbolic links and without lstat works; what needs
// links says that there are none.
func TestFileSystemWithoutLinks(t *testing.T) {
	f := working(t, struct{ afero.Fs }{afero.NewMemMapFs()}, nil, map[string]string{"d/f": "content"})
	_, err := f.Move(t.Context(), facade.MoveInput{Source: "d/f", Destination: "g"})
	must(t, err)
	contains(t, f, "g", "content")
	_, err = f.Undo(t.Context(), facade.UndoInput{})
	must(t, err)
	contains(t, f, "d/f", "content")
	if _, err := f.tree.readlink("d/f"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("readlink: %v", err)
	}
	err = journaled{f}.Restore(t.Context(), "l", journal.State{Kind: journal.Symlink, Target: "g"}, nil)
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("symlink: %v", err)
	}
	lacks(t, f, "l")
}

// Undo and history refuse paths outside and a journal that cannot be read.
func TestUndoFailures(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "journal")
	f := opened(t, dir, &Options{Journal: JournalOptions{Dir: kept}})
	_, err := f.Write(t.Context(), facade.WriteInput{Path: "f", Content: "x"})
	must(t, err)
	_, err = f.Undo(t.Context(), facade.UndoInput{Path: "../f"})
	coded(t, err, facade.CodeOutsideRoot)
	_, err = f.Redo(t.Context(), facade.UndoInput{Path: "../f"})
	coded(t, err, facade.CodeOutsideRoot)
	_, err = f.History(t.Context(), facade.HistoryInput{Path: "../f"})
	coded(t, err, facade.CodeOutsideRoot)
	contains(t, f, "f", "x")

	if runtime.GOOS == "windows" {
		return // open files cannot be removed
	}
	must(t, os.RemoveAll(kept))
	must(t, os.WriteFile(kept, nil, 0o600))
	if _, err = f.Undo(t.Context(), facade.UndoInput{}); err == nil || strings.Contains(err.Error(), kept) {
		t.Errorf("undo: %v", err)
	}
	if _, err = f.History(t.Context(), facade.HistoryInput{}); err == nil || strings.Contains(err.Error(), kept) {
		t.Errorf("history: %v", err)
	}
	contains(t, f, "f", "x")
}

// A change that was allowed is not undone where it is not allowed any more.
func TestUndoIsGuarded(t *testing.T) {
	dir, kept := t.TempDir(), JournalOptions{Dir: filepath.Join(t.TempDir(), "journal")}
	must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
	f, err := Open(dir, &Options{Writable: []string{".git"}, Journal: kept})
	must(t, err)
	_, err = f.Write(t.Context(), facade.WriteInput{Path: ".git/config", Content: "x"})
	must(t, err)
	must(t, f.Close())
	for _, opts := range []*Options{{Journal: kept}, {Journal: kept, ReadOnly: true, Writable: []string{".git"}}} {
		f = opened(t, dir, opts)
		_, err = f.Undo(t.Context(), facade.UndoInput{})
		if err == nil {
			t.Errorf("undone, read-only %v", opts.ReadOnly)
		}
		contains(t, f, ".git/config", "x")
	}
}

// Calls that wait for a path give up when their context ends, and change
// nothing.
func TestLockIsGivenUp(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, nil)
	_, err := f.Write(t.Context(), facade.WriteInput{Path: "f", Content: "x"})
	must(t, err)
	unlock, err := f.lock(t.Context(), "f")
	must(t, err)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.lock(ctx, "f"); !errors.Is(err, context.Canceled) {
		t.Errorf("lock: %v", err)
	}
	_, err = f.Undo(ctx, facade.UndoInput{})
	coded(t, err, facade.CodeCanceled)
	_, err = f.Write(ctx, facade.WriteInput{Path: "f", Content: "y"})
	coded(t, err, facade.CodeCanceled)
	_, err = f.Move(ctx, facade.MoveInput{Source: "f", Destination: "g"})
	coded(t, err, facade.CodeCanceled)
	_, err = f.Delete(ctx, facade.DeleteInput{Paths: []string{"f"}})
	coded(t, err, facade.CodeCanceled)
	contains(t, f, "f", "x")
}

// A read-only tree refuses every change, and reads.
func TestReadOnly(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), &Options{ReadOnly: true}, map[string]string{"f": "old\n"})
	end := int64(-1)
	for name, change := range map[string]func() error{
		"write":  func() error { _, err := f.Write(t.Context(), facade.WriteInput{Path: "f", Content: "new"}); return err },
		"create": func() error { _, err := f.Create(t.Context(), facade.CreateInput{Paths: []string{"g"}}); return err },
		"replace": func() error {
			_, err := f.Replace(t.Context(), facade.ReplaceInput{Path: "f", OldContent: "old", NewContent: "new"})
			return err
		},
		"modify": func() error {
			_, err := f.Modify(t.Context(), facade.ModifyInput{Path: "f", EndOffsetInclusive: &end, NewContent: "new"})
			return err
		},
		"delete": func() error { _, err := f.Delete(t.Context(), facade.DeleteInput{Paths: []string{"f"}}); return err },
		"move": func() error {
			_, err := f.Move(t.Context(), facade.MoveInput{Source: "f", Destination: "g"})
			return err
		},
		"copy": func() error {
			_, err := f.Copy(t.Context(), facade.CopyInput{Source: "f", Destination: "g"})
			return err
		},
		"undo": func() error { _, err := f.Undo(t.Context(), facade.UndoInput{}); return err },
		"redo": func() error { _, err := f.Redo(t.Context(), facade.UndoInput{}); return err },
	} {
		err := change()
		coded(t, err, facade.CodeDenied)
		if err != nil && !strings.Contains(err.Error(), "this root is read-only") {
			t.Errorf("%s: %v", name, err)
		}
	}
	contains(t, f, "f", "old\n")
	lacks(t, f, "g")
	out, err := f.Read(t.Context(), facade.ReadInput{Path: "f"})
	if err != nil || out.Files[0].Content != "old\n" {
		t.Errorf("%+v, %v", out, err)
	}
}

// copyAll copies more than one portion and ends between two of them when its
// context does.
func TestCopyAll(t *testing.T) {
	const size = 20 << 20
	var n int64
	zeros := readerFunc(func(p []byte) (int, error) { return len(p), nil })
	n, err := copyAll(t.Context(), io.Discard, io.LimitReader(zeros, size))
	if err != nil || n != size {
		t.Errorf("%d bytes, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := 0
	n, err = copyAll(ctx, io.Discard, readerFunc(func(p []byte) (int, error) {
		if read += len(p); read > 1<<20 {
			cancel()
		}
		return len(p), nil
	}))
	if !errors.Is(err, context.Canceled) || n == 0 || n >= size {
		t.Errorf("%d bytes, %v", n, err)
	}
	var got bytes.Buffer
	n, err = copyAll(t.Context(), &got, io.MultiReader(strings.NewReader("start"), readerFunc(func([]byte) (int, error) { return 0, syscall.EIO })))
	if !errors.Is(err, syscall.EIO) || n != 5 || got.String() != "start" {
		t.Errorf("%d bytes, %q, %v", n, got.String(), err)
	}
}

// A journal that cannot be read is not taken for a path of the tree.
func TestUnreadableJournal(t *testing.T) {
	dir := t.TempDir()
	f := working(t, afero.NewMemMapFs(), &Options{Journal: JournalOptions{Dir: dir}}, map[string]string{"f": "old\n"})
	_, err := f.Write(t.Context(), facade.WriteInput{Path: "f", Content: "new\n"})
	must(t, err)
	logs, err := filepath.Glob(dir + "/*/*.jsonl")
	if must(t, err); len(logs) != 1 {
		t.Fatalf("the journal has the logs %v", logs)
	}
	must(t, errors.Join(os.Rename(logs[0], dir+"/aside"), os.Mkdir(logs[0], 0o700)))
	for name, call := range map[string]func() error{
		"undo":    func() error { _, err := f.Undo(t.Context(), facade.UndoInput{}); return err },
		"redo":    func() error { _, err := f.Redo(t.Context(), facade.UndoInput{}); return err },
		"history": func() error { _, err := f.History(t.Context(), facade.HistoryInput{}); return err },
	} {
		if err := call(); facade.CodeOf(err) != facade.CodeIO || !strings.Contains(err.Error(), "the journal of changes cannot be read") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
