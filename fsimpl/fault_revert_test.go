package fsimpl_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// A change that cannot be taken back is told of, and what is in place then is
// the whole new content.
func TestFaultsOfReverting(t *testing.T) {
	const large = "more than is held in memory\n"
	dirSync := facadetest.Fault{Op: facadetest.OpSync, Name: "/", Err: syscall.EIO}
	for _, tt := range []struct {
		name   string
		faults []facadetest.Fault
		limit  int64 // of what is held in memory
		said   string
		kept   string // what the file has then
	}{
		{"it is taken back", []facadetest.Fault{dirSync}, 0, "", large},
		{"no space for the old content", []facadetest.Fault{dirSync, {Op: facadetest.OpWrite, After: 1, Err: syscall.ENOSPC, Partial: 2}}, 0, "reverting failed too: no space left", "new\n"},
		{"no temporary file", []facadetest.Fault{dirSync, {Op: facadetest.OpCreate, After: 1, Err: syscall.EROFS}}, 0, "reverting failed too: read-only", "new\n"},
		{"no rename", []facadetest.Fault{dirSync, {Op: facadetest.OpRename, After: 1, Err: syscall.EACCES}}, 0, "reverting failed too: permission denied", "new\n"},
		{"the old content is not known", []facadetest.Fault{dirSync}, 5, "may not survive a power failure", "new\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			disk := facadetest.NewCrashFs()
			plant(t, disk, map[string]string{"a.txt": large})
			fsys := facadetest.NewFaultFs(disk)
			files := newFiles(t, fsys, &fsimpl.Options{MaxFileBytes: tt.limit})
			fsys.Arm(tt.faults...)
			_, err := files.Write(t.Context(), facade.WriteInput{Path: "a.txt", Content: "new\n"})
			fsys.Arm()
			e, ok := errors.AsType[*facade.Error](err)
			if !ok || e.Code != facade.CodeIO || !strings.Contains(e.Message, tt.said) || strings.Contains(e.Text(), ".toolfacade-") {
				t.Errorf("%v", err)
			}
			now, err := image(disk)
			check(t, err)
			if diff := cmp.Diff(map[string]string{"a.txt": "-rw-r----- " + tt.kept}, now); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A file whose old content cannot be read for the journal is not replaced.
func TestFaultOfJournaling(t *testing.T) {
	disk := facadetest.NewCrashFs()
	plant(t, disk, map[string]string{"a.txt": "more than is held in memory\n"})
	fsys := facadetest.NewFaultFs(disk)
	files := newFiles(t, fsys, &fsimpl.Options{MaxFileBytes: 5})
	before, err := image(disk)
	check(t, err)
	fsys.Arm(facadetest.Fault{Op: facadetest.OpRead, Err: syscall.EIO})
	_, err = files.Write(t.Context(), facade.WriteInput{Path: "a.txt", Content: "new\n"})
	fsys.Arm()
	if facade.CodeOf(err) != facade.CodeIO {
		t.Errorf("%v", err)
	}
	now, err := image(disk)
	check(t, err)
	if diff := cmp.Diff(before, now); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An undo of one file that fails has changed nothing, unless it says so, and
// works when it is tried again.
func TestFaultsOfUndo(t *testing.T) {
	for n, failed := 0, 0; ; n++ {
		disk := facadetest.NewCrashFs()
		plant(t, disk, tree())
		before, err := image(disk)
		check(t, err)
		fsys := facadetest.NewFaultFs(disk)
		files := newFiles(t, fsys, nil)
		ctx := context.Background()
		_, err = files.Replace(ctx, facade.ReplaceInput{Path: "a.txt", OldContent: "two", NewContent: "zwei"})
		check(t, err)
		after, err := image(disk)
		check(t, err)
		fsys.Arm(facadetest.Fault{After: n, Times: 1, Err: syscall.EIO})
		_, err = files.Undo(ctx, facade.UndoInput{Steps: 1})
		reached := fsys.Count() > n
		fsys.Arm()
		want := before
		if err != nil {
			failed++
			if !strings.Contains(err.Error(), "the new content is in place") {
				want = after
			}
		}
		now, e := image(disk)
		check(t, e)
		for _, name := range temps(now) { // one that could not be removed
			delete(now, name)
		}
		if diff := cmp.Diff(want, now); diff != "" {
			t.Errorf("operation %d, %v (-want +got):\n%s", n, err, diff)
		}
		if err != nil {
			if _, err = files.Undo(ctx, facade.UndoInput{Steps: 1}); err != nil {
				t.Errorf("operation %d: again: %v", n, err)
			}
			if now, err = image(disk); err != nil || now["a.txt"] != before["a.txt"] {
				t.Errorf("operation %d: again: the file has %q, %v", n, now["a.txt"], err)
			}
		}
		if !reached {
			if failed < 5 {
				t.Errorf("only %d of %d faults are noticed", failed, n)
			}
			return
		}
	}
}

// busyFs has somebody else make every directory that is about to be made.
type busyFs struct{ afero.Fs }

func (b busyFs) Mkdir(name string, perm os.FileMode) error {
	if err := b.Fs.Mkdir(name, perm); err != nil {
		return err
	}
	return b.Fs.Mkdir(name, perm)
}

// A directory that somebody else has made meanwhile is not ours to remove.
func TestCreateMeanwhile(t *testing.T) {
	disk := facadetest.NewCrashFs()
	files := newFiles(t, busyFs{disk}, nil)
	ctx := context.Background()
	_, err := files.Create(ctx, facade.CreateInput{Paths: []string{"d/e"}})
	check(t, err)
	if undone, err := files.Undo(ctx, facade.UndoInput{Steps: 1}); err != nil || len(undone.Reverted) > 0 {
		t.Errorf("undo: %+v, %v", undone, err)
	}
	now, err := image(disk)
	check(t, err)
	if diff := cmp.Diff(map[string]string{"d": "dir", "d/e": "dir"}, now); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
