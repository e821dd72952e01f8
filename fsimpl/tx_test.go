package fsimpl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// noteStep is a step that leaves nothing for the journal to take back.
type noteStep struct{ log []string }

func (s *noteStep) stage(*tree, bool) error { s.log = append(s.log, "stage"); return nil }
func (s *noteStep) apply(*tree) error       { s.log = append(s.log, "apply"); return nil }
func (s *noteStep) revert(*tree) error      { s.log = append(s.log, "revert"); return nil }
func (s *noteStep) cleanup(_ *tree, applied bool) error {
	if applied {
		s.log = append(s.log, "keep")
	}
	return nil
}

// A transaction whose content cannot be made has no effect; one without
// anything to take back has no entry in the journal.
func TestTransaction(t *testing.T) {
	mem := afero.NewMemMapFs()
	f := working(t, mem, nil, map[string]string{"a.txt": "old\n"})
	old, err := f.tree.lstat("a.txt")
	must(t, err)
	content := func(w io.Writer) error {
		_, err := io.WriteString(w, "a part of the new content")
		return errors.Join(err, io.ErrUnexpectedEOF)
	}
	for _, action := range []string{"", "write"} {
		for _, large := range []bool{false, true} {
			x := f.begin(action)
			note := &noteStep{}
			x.add(note, facade.Event{})
			x.addPut(&putStep{name: "a.txt", old: old, content: content, large: large})
			if err := x.commit(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("action %q, large %t: %v", action, large, err)
			}
			if len(note.log) != 1 {
				t.Errorf("action %q, large %t: steps %q", action, large, note.log)
			}
			names, err := afero.ReadDir(mem, "/")
			data, err2 := afero.ReadFile(mem, "/a.txt")
			if err != nil || err2 != nil || len(names) != 1 || string(data) != "old\n" {
				t.Errorf("action %q, large %t: %d files, content %q, %v", action, large, len(names), data, errors.Join(err, err2))
			}
		}
	}
	note := &noteStep{}
	x := f.begin("write")
	x.add(note, facade.Event{})
	if err := x.commit(t.Context()); err != nil || len(note.log) != 3 {
		t.Errorf("steps %q, %v", note.log, err)
	}
	if undone, err := f.Undo(t.Context(), facade.UndoInput{Steps: 1}); err != nil || len(undone.Reverted) > 0 {
		t.Errorf("undo: %+v, %v", undone, err)
	}
}

// A large replacement that has to wait for another change gives up with its
// context.
func TestLargeReplaceWaits(t *testing.T) {
	mem := afero.NewMemMapFs()
	old := bytes.Repeat([]byte("a needle\n"), streamedReplace/9+1)
	f := working(t, mem, nil, map[string]string{"large.txt": string(old)})
	unlock, err := f.lock(t.Context(), "large.txt")
	must(t, err)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.Replace(ctx, facade.ReplaceInput{Path: "large.txt", OldContent: "needle", NewContent: "pin", ReplaceAll: true})
	if facade.CodeOf(err) != facade.CodeCanceled {
		t.Errorf("%v", err)
	}
	if got, err := afero.ReadFile(mem, "/large.txt"); err != nil || !bytes.Equal(got, old) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
