package fsimpl_test

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/facade/facadetest"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// Undo and redo of which the n-th operation of the file system fails, for each
// n, change everything or nothing, and can be called again.
func TestUndoFaults(t *testing.T) {
	undo, redo := args("undo"), args("redo")
	for _, tt := range []struct {
		name string
		do   json.RawMessage
	}{
		{"write", args("write", "path", "a.txt", "content", "new\n")},
		{"create", args("write", "path", "x/y.txt", "content", "new\n")},
		{"move over a file", args("move", "source", "a.txt", "destination", "b.txt", "overwrite", true)},
		{"delete several", args("delete", "paths", []string{"a.txt", "b.txt"})},
	} {
		for _, verb := range []string{"undo", "redo"} {
			t.Run(tt.name+" "+verb, func(t *testing.T) {
				failed := 0
				for n := 0; ; n++ {
					disk := facadetest.NewCrashFs()
					plant(t, disk, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
					fsys := facadetest.NewFaultFs(disk)
					files, err := fsimpl.New(fsys, nil)
					check(t, err)
					tool := facade.Files(files)
					look := func() map[string]string {
						img, err := image(disk)
						check(t, err)
						return img
					}
					before, run := look(), undo
					done := func(c json.RawMessage) map[string]string {
						if res := call(t, tool, c); res.Error != nil {
							t.Fatal(res.Text)
						}
						return look()
					}
					after := done(tt.do)
					if before, after = after, before; verb == "redo" {
						before, after, run = done(undo), before, redo
					}
					fsys.Arm(facadetest.Fault{Err: syscall.EIO, After: n, Times: 1})
					res := call(t, tool, run)
					hit := tripped(fsys, fault{fault: facadetest.Fault{Err: syscall.EIO}})
					reached := fsys.Count() > n
					fsys.Arm()
					left := removeTemps(t, disk)
					if left && hit.Op != facadetest.OpRemove {
						t.Errorf("%s %s, operation %d: temporary files are left", hit.Op, hit.Path, n)
					}
					if res.Error != nil {
						failed++
						if strings.Contains(res.Text, "nothing to do") {
							t.Errorf("%s %s, operation %d: the text hides the failure: %s", hit.Op, hit.Path, n, res.Text)
						}
						if diff := cmp.Diff(before, look()); diff != "" && !strings.Contains(res.Text, "reverting failed too") {
							t.Errorf("%s %s, operation %d: %s\nthe tree changed (-want +got)\n%s", hit.Op, hit.Path, n, res.Text, diff)
						}
						res = call(t, tool, run)
					}
					if diff := cmp.Diff(after, look()); res.Error != nil || diff != "" {
						t.Errorf("%s %s, operation %d: %s\n(-want +got)\n%s", hit.Op, hit.Path, n, res.Text, diff)
					}
					check(t, files.Close())
					if !reached {
						break
					}
				}
				if failed == 0 {
					t.Error("no fault was noticed")
				}
			})
		}
	}
}

// removeTemps removes temporary files, as opening the tree again does, and
// reports whether there were any.
func removeTemps(t *testing.T, fsys afero.Fs) bool {
	t.Helper()
	img, err := image(fsys)
	check(t, err)
	left := temps(img)
	for _, name := range left {
		check(t, fsys.RemoveAll("/"+name))
	}
	return len(left) > 0
}

// A refused undo does not say that it reverted something: it shows what
// somebody changed since.
func TestStaleUndoText(t *testing.T) {
	disk := facadetest.NewCrashFs()
	plant(t, disk, map[string]string{"a.txt": "a\n"})
	tool := facade.Files(newFiles(t, disk, nil))
	call(t, tool, args("write", "path", "a.txt", "content", "b\n"))
	check(t, afero.WriteFile(disk, "/a.txt", []byte("somebody's\n"), 0o640))
	res := call(t, tool, args("undo"))
	if res.Error == nil || res.Error.Code != facade.CodeStale || strings.Contains(res.Text, "reverted 1 change") ||
		!strings.Contains(res.Text, "nothing was reverted; what changed since:\nc1 write: a.txt\n") || !strings.Contains(res.Text, "-b\n+somebody's") {
		t.Error(res.Text)
	}
}
