//go:build amd64 || arm64

package sandbox

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolfacade/toolfacade/internal/testenv"
)

// ordinaryUser is nobody's id in particular.
const ordinaryUser = 61234

// TestAsOrdinaryUser repeats the tests of this package, which root has run, as
// a user without privileges.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests run as an ordinary user already")
	}
	// The program that go test made lies where only root may look.
	dir, err := os.MkdirTemp("/tmp", "sandbox-user-") //nolint:usetesting // t.TempDir is root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program := filepath.Join(dir, "pkg", "test")
	copyFile(t, os.Args[0], program)
	copyFile(t, "testdata/probe.py", filepath.Join(dir, "pkg", "testdata", "probe.py"))
	copyFile(t, "../internal/proc/testdata/escape.py", filepath.Join(dir, "internal", "proc", "testdata", "escape.py"))
	tmp := filepath.Join(dir, "tmp")
	for _, err := range []error{
		os.Chmod(dir, 0o755), os.Mkdir(tmp, 0o700), os.Chown(tmp, ordinaryUser, ordinaryUser),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.skip=^(TestAsOrdinaryUser|TestCancelIsQuick)$")
	cmd.Dir = filepath.Join(dir, "pkg")
	cmd.Env = append(os.Environ(), "HOME="+tmp, "TMPDIR="+tmp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as user %d: %v\n%s", ordinaryUser, err, out)
	}
	if testenv.Required() && strings.Contains(string(out), "--- SKIP") {
		t.Errorf("tests were left out:\n%s", out)
	}
	t.Logf("as user %d %d tests passed", ordinaryUser, strings.Count(string(out), "--- PASS"))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Error(err)
	}
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
}
