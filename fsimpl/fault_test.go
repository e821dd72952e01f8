package fsimpl_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// fault is one way an operation may fail.
type fault struct {
	name  string
	fault facadetest.Fault
	codes string
}

func faults() []fault {
	all := []fault{
		{"EIO", facadetest.Fault{Err: syscall.EIO}, "io"},
		{"ENOSPC", facadetest.Fault{Err: syscall.ENOSPC}, "no_space"},
		{"EDQUOT after 3 bytes", facadetest.Fault{Err: syscall.EDQUOT, Partial: 3}, "no_space"},
		{"EACCES", facadetest.Fault{Err: syscall.EACCES}, "permission_denied"},
		{"EROFS", facadetest.Fault{Err: syscall.EROFS}, "permission_denied"},
	}
	if raceEnabled {
		return all[:2]
	}
	return all
}

// TestFaults makes the n-th operation of every writing action fail, for each
// n, once and from then on. A call that reports an error has changed nothing; one that
// reports none has done its work. No temporary file stays.
func TestFaults(t *testing.T) {
	runs, failures := 0, 0
	for _, c := range changes() {
		t.Run(c.name, func(t *testing.T) {
			total, after := rehearse(t, c)
			for _, f := range faults() {
				for n := range total {
					for _, times := range []int{1, 0} {
						f.fault.After, f.fault.Times = n, times
						runs++
						if failing(t, c, f, after) {
							failures++
						}
					}
				}
			}
		})
	}
	t.Logf("%d runs with a fault, %d of them failed", runs, failures)
	if failures < runs/4 {
		t.Error("too few of the faults are noticed for the test to prove anything")
	}
}

// rehearse runs a change without a fault: how many operations it takes, and
// what it leaves.
func rehearse(t *testing.T, c change) (operations int, after map[string]string) {
	t.Helper()
	fsys, mem := faulty(t, c)
	files := newFiles(t, fsys, nil)
	fsys.Arm()
	if res := call(t, facade.Files(files), c.args); res.Error != nil {
		t.Fatal(res.Text)
	}
	operations = fsys.Count()
	after, err := image(mem)
	check(t, err)
	return operations, after
}

func faulty(t *testing.T, c change) (*facadetest.FaultFs, afero.Fs) {
	t.Helper()
	disk := facadetest.NewCrashFs() // for its semantics, which are the system's
	plant(t, disk, c.seed)
	return facadetest.NewFaultFs(disk), disk
}

// failing runs a change with a fault and reports whether the call failed.
func failing(t *testing.T, c change, f fault, after map[string]string) bool {
	t.Helper()
	fsys, disk := faulty(t, c)
	before, err := image(disk)
	check(t, err)
	files, err := fsimpl.New(fsys, nil)
	check(t, err)
	fsys.Arm(f.fault)
	res := call(t, facade.Files(files), c.args)
	hit := tripped(fsys, f)
	fsys.Arm()
	check(t, files.Close())
	now, err := image(disk)
	check(t, err)
	what := fmt.Sprintf("%s at %s %s (operation %d, times %d)", f.name, hit.Op, hit.Path, f.fault.After+1, f.fault.Times)
	if left := temps(now); len(left) > 0 && f.fault.Times == 1 && hit.Op != facadetest.OpRemove {
		t.Errorf("%s: %q is left: %s", what, left, res.Text)
	}
	reopened, err := fsimpl.New(disk, nil)
	check(t, err)
	check(t, reopened.Close())
	if now, err = image(disk); err != nil {
		t.Fatal(err)
	}
	want := before
	if res.Error == nil {
		want = after
	}
	if diff := cmp.Diff(want, now); diff != "" && !hopeless(f, res) {
		t.Errorf("%s: (-want +got):\n%s\nafter %s", what, diff, res.Text)
	}
	if left := temps(now); len(left) > 0 {
		t.Errorf("%s: %q survives reopening", what, left)
	}
	if res.Error != nil {
		speaks(t, what, f.codes, res)
	}
	return res.Error != nil
}

// hopeless reports whether a change could not be reverted because the file
// system went on failing, and the call said so.
func hopeless(f fault, res *facade.Result) bool {
	return f.fault.Times == 0 && res.Error != nil && strings.Contains(res.Text, "reverting failed too")
}

// tripped is the first operation that the fault hit.
func tripped(fsys *facadetest.FaultFs, f fault) facadetest.Operation {
	for _, o := range fsys.Operations() {
		if errors.Is(o.Err, f.fault.Err) {
			return o
		}
	}
	return facadetest.Operation{}
}

// speaks checks that an error is of use to a model.
func speaks(t *testing.T, what, code string, res *facade.Result) {
	t.Helper()
	if string(res.Error.Code) != code && !strings.Contains(res.Text, "reverting failed too") {
		t.Errorf("%s: code %s, want %s: %s", what, res.Error.Code, code, res.Text)
	}
	if res.Error.Hint == "" || res.Error.Path == "" {
		t.Errorf("%s: no hint or no path: %s", what, res.Text)
	}
	if strings.Contains(res.Text, ".toolfacade-") {
		t.Errorf("%s: the error names a temporary file: %s", what, res.Text)
	}
}

// TestShortWrite makes a write return fewer bytes than it was given, without
// an error.
func TestShortWrite(t *testing.T) {
	for _, c := range changes() {
		t.Run(c.name, func(t *testing.T) {
			fsys, disk := faulty(t, c)
			before, err := image(disk)
			check(t, err)
			files := newFiles(t, fsys, nil)
			fsys.Arm(facadetest.Fault{Op: facadetest.OpWrite, Partial: 2, Times: 1})
			res := call(t, facade.Files(files), c.args)
			if fsys.Count(facadetest.OpWrite) == 0 {
				return // it writes nothing
			}
			if res.Error == nil || res.Error.Code != facade.CodeIO {
				t.Errorf("a short write is no error of code io: %s", res.Text)
			}
			now, err := image(disk)
			check(t, err)
			if diff := cmp.Diff(before, now); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
