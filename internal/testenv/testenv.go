// Package testenv says what tests need from the machine they run on.
package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// requireVar makes a missing program a failure, so that a run meant to be
// complete cannot pass by skipping.
const requireVar = "TOOLFACADE_REQUIRE"

// NeedProgram returns the path of a program. Without it the test is skipped,
// or fails when TOOLFACADE_REQUIRE=1 is set.
func NeedProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "the program %q is not installed", name)
	}
	return path
}

// Missing ends a test that lacks something: it is skipped, or fails when
// TOOLFACADE_REQUIRE=1 is set.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv(requireVar) == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
