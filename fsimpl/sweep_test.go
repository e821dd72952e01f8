package fsimpl

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade/facadetest"
)

const (
	leftover = tempPrefix + "A" + tempSuffix  // a file of an interrupted write
	refuge   = tempPrefix + "A" + asideSuffix // a directory of an interrupted move
)

// A sweep removes leftovers and moves back what was put aside. What it cannot
// do it leaves for the next one: nothing is lost.
func TestSweepThatFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []facadetest.Fault
		swept  bool // the leftover is gone
	}{
		{"nothing fails", nil, true},
		{"the leftover cannot be opened", []facadetest.Fault{{Op: facadetest.OpOpen, Name: leftover, Err: syscall.EACCES}}, false},
		{"the refuge cannot be opened", []facadetest.Fault{{Op: facadetest.OpOpen, Name: refuge, Err: syscall.EACCES}}, true},
		{"the refuge cannot be opened twice", []facadetest.Fault{{Op: facadetest.OpOpen, Name: refuge, After: 1, Err: syscall.EMFILE}}, true},
		{"the refuge cannot be listed", []facadetest.Fault{{Op: facadetest.OpReadDir, Name: refuge, Err: syscall.EIO}}, true},
		{"what is in it cannot be moved", []facadetest.Fault{{Op: facadetest.OpRename, Err: syscall.EIO}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			disk := facadetest.NewCrashFs()
			must(t, disk.MkdirAll("/d/"+refuge, 0o755))
			for _, name := range []string{"/d/" + leftover, "/d/" + refuge + "/kept", "/d/" + refuge + "/old", "/d/old"} {
				must(t, afero.WriteFile(disk, name, []byte(path.Base(name)+" of "+path.Dir(name)), 0o644))
			}
			f := working(t, facadetest.NewFaultFs(disk, c.faults...), nil, nil)
			f.tree.fs.(*facadetest.FaultFs).Arm()
			if _, err := f.tree.lstat("d/" + leftover); os.IsNotExist(err) != c.swept {
				t.Errorf("the leftover: %v", err)
			}
			place := "d/" + refuge
			if c.faults == nil || c.name == "the leftover cannot be opened" {
				place = "d"
				lacks(t, f, "d/"+refuge)
			}
			contains(t, f, place+"/kept", "kept of /d/"+refuge)
			contains(t, f, "d/old", "old of /d") // what has come into the place stays

			again := working(t, disk, nil, nil)
			untidy(t, again, "d")
			contains(t, again, "d/kept", "kept of /d/"+refuge)
			contains(t, again, "d/old", "old of /d")
		})
	}
}

// A sweep that is ended removes nothing any more.
func TestSweepEnds(t *testing.T) {
	f := working(t, afero.NewMemMapFs(), nil, nil)
	must(t, afero.WriteFile(f.tree.fs, "/"+leftover, nil, 0o644)) // whose removal while it is listed would panic
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sweepDir(ctx, f.tree, ".")
	contains(t, f, leftover, "")
	sweepDir(&ended{Context: t.Context(), after: 1}, f.tree, ".") // in between
	contains(t, f, leftover, "")
	sweepDir(t.Context(), f.tree, ".")
	lacks(t, f, leftover)
}

// unlockable has files of the system of which it cannot be told whether they
// are locked.
type unlockable struct {
	afero.Fs
	closed *os.File
}

type unlockableFile struct {
	embedded
	closed *os.File
}

type embedded = afero.File // a field of another name than the method below

func (u unlockableFile) File() *os.File { return u.closed }

func (u unlockable) Open(name string) (afero.File, error) {
	file, err := u.Fs.Open(name)
	if err != nil {
		return nil, err
	}
	return unlockableFile{file, u.closed}, nil
}

// Without locks the age of a file tells whether it is left over.
func TestSweepByAge(t *testing.T) {
	closed, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	must(t, err)
	must(t, closed.Close())
	f := working(t, unlockable{afero.NewMemMapFs(), closed}, nil, nil)
	must(t, afero.WriteFile(f.tree.fs, "/"+leftover, []byte("in flight"), 0o644))
	sweepDir(t.Context(), f.tree, ".")
	contains(t, f, leftover, "in flight")
	old := time.Now().Add(-2 * staleAfter)
	must(t, f.tree.fs.Chtimes("/"+leftover, old, old))
	sweepDir(t.Context(), f.tree, ".")
	lacks(t, f, leftover)
}
