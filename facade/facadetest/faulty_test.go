package facadetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
)

// TestFaultAtEveryOperation fails each operation of a safe write in turn: the
// old content has to stay, and the error has to come through.
func TestFaultAtEveryOperation(t *testing.T) {
	dry := NewFaultFs(seededCrashFs(t))
	if err := replaceFile(dry, ""); err != nil {
		t.Fatal(err)
	}
	n := dry.Count()
	if n < 7 {
		t.Fatalf("%d operations recorded, want at least 7: %+v", n, dry.Operations())
	}
	for i := range n {
		t.Run(fmt.Sprintf("%d %s", i, dry.Operations()[i].Op), func(t *testing.T) {
			c := seededCrashFs(t)
			f := NewFaultFs(c, Fault{After: i, Times: 1, Err: syscall.ENOSPC})
			err := replaceFile(f, "")
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("error is %v, want ENOSPC", err)
			}
			raw, err := afero.ReadFile(c, "/d/f")
			if got := string(raw); err != nil || got != "old content" && got != "new content" {
				t.Errorf("the file holds %q, %v", got, err)
			}
			if ops := f.Operations(); len(ops) <= i || !errors.Is(ops[i].Err, syscall.ENOSPC) {
				t.Errorf("operation %d is not recorded as failed: %+v", i+1, ops)
			}
		})
	}
}

func TestFaultKinds(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   Fault
		err     error // of the second write
		content string
	}{
		{"short write with an error", Fault{Op: OpWrite, After: 1, Times: 1, Err: syscall.ENOSPC, Partial: 2}, syscall.ENOSPC, "oneTW"},
		{"short write without one", Fault{Op: OpWrite, After: 1, Partial: 1}, nil, "oneT"},
		{"another name", Fault{Op: OpWrite, Name: "*.tmp", Err: syscall.EIO}, nil, "oneTWO"},
		{"this name", Fault{Op: OpWrite, Name: "f.*", After: 1, Err: fs.ErrPermission}, fs.ErrPermission, "one"},
		{"another kind", Fault{Op: OpSync, Err: syscall.EIO}, nil, "oneTWO"},
		{"past its times", Fault{Op: OpWrite, After: 2, Err: syscall.EIO}, nil, "oneTWO"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := afero.NewMemMapFs()
			fsys := NewFaultFs(base, c.fault)
			f, err := fsys.Create("/f.txt")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("one"); err != nil {
				t.Fatal(err)
			}
			if _, err = f.Write([]byte("TWO")); !errors.Is(err, c.err) || (c.err == nil) != (err == nil) {
				t.Errorf("error is %v, want %v", err, c.err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			raw, _ := afero.ReadFile(base, "/f.txt")
			if string(raw) != c.content {
				t.Errorf("the file holds %q, want %q", raw, c.content)
			}
		})
	}
}

func TestFaultFsRecords(t *testing.T) {
	fsys := NewFaultFs(afero.NewMemMapFs())
	if err := errors.Join(fsys.Mkdir("/d", 0o755), afero.WriteFile(fsys, "/d/f", []byte("xyz"), 0o644), fsys.Rename("/d/f", "/d/g")); err != nil {
		t.Fatal(err)
	}
	want := []Operation{
		{N: 1, Op: OpMkdir, Path: "/d"},
		{N: 2, Op: OpCreate, Path: "/d/f"},
		{N: 3, Op: OpWrite, Path: "/d/f", Bytes: 3},
		{N: 4, Op: OpClose, Path: "/d/f"},
		{N: 5, Op: OpRename, Path: "/d/f", To: "/d/g"},
	}
	if diff := cmp.Diff(want, fsys.Operations()); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	if got := fsys.Count(OpWrite, OpRename); got != 2 {
		t.Errorf("Count is %d, want 2", got)
	}
	fsys.Arm(Fault{Op: OpStat, Err: syscall.EIO})
	if _, err := fsys.Stat("/d/g"); !errors.Is(err, syscall.EIO) || fsys.Count() != 1 {
		t.Errorf("after Arm: %v, %d operations; want EIO and one", err, fsys.Count())
	}
}

func TestFakeFilesRecord(t *testing.T) {
	f := &FakeFiles{Answer: func(_ context.Context, call FilesCall) (any, error) {
		if call.Action == facade.FileWrite {
			return nil, facade.Errorf(facade.CodeNoSpace, "full")
		}
		return facade.ReadOutput{Files: []facade.FileContent{{Path: "a", Content: "x"}}}, nil
	}}
	events := &Events{}
	set := facade.NewSet([]*facade.Tool{facade.Files(f)}, nil)
	set.Subscribe(events.Emit, facade.EventCallFinished)
	tool := set.Tool("filesystem")
	for _, args := range []string{`{"action":"read","path":"a"}`, `{"action":"write","path":"b","content":"c"}`} {
		if _, err := tool.Call(t.Context(), facade.Call{Session: "s", Args: []byte(args)}); err != nil {
			t.Fatal(err)
		}
	}
	want := []FilesCall{
		{facade.FileRead, "s", facade.ReadInput{Path: "a"}},
		{facade.FileWrite, "s", facade.WriteInput{Path: "b", Content: "c"}},
	}
	if diff := cmp.Diff(want, f.Calls()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if !events.Wait(2, 10*time.Second) || events.Wait(3, time.Millisecond) {
		t.Errorf("events are %+v, want two", events.All())
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if got := events.Of(facade.EventCallFinished); len(got) != 2 || got[1].Code != facade.CodeNoSpace {
		t.Errorf("events are %+v, want the second with no_space", got)
	}
	if got := events.Paths(facade.EventFileRead); len(got) != 0 {
		t.Errorf("paths are %q, want none", got)
	}
	events.Reset()
	if got := events.All(); len(got) != 0 {
		t.Errorf("after Reset: %+v", got)
	}
}
