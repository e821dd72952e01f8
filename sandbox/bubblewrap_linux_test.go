//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/toolfacade/toolfacade/internal/forkexec"
)

func TestMissingProgram(t *testing.T) {
	err := Require(t.Context(), Bubblewrap{Path: "/no/such/bwrap"}, FileWrites)
	if e, ok := errors.AsType[*UnavailableError](err); !ok || !strings.Contains(e.Fix(), "bwrap") {
		t.Errorf("Require gives %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	r := Bubblewrap{}.Probe(t.Context())
	if r.Holds(FileWrites) || !strings.Contains(r.Findings[0].Fix, "install bubblewrap") {
		t.Errorf("the report is %+v", r)
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		step  string
		errno unix.Errno
		fix   string
	}{
		{"clone", unix.EPERM, "max_user_namespaces"},
		{"clone", unix.ENOSPC, "max_user_namespaces"},
		{"mount proc", unix.EPERM, "systempaths"},
		{"write /proc/self/uid_map", unix.EPERM, "apparmor"},
		{"mount_setattr /usr", unix.ENOSYS, "5.12"},
		{"mount tmpfs", unix.EACCES, "apparmor"},
		{"execve /bin/sh", unix.ENOENT, "another"},
	} {
		cause, fix := explain(&forkexec.StepError{Step: c.step, Errno: c.errno})
		if !strings.Contains(cause, c.step) || !strings.Contains(fix, c.fix) {
			t.Errorf("%s, %v: %q, %q; want a fix with %q", c.step, c.errno, cause, fix, c.fix)
		}
	}
}
